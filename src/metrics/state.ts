import type { CounterState } from '../rate-limit/open-counter.ts';
import type { Metrics } from './registry.ts';

/** The sources of a node's state. */
export interface NodeState {
  readonly catalogue: {
    current(): { readonly size: number; readonly builtAt: number; readonly revision: number };
    /** How long it has lacked a change, in ms; 0 if it is up to date. */
    readonly age: number;
  };
  /** Where windows are currently stored. */
  readonly limits: () => CounterState;
  readonly pool: { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number };
  readonly verifier: { readonly size: number };
  readonly usage: { readonly pending: number; readonly dropped: number };
  /** Since when the database has not answered, in ms. */
  readonly silence: () => number;
  /** ms since 1970. */
  readonly now: () => number;
}

const limitStates: readonly CounterState[] = ['memory', 'redis', 'fallback'];

/** Registers metrics of a node's state. */
export function watchState(metrics: Metrics, node: NodeState): void {
  const { catalogue, limits, pool, verifier, usage, silence, now } = node;
  metrics.read('revgate_limit_state', 'Where windows are kept: 1 for the one that holds.', 'gauge', () =>
    limitStates.map((state) => ({ labels: { state }, value: limits() === state ? 1 : 0 })),
  );
  metrics.read('revgate_catalogue_startups', 'Startups in the catalogue.', 'gauge', () => {
    return catalogue.current().size;
  });
  metrics.read('revgate_catalogue_age_seconds', 'Since when its rows were read.', 'gauge', () => {
    return (now() - catalogue.current().builtAt) / 1_000;
  });
  metrics.read(
    'revgate_catalogue_lag_seconds',
    'For how long the catalogue has lacked a change; 0 when it is up to date.',
    'gauge',
    () => catalogue.age / 1_000,
  );
  metrics.read(
    'revgate_database_connections',
    'Connections of the pool, and who waits for one.',
    'gauge',
    () => [
      { labels: { state: 'total' }, value: pool.totalCount },
      { labels: { state: 'idle' }, value: pool.idleCount },
      { labels: { state: 'waiting' }, value: pool.waitingCount },
    ],
  );
  metrics.read(
    'revgate_database_silence_seconds',
    'Since when the database has not answered.',
    'gauge',
    () => {
      return silence() / 1_000;
    },
  );
  metrics.read('revgate_keys_remembered', 'Keys in memory, known and unknown.', 'gauge', () => verifier.size);
  metrics.read(
    'revgate_usage_pending',
    'Counts of use that are not stored yet.',
    'gauge',
    () => usage.pending,
  );
  metrics.read('revgate_usage_dropped_total', 'Requests whose use was not counted.', 'counter', () => {
    return usage.dropped;
  });
}
