import { renameKey, revokeKey } from '../../../access/keys/change.ts';
import { getKey, KEY_NAME_MAX } from '../../../access/keys/key.ts';
import { readRotations } from '../../../access/keys/rotate.ts';
import { contactUrl } from '../../../lib/text/service.ts';
import { buttonLink, Notice } from '../../shared/components.tsx';
import { field, formPage } from '../forms.tsx';
import { page, type Visit } from '../page.ts';
import type { Services } from '../services.ts';
import { usagePath } from '../usage/page.tsx';
import { keyDetails } from './key-parts.tsx';
import { KEYS_PATH } from './list-page.tsx';

/** The key that a page is about: one of the visitor's own. @throws UnknownError for that of another. */
export const ownKey = ({ acting, id }: Visit) => getKey(acting, id);

/** The pages of one of a visitor's own keys. The id of another's key gets a 404. */
export function keyPages(services: Services) {
  const PATH = `${KEYS_PATH}/:id`;
  return [
    page({
      path: PATH,
      load: ownKey,
      view: async ({ path }, key) => {
        const { id, name, state, disabledReason } = key;
        const rotations = await readRotations(services.prisma, key);
        const works = state === 'active' || state === 'disabled';
        return {
          title: name,
          back: 'Keys',
          action: (
            <div class="actions">
              {buttonLink(usagePath(id), 'Usage', 'second')}
              {buttonLink(`${path}/documents`, 'Documents', 'second')}
              {state === 'active' &&
                rotations.replacedBy === null &&
                buttonLink(`${path}/rotate`, 'Rotate', 'second')}
              {buttonLink(`${path}/rename`, 'Rename', 'second')}
              {works && buttonLink(`${path}/revoke`, 'Revoke', 'second danger')}
            </div>
          ),
          main: (
            <>
              {state === 'disabled' && (
                <Notice tone="wrong">
                  This key is disabled under the <a href="/dashboard/policy">acceptable-use policy</a>
                  {disabledReason !== null && <>: {disabledReason}</>}. Requests with it get a 403 response.
                </Notice>
              )}
              {
                await keyDetails(services, { key, ...rotations }, KEYS_PATH, [
                  ['GraphQL documents', key.trustedOnly ? 'published ones only' : 'any'],
                  ['Policy accepted', `version ${key.policyVersion}`],
                ])
              }
              {key.tier === 'standard' && premiumText(services)}
            </>
          ),
        };
      },
    }),
    page({
      path: `${PATH}/rename`,
      load: ownKey,
      view: (visit, { name }) =>
        formPage(visit, {
          title: 'Rename key',
          back: name,
          button: 'Rename key',
          children: field({
            ...{ name: 'name', label: 'Name', value: name, sent: visit.sent },
            maxLength: KEY_NAME_MAX,
            isFirst: true,
          }),
        }),
      forms: {
        '': async ({ acting, form, up }, { id }) => {
          await renameKey(acting, id, (form.name ?? '').trim());
          return `${up}?notice=renamed`;
        },
      },
    }),
    page({
      path: `${PATH}/revoke`,
      load: ownKey,
      view: (visit, { name, prefix }) =>
        formPage(visit, {
          title: 'Revoke this key?',
          back: name,
          isDanger: true,
          button: 'Revoke key',
          children: (
            <p>
              Within a second, requests with <strong>{name}</strong> (<span class="mono">{prefix}…</span>) get
              a 401 response. Its published documents are removed, unless a key that replaced it still works.
              This cannot be undone.
            </p>
          ),
        }),
      forms: {
        '': async ({ acting, id }) => {
          await revokeKey(acting, id);
          return `${KEYS_PATH}?notice=revoked`;
        },
      },
    }),
  ];
}

/** What the other tier gives, and whom to ask for it. */
function premiumText({ limits, service: { contact } }: Services) {
  return (
    <p class="soft">
      Premium keys have {limits.premium} requests a minute.{' '}
      {contact === undefined ? (
        'Ask the operator of this server.'
      ) : (
        <>
          To get one, <a href={contactUrl(contact)}>contact us</a>.
        </>
      )}
    </p>
  );
}
