import { Counter, Histogram, type Registry } from 'prom-client';
import type { Tier } from '../rate-limit/tiers.ts';
import { durationEnds } from '../usage/store.ts';

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

/** Counts answers. The returned function is called once for each. */
export function countTraffic(registry: Registry): (answer: AnswerFacts) => void {
  const registers = [registry];
  const requests = new Counter({
    name: 'revgate_requests_total',
    help: 'Requests answered.',
    labelNames: ['surface', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'revgate_request_duration_seconds',
    help: 'Time from the head of a request to its answer.',
    labelNames: ['surface'],
    buckets: durationEnds.map((ms) => ms / 1_000),
    registers,
  });
  for (const surface of surfaces) {
    durations.zero({ surface });
  }
  const decisions = new Counter({
    name: 'revgate_limit_decisions_total',
    help: 'Requests that a limit admitted or refused; without a valid key the tier is none.',
    labelNames: ['tier', 'outcome'],
    registers,
  });
  return ({ surface, status, tier, admitted, duration }) => {
    requests.inc({ surface, status });
    durations.observe({ surface }, duration / 1_000);
    if (admitted !== undefined) {
      decisions.inc({ tier: tier ?? 'none', outcome: admitted ? 'admitted' : 'refused' });
    }
  };
}
