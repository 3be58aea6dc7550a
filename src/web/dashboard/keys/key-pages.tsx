import { renameKey, revokeKey, setKeyOrigins } from '../../../access/keys/change.ts';
import { isEmbedKey, KEY_NAME_MAX, listKeys } from '../../../access/keys/key.ts';
import { readLastUse } from '../../../access/usage/read.ts';
import { page as pageOf } from '../../../db/read-page.ts';
import { UnknownError } from '../../../lib/errors.ts';
import { nameField, requireOrigins, sitesField } from '../../page/forms.tsx';
import { withNotice } from '../../page/notices.ts';
import { page, type Visit } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { keyColumns, keyDetails, keysTable, premiumText, withUsage } from '../../parts/keys/key-parts.tsx';
import { listTable, readSearch } from '../../parts/lists/lists.tsx';
import { commandBlock, copyHeading } from '../../shared/code-blocks.tsx';
import { FIRST_REQUEST, writeSample } from '../../shared/code-samples.ts';
import { buttonLink, EmptyState, Notice } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { pageLinks } from '../../shared/page-links.ts';
import { EMBEDS_PATH, KEYS_PATH, usagePath } from '../../shared/paths.ts';
import { Popup } from '../../shared/popup.tsx';

import { documentList, publishDocument } from './document-pages.tsx';
import { ownKey } from './own-key.ts';

const PATH = `${KEYS_PATH}/:id`;

/** The same for an embed key. @throws UnknownError for a secret key, which has no sites. */
const ownEmbedKey = async (visit: Visit) => {
  const key = await ownKey(visit);
  if (!isEmbedKey(key)) {
    throw new UnknownError(`Key ${key.id} has no sites.`);
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
        const all = await listKeys(acting, { which: 'working' });
        const working = all.filter((key) => !isEmbedKey(key));
        const ended = await pageOf(wanted, async ({ skip, take }) =>
          (await listKeys(acting, { which: 'ended', newest: take, skip })).reverse(),
        );
        const hasKey = working.length > 0;
        const isNew = (await readLastUse(prisma, visitor.id)) === null;
        const newKey = buttonLink(pageLinks.newKey.path, pageLinks.newKey.label);
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
            all.length > working.length && (
              <p class="soft">
                Keys for web pages are with their <a href={EMBEDS_PATH}>embeds</a>.
              </p>
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
      view: async (visit, key) => {
        const { path } = visit;
        const { id, name, state, disabledReason } = key;
        const works = state === 'active' || state === 'disabled';
        const details = await keyDetails(services, key, KEYS_PATH, [
          ['GraphQL documents', key.trustedOnly ? 'Published ones only' : 'Any'],
          ['Policy accepted', `Version ${key.policyVersion}`],
        ]);
        return {
          title: name,
          back: isEmbedKey(key) ? pageLinks.embeds : pageLinks.keys,
          action: (
            <div class="actions">
              {buttonLink(usagePath(id), pageLinks.usage.label, 'second')}
              {state === 'active' && !details.isReplaced && buttonLink(`${path}/rotate`, 'Rotate', 'second')}
              <Popup id="more" label="More" look="second" kind="items">
                {works && isEmbedKey(key) && <a href={`${path}/origins`}>Change sites</a>}
                <a href={`${path}/rename`}>Rename</a>
                {works && (
                  <a class="danger" href={`${path}/revoke`}>
                    Revoke
                  </a>
                )}
              </Popup>
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
            await documentList(services, visit, key),
            key.tier === 'standard' && premiumText(services),
          ],
        };
      },
      forms: { '/documents': (visit, key) => publishDocument(services, visit, key) },
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
      view: ({ sent }, { name, origins }) => ({
        title: 'Change sites',
        back: { name },
        button: 'Change sites',
        text: 'Within a second, the key works on pages of these sites only.',
        fields: [sitesField(sent, {}, origins)],
      }),
      act: async ({ acting, form, up }, { id }) => {
        await setKeyOrigins(acting, id, requireOrigins(form));
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
      act: async ({ acting, id }, key) => {
        await revokeKey(acting, id);
        return withNotice(isEmbedKey(key) ? EMBEDS_PATH : KEYS_PATH, 'revoked');
      },
    }),
  ];
}

const firstRequest = (origin: string): Html => (
  <section class="card" aria-label="Send a request">
    {copyHeading('Send a request')}
    {commandBlock('first-command', 'First request', writeSample.curl({ origin, request: FIRST_REQUEST }))}
    <p class="soft">This disappears after the first request with one of your keys.</p>
  </section>
);
