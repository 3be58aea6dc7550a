import { listKeys } from '../../../access/keys/list.ts';
import { readLastUse } from '../../../access/usage/read.ts';
import { page as pageOf, readPage } from '../../../db/read-page.ts';
import { CodeBlock, CopyStatus } from '../../shared/code-blocks.tsx';
import { FIRST_REQUEST, languages, writeSample } from '../../shared/code-samples.ts';
import { buttonLink, EmptyState, ListTable, Pager } from '../../shared/components.tsx';
import { highlight } from '../../shared/highlight.tsx';
import type { Html } from '../../shared/jsx.ts';
import { page } from '../page.ts';
import type { Services } from '../services.ts';
import { keyColumns, withUsage } from './key-parts.tsx';

export const KEYS_PATH = '/dashboard/keys';
/** Of a page. */
const ENDED_KEYS = 25;

/** The keys of a visitor: first those that work, then those that have ended. */
export function keyListPages(services: Services) {
  const { prisma, origin, now } = services;
  return [
    page({
      path: KEYS_PATH,
      view: async ({ visitor, acting, query }) => {
        const wanted = { page: readPage(query('ended')), size: ENDED_KEYS };
        const working = await listKeys(acting, { which: 'working' });
        const ended = await pageOf(wanted, async ({ skip, take }) =>
          (await listKeys(acting, { which: 'ended', newest: take, skip })).reverse(),
        );
        const hasKey = working.length > 0;
        const isNew = (await readLastUse(prisma, visitor.id)) === null;
        const newKey = buttonLink(`${KEYS_PATH}/new`, hasKey ? 'New key' : 'Create a key');
        return {
          title: 'Keys',
          ...(hasKey && { action: newKey }),
          main: (
            <>
              {isNew && hasKey && firstRequest(origin)}
              {hasKey ? (
                <ListTable
                  caption="Working keys"
                  isCaptionHidden
                  isCompact
                  columns={keyColumns(KEYS_PATH, now())}
                  rows={await withUsage(services, working.toReversed())}
                />
              ) : (
                <EmptyState title={isNew ? 'Get started' : 'No working key'}>
                  <p class="soft">
                    One key works for GraphQL and REST. Create one for each program that sends requests.
                  </p>
                  <p>{newKey}</p>
                </EmptyState>
              )}
              {(ended.items.length > 0 || wanted.page > 1) && (
                <details class="ended" id="ended" open={wanted.page > 1}>
                  <summary>Revoked and expired keys</summary>
                  <ListTable
                    caption="Keys that no longer work"
                    isCaptionHidden
                    isCompact
                    columns={keyColumns(KEYS_PATH, now())}
                    rows={await withUsage(services, ended.items)}
                  />
                  <Pager
                    page={wanted.page}
                    hasMore={ended.hasMore}
                    label="Pages of revoked and expired keys"
                    isByTime
                    link={(to) => `${KEYS_PATH}?ended=${to}#ended`}
                  />
                </details>
              )}
            </>
          ),
        };
      },
    }),
  ];
}

const firstRequest = (origin: string): Html => (
  <section class="card" aria-labelledby="first-request">
    <div class="heading sub">
      <h2 id="first-request">Send a request</h2>
      <CopyStatus />
    </div>
    <CodeBlock id="first-command" label="First request" title={languages.curl}>
      {highlight('curl', writeSample.curl({ origin, request: FIRST_REQUEST }))}
    </CodeBlock>
    <p class="soft">This stays here until a request with one of your keys was received.</p>
  </section>
);
