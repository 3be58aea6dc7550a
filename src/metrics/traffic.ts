import type { Tier } from '../rate-limit/tiers.ts';
import { durationEnds } from '../usage/store.ts';
import type { Metrics } from './registry.ts';

const surfaces = ['rest', 'graphql', 'page'] as const;

/** The counted properties of an answer. */
interface AnswerFacts {
  readonly surface: (typeof surfaces)[number];
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
  const countRequest = metrics.counter<[surface: string, status: number]>(
    'revgate_requests_total',
    'Requests answered.',
    ['surface', 'status'],
  );
  const observeDuration = metrics.histogram(
    'revgate_request_duration_seconds',
    'Time from the head of a request to its answer.',
    ['surface', surfaces],
    durationEnds.map((ms) => ms / 1_000),
  );
  const countDecision = metrics.counter<[tier: string, outcome: string]>(
    'revgate_limit_decisions_total',
    'Requests that a limit admitted or refused; without a valid key the tier is none.',
    ['tier', 'outcome'],
  );
  return ({ surface, status, tier, admitted, duration }) => {
    countRequest(surface, status);
    observeDuration(surface, duration / 1_000);
    if (admitted !== undefined) {
      countDecision(tier ?? 'none', admitted ? 'admitted' : 'refused');
    }
  };
}
