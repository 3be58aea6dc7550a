import type { Paged } from '../../../db/read-page.ts';
import { isEmbedKey } from '../../../keys/key.ts';
import type { ListedKey } from '../../../keys/list.ts';
import {
  Badge,
  buttonLink,
  type Column,
  EmptyState,
  ListTable,
  Notice,
  Pager,
} from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { time, timeOr } from '../../shared/time.tsx';
import type { Page } from '../page.ts';
import { keyBadge } from './state.tsx';

const NEW_KEY = buttonLink('/dashboard/keys/new', 'New key');

interface KeyList {
  /** Oldest first. */
  readonly working: readonly ListedKey[];
  /** A page of the keys that no longer work, newest first. */
  readonly ended: Paged<ListedKey> & { readonly page: number };
  /** The id of a key that was just revoked. */
  readonly revokedId: string | undefined;
  /** The steps before the first request; undefined once one was received. */
  readonly checklist: Html | undefined;
}

/** The keys of a visitor: first those that work, then those that have ended. */
export function keyListPage({ working, ended, revokedId, checklist }: KeyList): Page {
  const revoked = ended.items.find(({ id }) => id === revokedId);
  const hasEnded = ended.items.length > 0 || ended.page > 1;
  const isFirst = working.length === 0 && !hasEnded;
  return {
    title: 'Keys',
    ...(isFirst ? {} : { action: NEW_KEY }),
    // The checklist polls whether a request arrived.
    ...(checklist !== undefined && working.length > 0 ? { connects: true } : {}),
    main: (
      <>
        {revoked !== undefined && (
          <Notice>
            Key <strong>{revoked.name}</strong> is revoked. All servers reject it within a second.
          </Notice>
        )}
        {checklist}
        {working.length > 0
          ? keyTable('Working keys', [...working].reverse())
          : checklist === undefined && emptyList()}
        {hasEnded && endedKeys(ended)}
      </>
    ),
  };
}

function endedKeys({ items, page, hasMore }: KeyList['ended']): Html {
  return (
    <details class="ended" id="ended" open={page > 1}>
      <summary>Revoked and expired keys</summary>
      {keyTable('Keys that no longer work', items)}
      <Pager
        page={page}
        hasMore={hasMore}
        label="Pages of revoked and expired keys"
        isByTime
        link={(to) => `/dashboard/keys?ended=${to}#ended`}
      />
    </details>
  );
}

function emptyList(): Html {
  return (
    <EmptyState title="No working key">
      <p class="soft">
        All your keys are revoked or expired. Create a key for each program that sends requests.
      </p>
      <p>{NEW_KEY}</p>
    </EmptyState>
  );
}

function keyTable(caption: string, keys: readonly ListedKey[]): Html {
  return <ListTable caption={caption} isCaptionHidden columns={columns} rows={keys} />;
}

const columns: readonly Column<ListedKey>[] = [
  ['Name', ({ id, name }) => <a href={`/dashboard/keys/${id}`}>{name}</a>],
  [
    'Key',
    (key) => (
      <>
        <span class="mono">{key.prefix}…</span> {isEmbedKey(key) && <Badge>embed</Badge>}
      </>
    ),
  ],
  ['State', ({ state }) => keyBadge(state)],
  ['Tier', ({ tier }) => tier],
  ['Created', ({ createdAt }) => time(createdAt)],
  ['Ends', ({ revokedAt, expiresAt }) => timeOr('never', revokedAt ?? expiresAt)],
  ['Last used', ({ lastUsedAt }) => timeOr('never', lastUsedAt, 'minute')],
];
