import { renameKey, revokeKey, setKeyOrigins } from '../../../access/keys/change.ts';
import { getKey, isEmbedKey, KEY_NAME_MAX, listKeys } from '../../../access/keys/key.ts';
import { readLastUse } from '../../../access/usage/read.ts';
import { page as pageOf } from '../../../db/read-page.ts';
import { UnknownError } from '../../../lib/errors.ts';
import { nameField, readOrigins } from '../../page/forms.tsx';
import { withNotice } from '../../page/notices.ts';
import { FieldErrors, page, type Visit } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { keyColumns, keyDetails, keysTable, premiumText, withUsage } from '../../parts/keys/key-parts.tsx';
import { listTable, readSearch } from '../../parts/lists/lists.tsx';
import { commandBlock, copyHeading } from '../../shared/code-blocks.tsx';
import { FIRST_REQUEST, writeSample } from '../../shared/code-samples.ts';
import { buttonLink, EmptyState, Notice } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { pageLinks } from '../../shared/page-links.ts';
import { KEYS_PATH, usagePath } from '../../shared/paths.ts';

const PATH = `${KEYS_PATH}/:id`;

/** The key that a page is about: one of the visitor's own. @throws UnknownError for that of another. */
export const ownKey = ({ acting, id }: Visit) => getKey(acting, id);

/** The same for an embed key. @throws UnknownError for a secret key, which has no origins. */
const ownEmbedKey = async (visit: Visit) => {
  const key = await ownKey(visit);
  if (!isEmbedKey(key)) {
    throw new UnknownError(`Key ${key.id} has no origins.`);
  }
  return key;
};

/** The pages of a visitor's own keys. The id of another's key gets a 404. */
export function keyPages(services: Services) {
  const { prisma, node, origin, now } = services;
  return [
    page({
      path: KEYS_PATH,
      view: async ({ context, visitor, acting }) => {
        const wanted = readSearch(context);
        await node.usage.store();
        const working = await listKeys(acting, { which: 'working' });
        const ended = await pageOf(wanted, async ({ skip, take }) =>
          (await listKeys(acting, { which: 'ended', newest: take, skip })).reverse(),
        );
        const hasKey = working.length > 0;
        const isNew = (await readLastUse(prisma, visitor.id)) === null;
        const newKey = buttonLink(`${KEYS_PATH}/new`, hasKey ? 'New key' : 'Create a key');
        return {
          title: pageLinks.keys.label,
          ...(hasKey && { action: newKey }),
          main: [
            hasKey ? (
              await keysTable(services, KEYS_PATH, 'Working keys', working.toReversed())
            ) : (
              <EmptyState
                title={isNew ? 'Create your first key' : 'No working key'}
                text="One key works for GraphQL and REST. Create one for each program that sends requests."
              >
                {newKey}
              </EmptyState>
            ),
            isNew && firstRequest(origin),
            (ended.items.length > 0 || wanted.page > 1) && (
              <details open={wanted.page > 1}>
                <summary>Revoked and expired keys</summary>
                {listTable(
                  context,
                  { ...ended, items: await withUsage(services, ended.items) },
                  keyColumns(KEYS_PATH, now()),
                )}
              </details>
            ),
          ],
        };
      },
    }),
    page({
      path: PATH,
      load: ownKey,
      view: async ({ path }, key) => {
        const { id, name, state, disabledReason } = key;
        const works = state === 'active' || state === 'disabled';
        const details = await keyDetails(services, key, KEYS_PATH, [
          ['GraphQL documents', key.trustedOnly ? 'Published ones only' : 'Any'],
          ['Policy accepted', `Version ${key.policyVersion}`],
        ]);
        return {
          title: name,
          back: pageLinks.keys,
          action: (
            <div class="actions">
              <div class="actions">
                {buttonLink(usagePath(id), pageLinks.usage.label, 'second')}
                {buttonLink(`${path}/documents`, pageLinks.documents.label, 'second')}
              </div>
              <div class="actions">
                {state === 'active' &&
                  !details.isReplaced &&
                  buttonLink(`${path}/rotate`, 'Rotate', 'second')}
                {works && isEmbedKey(key) && buttonLink(`${path}/origins`, 'Origins', 'second')}
                {buttonLink(`${path}/rename`, 'Rename', 'second')}
                {works && buttonLink(`${path}/revoke`, 'Revoke', 'second danger')}
              </div>
            </div>
          ),
          main: [
            state === 'disabled' && (
              <Notice tone="wrong">
                This key is disabled under the <a href="/dashboard/policy">acceptable-use policy</a>
                {disabledReason !== null && <>: {disabledReason}</>}. Requests with it get a 403 response.
              </Notice>
            ),
            details.html,
            key.tier === 'standard' && premiumText(services),
          ],
        };
      },
    }),
    page({
      path: `${PATH}/rename`,
      load: ownKey,
      view: (_, { name }) => ({
        title: 'Rename key',
        back: { name },
        button: 'Rename key',
        fields: [nameField({ value: name, maxLength: KEY_NAME_MAX })],
      }),
      act: async ({ acting, form, up }, { id }) => {
        await renameKey(acting, id, (form.name ?? '').trim());
        return withNotice(up, 'renamed');
      },
    }),
    page({
      path: `${PATH}/origins`,
      load: ownEmbedKey,
      view: (_, { name, origins }) => ({
        title: 'Change origins',
        back: { name },
        button: 'Change origins',
        fields: [
          {
            name: 'origins',
            label: 'Your websites, one per line',
            rows: 5,
            value: origins.join('\n'),
            hint: 'For example https://example.com. The key works on pages of these origins only, within a second.',
          },
        ],
      }),
      act: async ({ acting, form, up }, { id }) => {
        const origins = readOrigins(form.origins);
        if (origins.length === 0) {
          throw new FieldErrors({ origins: 'Enter the origin of each page, such as https://example.com.' });
        }
        await setKeyOrigins(acting, id, origins);
        return withNotice(up, 'origins');
      },
    }),
    page({
      path: `${PATH}/revoke`,
      load: ownKey,
      view: (_, { name, prefix }) => ({
        title: 'Revoke this key?',
        back: { name },
        isDanger: true,
        button: 'Revoke key',
        text: (
          <>
            Within a second, requests with <strong>{name}</strong> (<span class="mono">{prefix}…</span>) get a
            401 response. Its published documents are removed, unless a key that replaced it still works. This
            cannot be undone.
          </>
        ),
      }),
      act: async ({ acting, id }) => {
        await revokeKey(acting, id);
        return withNotice(KEYS_PATH, 'revoked');
      },
    }),
  ];
}

const firstRequest = (origin: string): Html => (
  <section class="card" aria-label="Send a request">
    {copyHeading('Send a request')}
    {commandBlock('first-command', 'First request', writeSample.curl({ origin, request: FIRST_REQUEST }))}
    <p class="soft">This stays here until we receive a request with one of your keys.</p>
  </section>
);
