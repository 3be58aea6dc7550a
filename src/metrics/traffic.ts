import type { Tier } from '../rate-limit/tiers.ts';
import { durationEnds } from '../usage/store.ts';
import type { CountMetric, Histogram, Metrics } from './registry.ts';

/** The counted properties of an answer. */
interface AnswerFacts {
  readonly surface: 'rest' | 'graphql' | 'page';
  readonly status: number;
  /** The tier of the key; undefined without a valid one. */
  readonly tier: Tier | undefined;
  /** Whether the rate limit allowed it; undefined if it was not checked. */
  readonly admitted: boolean | undefined;
  /** ms. */
  readonly duration: number;
}

/** Counts answers. The returned function is called once for each, and takes less than a microsecond. */
export function countTraffic(metrics: Metrics): (answer: AnswerFacts) => void {
  const requests = remember(
    metrics.counter('revgate_requests_total', 'Requests answered.'),
    (surface, status) => ({ surface, status }),
  );
  const durations = metrics.histogram(
    'revgate_request_duration_seconds',
    'Time from the head of a request to its answer.',
    durationEnds.map((ms) => ms / 1_000),
  );
  const bySurface: Record<AnswerFacts['surface'], Histogram> = {
    rest: durations({ surface: 'rest' }),
    graphql: durations({ surface: 'graphql' }),
    page: durations({ surface: 'page' }),
  };
  const decisions = remember(
    metrics.counter(
      'revgate_limit_decisions_total',
      'Requests that a limit admitted or refused; without a valid key the tier is none.',
    ),
    (tier, outcome) => ({ tier, outcome }),
  );
  return ({ surface, status, tier, admitted, duration }) => {
    requests(surface, status).increment();
    bySurface[surface].observe(duration / 1_000);
    if (admitted !== undefined) {
      decisions(tier ?? 'none', admitted ? 'admitted' : 'refused').increment();
    }
  };
}

/** Finds a counter by two values, without concatenating them each time. */
function remember<K extends string | number>(
  counter: (labels: Record<string, string>) => CountMetric,
  label: (first: string, second: string) => Record<string, string>,
): (first: string, second: K) => CountMetric {
  const known = new Map<string, Map<K, CountMetric>>();
  return (first, second) => {
    let row = known.get(first);
    if (row === undefined) {
      row = new Map();
      known.set(first, row);
    }
    let found = row.get(second);
    if (found === undefined) {
      found = counter(label(first, String(second)));
      row.set(second, found);
    }
    return found;
  };
}
