import { isEmbedKey, type KeySummary } from '../../../access/keys/key.ts';
import { FAILURES_KEPT_DAYS, readFailures } from '../../../access/usage/failures.ts';
import { readUsageByOrigin } from '../../../access/usage/read.ts';
import type { Services } from '../../page/services.ts';
import { type Column, Table } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Content } from '../../shared/jsx.ts';
import { time, timeText } from '../../shared/time.tsx';
import { DAY_MS, outcomeColumns, statusBadge } from './usage-views.tsx';

type Failures = Awaited<ReturnType<typeof readFailures>>[number];

const failureColumns: readonly Column<Failures>[] = [
  [
    'Error',
    ({ code, status }) => (
      <>
        {statusBadge(status)} <span class="mono small">{code}</span>
      </>
    ),
  ],
  [
    'Request',
    ({ target, parameters }) => (
      <>
        {target === '' ? 'Any request' : <span class="mono small">{target}</span>}
        {parameters !== '' && <span class="soft small"> Invalid: {parameters}</span>}
      </>
    ),
    'line',
  ],
  [
    'Count',
    ({ requests, firstAt }) => <span title={`Since ${timeText(firstAt, 'minute')}`}>{count(requests)}</span>,
    'number',
  ],
  ['Last', ({ lastAt }) => time(lastAt, 'minute')],
  [
    'Last request ID',
    ({ requestId, traceId }) => (
      <span class="mono small">
        {requestId} {traceId !== undefined && <span class="soft">Trace {traceId}</span>}
      </span>
    ),
    'line',
  ],
];

/** The failed requests of a key, and of an embed key also who used it. */
export async function failedRequests(
  { prisma, now }: Pick<Services, 'prisma' | 'now'>,
  key: KeySummary,
): Promise<Content> {
  const groups = await readFailures(prisma, key.id, now());
  const since = new Date(now() - FAILURES_KEPT_DAYS * DAY_MS);
  const origins = isEmbedKey(key) ? await readUsageByOrigin(prisma, key.id, since) : [];
  return [
    <section class="card" id="failed-requests">
      <h2>Failed requests</h2>
      {groups.length === 0 ? (
        <p class="soft">No request failed in the last {FAILURES_KEPT_DAYS} days.</p>
      ) : (
        <Table
          layout="entries"
          caption={`Last ${FAILURES_KEPT_DAYS} days, newest first. Requests that failed in the same way share a row.`}
          columns={failureColumns}
          rows={groups}
        />
      )}
    </section>,
    origins.length > 0 && (
      <section class="card" id="origins">
        <h2>Origins</h2>
        <Table
          layout="entries"
          caption={`Last ${FAILURES_KEPT_DAYS} days`}
          columns={[
            ['Origin', ({ origin }) => (origin === 'other' ? 'other: not allowed, or no web page' : origin)],
            ...outcomeColumns,
          ]}
          rows={origins}
        />
      </section>
    ),
  ];
}
