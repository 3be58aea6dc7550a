import { type CreatedKey, createKey, createKeyId } from '../../../access/keys/create.ts';
import { type Overlap, rotateKey } from '../../../access/keys/rotate.ts';
import { radioButtons, readOrigins, SITES_HINT, sitesField } from '../../page/forms.tsx';
import { page } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { keyNameField, once, shownOnce } from '../../parts/keys/new-key.tsx';
import { CodeBlock, copyHeading } from '../../shared/code-blocks.tsx';
import { Notice } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { pageLinks } from '../../shared/page-links.ts';
import { KEYS_PATH, NEW_KEY_PATH } from '../../shared/paths.ts';
import { timeOr } from '../../shared/time.tsx';
import { ownKey } from './own-key.ts';

/** The first is the default: no program that uses the old key stops working at once. */
const overlaps: readonly (readonly [overlap: Overlap, label: string])[] = [
  ['24h', 'After 24 hours'],
  ['1h', 'After an hour'],
  ['0', 'Now'],
];

/**
 * Forms that create a key, which is shown once. Each contains the id of the key that it creates, so that sending it twice
 * creates one.
 */
export function newKeyPages({ policy, origin, randomBytes }: Services) {
  return [
    page({
      path: NEW_KEY_PATH,
      needsPolicy: true,
      view: ({ sent }) => ({
        title: pageLinks.newKey.label,
        back: pageLinks.keys,
        action: KEYS_PATH,
        button: pageLinks.newKey.label,
        hidden: { id: createKeyId(randomBytes) },
        fields: [
          keyNameField({ isFirst: true }),
          {
            name: 'expires',
            label: 'Expires on (optional)',
            type: 'date',
            isRequired: false,
            hint: 'Expires at 00:00 UTC on this date.',
          },
          sitesField(sent, {
            summary: 'Restrict to websites (embed key)',
            hint:
              `${SITES_HINT} Anyone can read a key in a web page, so an embed key works on these sites only, and only ` +
              'for documents that you publish for it.',
          }),
        ],
      }),
      forms: {
        [KEYS_PATH]: ({ acting, visitor, form }) =>
          once(async () => {
            const origins = readOrigins(form);
            const key = await createKey(acting, {
              id: form.id,
              name: (form.name ?? '').trim(),
              expiresAt: form.expires || undefined,
              tier: 'standard',
              policyVersion: policy.version,
              acceptedBy: visitor.id,
              origins: origins.length === 0 ? undefined : origins,
            });
            return shownOnce(key, origin);
          }),
      },
    }),
    page({
      path: `${KEYS_PATH}/:id/rotate`,
      needsPolicy: true,
      load: ownKey,
      view: (_, { name }) => ({
        title: 'Rotate key',
        back: { name },
        button: 'Rotate key',
        hidden: { id: createKeyId(randomBytes) },
        text: 'A new key replaces this one. It has the same name, tier, expiry and documents. While both work, they share one limit.',
        children: radioButtons('Stop the old key', 'overlap', '24h', overlaps),
      }),
      act: ({ acting, id, form }) =>
        once(async () => {
          const { from, ...key } = await rotateKey(acting, id, form.overlap ?? '', form.id);
          const notice = (
            <Notice>
              This key replaces <span class="mono">{from.prefix}…</span>, which{' '}
              {from.state === 'revoked' ? (
                'is revoked'
              ) : (
                <>
                  works until {timeOr('never', from.expiresAt, 'minute')} and shares the limit of the new key
                </>
              )}
              .
            </Notice>
          );
          return shownOnce(key, origin, notice, replacedInPages(key));
        }),
    }),
  ];
}

/** What to change in the pages of an embed key that was rotated: its documents, and how they look, are as before. */
const replacedInPages = ({ key }: CreatedKey): Html => (
  <section class="card">
    {copyHeading('Replace the key in your pages')}
    <p>
      In each snippet, replace the attribute <code>embed-key</code>, and in addresses of feeds the key. The
      new key has the same documents, so everything else stays as it is.
    </p>
    <CodeBlock id="embed" label="Attribute with the new key" title="HTML" kind="whole">
      {`embed-key="${key}"`}
    </CodeBlock>
  </section>
);
