import type { KeySummary } from '../../../access/keys/key.ts';
import type { ListedKey } from '../../../access/keys/list.ts';
import type { RateLimitState } from '../../../access/limits/limiter.ts';
import { type DurationRow, percentile, type UsageRow, type UsageTotal } from '../../../access/usage/read.ts';
import { durationEnds } from '../../../access/usage/recorder.ts';
import { isErrorStatus, REFUSED_STATUS } from '../../../access/usage/store.ts';
import { barChart } from '../../shared/bar-chart.tsx';
import { cellBar } from '../../shared/charts.tsx';
import {
  Badge,
  type Column,
  type Figure,
  Figures,
  ListTable,
  Table,
  Tabs,
} from '../../shared/components.tsx';
import { count, share } from '../../shared/figures.tsx';
import type { Html } from '../../shared/jsx.ts';
import { time, timeText } from '../../shared/time.tsx';
import { gauge, lastUse } from '../keys/key-usage.tsx';
import { atQuery, type Period, periods, type Tally, tally } from './buckets.ts';

/** The choice of a period, as links. */
export function periodChoice(path: string, { query, label }: Period): Html {
  const usual = Object.entries(periods).map(([name, period]) => [`period=${name}`, period.label] as const);
  const isUsual = usual.some(([name]) => name === query);
  // A day or an hour, to which a chart led.
  const shown = isUsual ? usual : [...usual, [query, label.replace(/^on /, '')] as const];
  return (
    <Tabs
      label="Period"
      className="views"
      tabs={shown.map(([name, text]) => ({
        path: `${path}?${name}`,
        label: text,
        isCurrent: name === query,
      }))}
    />
  );
}

/** The headline figures of some rows. */
export function usageFigures(rows: readonly UsageRow[], durations: readonly DurationRow[]): Html {
  const { requests, succeeded, errors, refused } = tally(rows);
  const figure = (label: string, number: number): Figure => [
    label,
    <>
      {count(number)} {requests > 0 && <span class="unit">{share(number / requests)}</span>}
    </>,
  ];
  return (
    <Figures
      figures={[
        ['Requests', count(requests)],
        figure('Succeeded', succeeded),
        figure('Errors', errors),
        figure('Rate limited', refused),
        ...[0.5, 0.95].map(
          (share): Figure => [
            <span title="Of requests within the limit: from their first line until the response is ready">
              Duration p{share * 100}
            </span>,
            durationText(percentile(durations, share)),
          ],
        ),
      ]}
    />
  );
}

