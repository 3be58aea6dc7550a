import { type DurationRow, percentile, type UsageRow, type UsageTotal } from '../../../access/usage/read.ts';
import { durationEnds } from '../../../access/usage/recorder.ts';
import { isErrorStatus, REFUSED_STATUS } from '../../../access/usage/store.ts';
import { CLIENT_LEFT } from '../../../lib/http/request-response.ts';
import { asTable, barPlot } from '../../shared/charts.tsx';
import { Badge, type Column, type Figure, Figures, Table } from '../../shared/components.tsx';
import { count, share } from '../../shared/figures.tsx';
import type { Html } from '../../shared/jsx.ts';
import { tickText, time, timeText } from '../../shared/time.tsx';

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The periods that a page of usage can show, up to now. */
export const periods = {
  '24h': { label: '24 hours', bucket: 'an hour', step: HOUR_MS, count: 24 },
  '7d': { label: '7 days', bucket: '6 hours', step: 6 * HOUR_MS, count: 28 },
  '30d': { label: '30 days', bucket: 'a day (UTC)', step: DAY_MS, count: 30 },
  '90d': { label: '90 days', bucket: 'a day (UTC)', step: DAY_MS, count: 90 },
} as const;

/** A period divided for a chart; all of its times are in UTC, `bucket` says how long a bucket is, `starts` are in order. */
type Period = ReturnType<typeof dividePeriod>;

/** Divides a period that ends now, by default 24 hours; the last bucket is not over. */
export function dividePeriod(asked: string | undefined, now: number) {
  const name = asked !== undefined && Object.hasOwn(periods, asked) ? (asked as keyof typeof periods) : '24h';
  const { label, bucket, step, count } = periods[name];
  const first = now - (now % step) - (count - 1) * step;
  const starts = Array.from({ length: count }, (_, index) => new Date(first + index * step));
  const [since, until] = [new Date(first), new Date(first + count * step)];
  return { name, label: `in the last ${label}`, bucket, step, since, until, starts };
}

/** Sums rows by their outcome. Those that the limit rejected are `refused`, and count as no errors; nor do those whose
 * clients left, which are in none but the sum of all. */
export function tally(rows: readonly Pick<UsageRow, 'status' | 'requests'>[]) {
  const sums = { requests: 0, succeeded: 0, errors: 0, refused: 0 };
  for (const { status, requests } of rows) {
    const outcome = status === REFUSED_STATUS ? 'refused' : isErrorStatus(status) ? 'errors' : 'succeeded';
    sums.requests += requests;
    if (status !== CLIENT_LEFT) {
      sums[outcome] += requests;
    }
  }
  return sums;
}

/** A number of requests with its share of all. */
export const shareFigure = (label: string, number: number, all: number): Figure => [
  label,
  [count(number), ' ', all > 0 && <span class="unit">{share(number / all)}</span>],
];

/** The headline figures of some rows. */
export function usageFigures(rows: readonly UsageRow[], durations: readonly DurationRow[]): Html {
  const { requests, succeeded, errors, refused } = tally(rows);
  const duration = (part: number): Figure => [
    <span title="Of requests within the limit: from their first line until the response is ready">
      Latency p{part * 100}
    </span>,
    durationText(percentile(durations, part)),
  ];
  return (
    <Figures
      figures={[
        ['Requests', count(requests)],
        shareFigure('Succeeded', succeeded, requests),
        shareFigure('Errors', errors, requests),
        shareFigure('Rate limited', refused, requests),
        duration(0.5),
        duration(0.95),
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
  return `${isBounded ? '<' : '>'} ${ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`}`;
}

/** The columns of requests by what became of them. */
export const outcomeColumns: readonly Column<UsageTotal>[] = [
  ['Requests', ({ requests }) => count(requests), 'number'],
  ['Errors', ({ errors }) => count(errors), 'number'],
  ['Rate limited', ({ refused }) => count(refused), 'number'],
];

/** What becomes of requests, as the parts of a bar from below, and what each is called. */
const outcomes = [
  ['succeeded', 'succeeded'],
  ['errors', 'errors'],
  ['refused', 'rate limited'],
] as const;

/** The requests of some keys in a period, with a table behind the chart. */
export function usageChart({ bucket, label, starts, step }: Period, rows: readonly UsageRow[]): Html {
  const precision = step === DAY_MS ? 'day' : 'minute';
  const bars = starts.map((start) => ({
    start,
    ...tally(rows.filter((row) => row.start.getTime() === start.getTime())),
  }));
  const all = tally(rows);
  const most = bars.reduce((one, other) => (other.requests > one.requests ? other : one));
  return (
    <section class="card chart">
      <div class="heading sub">
        <h2 id="requests">Requests {label} (UTC)</h2>
        <p class="legend">
          {outcomes.map(([tone, name]) => (
            <span>
              <span class={`key ${tone}`} />
              {name}
            </span>
          ))}
        </p>
      </div>
      {all.requests === 0 ? (
        <p class="soft">No requests {label}.</p>
      ) : (
        [
          barPlot({
            id: 'requests',
            summary: `${count(all.requests)} requests, ${count(all.refused)} of them rate limited. Most in ${bucket}: ${count(most.requests)}, from ${timeText(most.start, precision)}.`,
            bars: bars.map((bar) => ({
              label: timeText(bar.start, precision),
              parts: outcomes.map(([tone, name]) => [tone, name, bar[tone]]),
            })),
            tick: (index) => tickText((bars[index] as (typeof bars)[number]).start, precision),
          }),
          asTable(
            <Table
              layout="scroll"
              box="Requests in numbers"
              caption={`Newest first; each row is ${bucket}. Rows without requests are left out.`}
              columns={[['From', ({ start }) => time(start, precision)], ...outcomeColumns]}
              rows={bars.filter(({ requests }) => requests > 0).reverse()}
            />,
          ),
        ]
      )}
    </section>
  );
}

const surfaceNames: Readonly<Record<string, string>> = {
  rest: 'REST',
  graphql: 'GraphQL',
  mcp: 'MCP',
  feed: 'Feeds',
};

/** Requests by surface and status. */
export function responsesTable({ label }: Period, rows: readonly UsageRow[]): Html {
  const sums = new Map<string, Pick<UsageRow, 'surface' | 'status' | 'requests'>>();
  for (const { surface, status, requests } of rows) {
    const name = `${surface} ${status}`;
    sums.set(name, { surface, status, requests: (sums.get(name)?.requests ?? 0) + requests });
  }
  return (
    <section class="card">
      <h2>Responses</h2>
      {sums.size === 0 ? (
        <p class="soft">No requests {label}.</p>
      ) : (
        <Table
          layout="scroll"
          box="Responses"
          caption="Responses by API and status"
          isCaptionHidden
          columns={[
            ['API', ({ surface }) => surfaceNames[surface] ?? surface],
            ['Status', ({ status }) => statusBadge(status)],
            ['Requests', ({ requests }) => count(requests), 'number'],
          ]}
          rows={[...sums.values()].sort((a, b) => b.requests - a.requests)}
        />
      )}
    </section>
  );
}

/** A status of HTTP: 429 has the same colour everywhere. */
export function statusBadge(status: number): Html {
  const isRefused = status === REFUSED_STATUS;
  const tone = status < 400 ? 'good' : isRefused ? 'refused' : isErrorStatus(status) ? 'bad' : 'warn';
  return <Badge tone={tone}>{status}</Badge>;
}
