import { Counter, type Metric, type Registry } from 'prom-client';
import { type Tier, tiers } from '../../../access/limits/tiers.ts';
import { durationEnds, durationRange } from '../../../access/usage/recorder.ts';
import { errorStatuses } from '../../../lib/errors.ts';

const surfaces = ['rest', 'graphql', 'mcp', 'feed', 'page'] as const;
type Surface = (typeof surfaces)[number];

/** The counted properties of an answer. */
interface AnswerFacts {
  readonly surface: Surface;
  /** The status as which it is counted. */
  readonly outcome: number;
  /** The tier of the key; undefined without a valid one. */
  readonly tier: Tier | undefined;
  /** Whether the rate limit allowed it; undefined if it was not checked. */
  readonly admitted: boolean | undefined;
  /** ms. */
  readonly duration: number;
}

/** The answers of a surface. */
class Traffic {
  /** Each status of an error begins at 0. */
  readonly byStatus = new Map<number, number>(Object.values(errorStatuses).map((status) => [status, 0]));
  /** How many had a duration in each range. */
  readonly ranges = new Array<number>(durationEnds.length + 1).fill(0);
  milliseconds = 0;
}

/**
 * Counts answers. The returned function is called once for each: it only adds to numbers, which are given to prom-client
 * when metrics are read. Its own counters hash their labels at each call, which takes several µs.
 *
 * What can be known in advance begins at 0: a series that begins with 1 has not increased for Prometheus, so that an alert
 * would miss the first error.
 */
export function countTraffic(registry: Registry): (answer: AnswerFacts) => void {
  const bySurface = Object.fromEntries(surfaces.map((name) => [name, new Traffic()])) as Record<
    Surface,
    Traffic
  >;
  const byTier = () => new Map<string, number>([...tiers, 'none'].map((tier) => [tier, 0]));
  const decisions = { admitted: byTier(), refused: byTier() };
  const registers = [registry];
  new Counter({
    name: 'revgate_requests_total',
    help: 'Requests answered, by status; a response with 200 and errors has the status of its first error.',
    labelNames: ['surface', 'status'],
    registers,
    collect() {
      this.reset();
      for (const surface of surfaces) {
        for (const [status, count] of bySurface[surface].byStatus) {
          this.inc({ surface, status }, count);
        }
      }
    },
  });
  registry.registerMetric(durationsOf(bySurface));
  new Counter({
    name: 'revgate_limit_decisions_total',
    help: 'Requests that a limit admitted or refused; without a valid key the tier is none.',
    labelNames: ['tier', 'outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, counts] of Object.entries(decisions)) {
        for (const [tier, count] of counts) {
          this.inc({ tier, outcome }, count);
        }
      }
    },
  });
  return ({ surface, outcome, tier = 'none', admitted, duration }) => {
    const traffic = bySurface[surface];
    const range = durationRange(duration);
    traffic.byStatus.set(outcome, (traffic.byStatus.get(outcome) ?? 0) + 1);
    traffic.ranges[range] = (traffic.ranges[range] as number) + 1;
    traffic.milliseconds += duration;
    if (admitted !== undefined) {
      const counts = admitted ? decisions.admitted : decisions.refused;
      counts.set(tier, (counts.get(tier) ?? 0) + 1);
    }
  };
}

/** The histogram of durations: those of prom-client cannot be given counts. */
function durationsOf(bySurface: Readonly<Record<Surface, Traffic>>): Metric {
  const name = 'revgate_request_duration_seconds';
  const metric = { name, help: 'Time from the head of a request to its answer.', type: 'histogram' };
  const valuesOf = (surface: Surface) => {
    const { ranges, milliseconds } = bySurface[surface];
    let count = 0;
    const buckets = ranges.map((more, range) => {
      count += more;
      const end = durationEnds[range];
      const le = end === undefined ? '+Inf' : end / 1_000;
      return { labels: { le, surface }, value: count, metricName: `${name}_bucket` };
    });
    return [
      ...buckets,
      { labels: { surface }, value: milliseconds / 1_000, metricName: `${name}_sum` },
      { labels: { surface }, value: count, metricName: `${name}_count` },
    ];
  };
  const get = async () => ({ ...metric, values: surfaces.flatMap(valuesOf), aggregator: 'sum' });
  return { ...metric, get } as unknown as Metric;
}