/** The range of a duration in words, by its upper end in ms. */
function durationText(upTo: number | undefined): string {
  if (upTo === undefined) {
    return '–';
  }
  const isBounded = Number.isFinite(upTo);
  const ms = isBounded ? upTo : (durationEnds.at(-1) as number);
  return `${isBounded ? '≤' : '>'} ${ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`}`;
}

/**
 * The requests of some keys in a period, with a table behind the chart.
 *
 * @param path of the page that shows those of one day or hour, if there is one.
 */
export function usageChart(period: Period, rows: readonly UsageRow[], path?: string): Html | null {
  const { bucket, label, starts } = period;
  // Of an hour, the figures say the same.
  if (starts.length === 1) {
    return null;
  }
  const bars = starts.map((start) => ({
    start,
    href: path === undefined ? undefined : `${path}?${atQuery(start, bucket)}`,
    ...tally(rows.filter((row) => row.start.getTime() === start.getTime())),
  }));
  const all = tally(rows);
  const precision = bucket === 'day' ? 'day' : 'minute';
  const most = bars.reduce((one, other) => (other.requests > one.requests ? other : one));
  const peak =
    most.requests === 0
      ? ''
      : ` Most in ${bucketNames[bucket]}: ${count(most.requests)}, from ${timeText(most.start, precision)}.`;
  const columns: readonly Column<Tally & { start?: Date; href?: string | undefined }>[] = [
    [
      'From',
      ({ start, href }) => {
        const from = start === undefined ? 'Total' : time(start, precision);
        return href === undefined ? from : <a href={href}>{from}</a>;
      },
    ],
    ['Requests', ({ requests }) => count(requests), 'number'],
    ['Succeeded', ({ succeeded }) => count(succeeded), 'number'],
    ['Errors', ({ errors }) => count(errors), 'number'],
    ['Rate limited', ({ refused }) => count(refused), 'number'],
  ];
  return barChart({
    id: 'requests',
    title: `Requests ${label}`,
    summary: `${count(all.requests)} requests, ${count(all.refused)} of them rate limited.${peak}`,
    rate: 'Error rate',
    bars,
    precision,
    table:
      all.requests === 0 ? (
        <p class="soft">No requests {label}.</p>
      ) : (
        <div class="scroll" tabindex="0" role="region" aria-label="Requests in numbers">
          <Table
            caption={`Newest first; each row is ${bucketNames[bucket]}. Rows without requests are left out.`}
            columns={columns}
            rows={[...bars.filter(({ requests }) => requests > 0).reverse(), all]}
          />
        </div>
      ),
  });
}

const bucketNames: Readonly<Record<Period['bucket'], string>> = {
  hour: 'an hour',
  '6 hours': '6 hours',
  day: 'a day (UTC)',
};

const surfaceNames: Readonly<Record<string, string>> = {
  rest: 'REST',
  graphql: 'GraphQL',
  mcp: 'MCP',
  feed: 'Feeds',
};

/** Requests by surface and status, with bars to compare them. */
export function responsesTable({ label }: Period, rows: readonly UsageRow[]): Html {
  const sums = new Map<string, { surface: string; status: number; requests: number }>();
  for (const { surface, status, requests } of rows) {
    const name = `${surface} ${status}`;
    sums.set(name, { surface, status, requests: (sums.get(name)?.requests ?? 0) + requests });
  }
  const lines = [...sums.values()].sort((a, b) => b.requests - a.requests);
  const [most] = lines;
  return (
    <section class="card">
      <h2>Responses</h2>
      {most === undefined ? (
        <p class="soft">No requests {label}.</p>
      ) : (
        <Table
          caption="Responses by API and status"
          isCaptionHidden
          columns={[
            ['API', ({ surface }) => surfaceNames[surface] ?? surface],
            ['Status', ({ status }) => <Badge tone={statusTone(status)}>{status}</Badge>],
            [
              'Requests',
              ({ requests, status }) => (
                <span>
                  {count(requests)}
                  {cellBar(requests / most.requests, barTone(status))}
                </span>
              ),
              'number',
            ],
          ]}
          rows={lines}
        />
      )}
    </section>
  );
}

/** The tone of a badge with a status: 429 has the same one everywhere. */
export function statusTone(status: number): string {
  return status < 400
    ? 'good'
    : status === REFUSED_STATUS
      ? 'refused'
      : isErrorStatus(status)
        ? 'bad'
        : 'warn';
}

function barTone(status: number): 'plain' | 'bad' | 'refused' {
  return status === REFUSED_STATUS ? 'refused' : isErrorStatus(status) ? 'bad' : 'plain';
}

/** The rest of a key's limit in the current minute; undefined for a key that has ended. */
export function remainder(state: RateLimitState | undefined, now: number): Html {
  if (state === undefined) {
    return (
      <p class="left" data-final="">
        <strong>–</strong> this key no longer works
      </p>
    );
  }
  const { remaining, limit, resetAt } = state;
  const seconds = Math.max(0, Math.ceil((resetAt - now) / 1000));
  return (
    <>
      <p class="left">
        <strong>{count(remaining)}</strong> of {count(limit)} requests left
      </p>
      {cellBar(remaining / limit, remaining === 0 ? 'refused' : 'plain')}
      <p class="soft small">
        {remaining === limit ? (
          'The next request starts a window of 60 s.'
        ) : (
          <>The limit resets in {seconds} s.</>
        )}
      </p>
    </>
  );
}

/** The keys of an account, the requests with each, and the rest of its limit. */
export function keyUsageTable(
  { query, label }: Period,
  keys: readonly (ListedKey & {
    total: UsageTotal;
    left: RateLimitState | undefined;
    isReplaced: boolean;
  })[],
  now: number,
): Html {
  const most = Math.max(1, ...keys.map(({ total }) => total.requests));
  return (
    <ListTable
      caption={`Keys ${label}`}
      isCaptionHidden
      isCompact
      columns={[
        [
          'Key',
          ({ id, name, prefix, isReplaced }) => (
            <span class={isReplaced ? 'two-lines nested' : 'two-lines'}>
              <a href={`/dashboard/usage/${id}?${query}`}>{name}</a>
              <span class="soft">
                <span class="mono">{prefix}…</span> {isReplaced && 'replaced'}
              </span>
            </span>
          ),
        ],
        [
          'Requests',
          ({ total }) => (
            <span>
              {count(total.requests)}
              {cellBar(total.requests / most)}
            </span>
          ),
          'number',
        ],
        ['Errors', ({ total }) => count(total.errors), 'number'],
        ['Rate limited', ({ total }) => count(total.refused), 'number'],
        ['Left this minute', ({ left }) => gauge(left), 'number'],
        ['Last used', ({ lastUsedAt }) => lastUse(lastUsedAt, now)],
      ]}
      rows={keys}
    />
  );
}

/** The rest of a key's limit in the current minute, kept up to date by a script. */
export function leftCard({ id }: KeySummary, left: Html): Html {
  return (
    <section class="card live">
      <h2>This minute</h2>
      <div data-live={`/dashboard/usage/${id}/left`}>{left}</div>
    </section>
  );
}
