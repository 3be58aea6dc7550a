import { Hono } from 'hono';
import { findPolicyAcceptance } from '../../../access/accounts/change.ts';
import { listKeys } from '../../../access/keys/list.ts';
import { readLastUse } from '../../../access/usage/read.ts';
import { page, readPage } from '../../../db/read-page.ts';
import { buttonLink, EmptyState, ListTable, Pager } from '../../shared/components.tsx';
import { piece, type SignedInContext, type SignedInEnv } from '../page.ts';
import { actingFor, type Services } from '../services.ts';
import { checklist, FIRST_REQUEST_PATH, firstRequest } from './checklist.tsx';
import { endedKeyColumns } from './key-details.tsx';
import { ALL_KEYS } from './key-pages.tsx';
import { idleHint, usedKeyTable, withUsage } from './key-usage.tsx';

/** Of a page. */
const ENDED_KEYS = 25;

const NEW_KEY = buttonLink('/dashboard/keys/new', 'New key');

/** The keys of a visitor: first those that work, then those that have ended. */
export function keyListRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma, policy, origin, now } = services;

  const list = async (context: SignedInContext): Promise<Response> => {
    const { visitor } = context.var;
    const acting = actingFor(services, visitor);
    const wanted = { page: readPage(context.req.query('ended')), size: ENDED_KEYS };
    const working = await listKeys(acting, { which: 'working' });
    const used = await withUsage(services, working.toReversed());
    const ended = await page(wanted, async ({ skip, take }) =>
      (await listKeys(acting, { which: 'ended', newest: take, skip })).reverse(),
    );
    const hasEnded = ended.items.length > 0 || wanted.page > 1;
    const hasKey = working.length > 0;
    const isNew = (await readLastUse(prisma, visitor.id)) === null;
    return context.render({
      title: 'Keys',
      ...((hasKey || hasEnded) && { action: NEW_KEY }),
      // The checklist polls whether a request arrived.
      connects: isNew && hasKey,
      main: (
        <>
          {isNew &&
            checklist({
              acceptedAt: await findPolicyAcceptance(prisma, visitor.id, policy.version),
              hasKey,
              origin,
            })}
          {hasKey && usedKeyTable(ALL_KEYS.path, used, now())}
          {idleHint(used)}
          {!hasKey && !isNew && (
            <EmptyState title="No working key">
              <p class="soft">
                All your keys are revoked or expired. Create a key for each program that sends requests.
              </p>
              <p>{NEW_KEY}</p>
            </EmptyState>
          )}
          {hasEnded && (
            <details class="ended" id="ended" open={wanted.page > 1}>
              <summary>Revoked and expired keys</summary>
              <ListTable
                caption="Keys that no longer work"
                isCaptionHidden
                columns={endedKeyColumns(ALL_KEYS.path)}
                rows={ended.items}
              />
              <Pager
                page={wanted.page}
                hasMore={ended.hasMore}
                label="Pages of revoked and expired keys"
                isByTime
                link={(to) => `${ALL_KEYS.path}?ended=${to}#ended`}
              />
            </details>
          )}
        </>
      ),
    });
  };

  /** Whether a request was received, without the page: a script requests it every few seconds. */
  const firstRequestPiece = async (context: SignedInContext): Promise<Response> =>
    piece(context, firstRequest(await readLastUse(prisma, context.var.visitor.id)));

  return new Hono<SignedInEnv>().get(ALL_KEYS.path, list).get(FIRST_REQUEST_PATH, firstRequestPiece);
}
