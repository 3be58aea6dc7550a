import { monitorEventLoopDelay } from 'node:perf_hooks';
import { cpuUsage, memoryUsage } from 'node:process';
import type { CounterState } from '../rate-limit/counter.ts';
import type { Metrics } from './registry.ts';

/** The sources of a node's state. */
export interface NodeState {
  readonly catalogue: {
    current(): { readonly size: number; readonly readAt: number; readonly revision: number };
    /** How long it has lacked a change, in ms; 0 if it is up to date. */
    readonly age: number;
  };
  /** Where windows are currently stored. */
  readonly limits: () => CounterState;
  readonly pool: { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number };
  readonly verifier: { readonly size: number };
  readonly usage: { readonly pending: number; readonly dropped: number };
  readonly droppedLogLines: () => number;
  /** Since when the database has not answered, in ms. */
  readonly silence: () => number;
  /** ms since 1970. */
  readonly now: () => number;
}

const limitStates: readonly CounterState[] = ['memory', 'redis', 'fallback'];

/** Registers metrics of a node's state. */
export function watchState(metrics: Metrics, node: NodeState): void {
  const { catalogue, limits, pool, verifier, usage, droppedLogLines, silence, now } = node;
  metrics.read('revgate_limit_state', 'Where windows are kept: 1 for the one that holds.', 'gauge', () =>
    limitStates.map((state) => ({ labels: { state }, value: limits() === state ? 1 : 0 })),
  );
  const gauge = (name: string, help: string, value: () => number): void =>
    metrics.read(name, help, 'gauge', value);
  gauge('revgate_catalogue_startups', 'Startups in the catalogue.', () => catalogue.current().size);
  gauge('revgate_catalogue_age_seconds', 'Since when its rows were read.', () => {
    return (now() - catalogue.current().readAt) / 1_000;
  });
  const lag = 'For how long the catalogue has lacked a change; 0 when it is up to date.';
  gauge('revgate_catalogue_lag_seconds', lag, () => catalogue.age / 1_000);
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
  const silent = 'Since when the database has not answered.';
  gauge('revgate_database_silence_seconds', silent, () => silence() / 1_000);
  gauge('revgate_keys_remembered', 'Keys in memory, known and unknown.', () => verifier.size);
  gauge('revgate_usage_pending', 'Counts of use that are not stored yet.', () => usage.pending);
  metrics.read('revgate_usage_dropped_total', 'Requests whose use was not counted.', 'counter', () => {
    return usage.dropped;
  });
  metrics.read(
    'revgate_log_dropped_total',
    'Lines of the log that were dropped because nobody read it.',
    'counter',
    droppedLogLines,
  );
}

/** The resolution at which the event loop is monitored, in ms. */
const RESOLUTION_MS = 10;
const QUANTILES = { '0.5': 50, '0.99': 99, '1': 100 };

/**
 * Monitors the process itself.
 *
 * @returns a function that stops it.
 */
export function watchProcess(metrics: Metrics): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  metrics.read(
    'revgate_event_loop_lag_seconds',
    'How late the event loop was since the last time this was read.',
    'gauge',
    () => {
      // Nanoseconds, and each sample includes the requested pause.
      const values = Object.entries(QUANTILES).map(([quantile, percent]) => ({
        labels: { quantile },
        value: delay.count === 0 ? 0 : Math.max(0, delay.percentile(percent) / 1e9 - RESOLUTION_MS / 1e3),
      }));
      delay.reset();
      return values;
    },
  );
  metrics.read('process_resident_memory_bytes', 'Memory in use.', 'gauge', () => memoryUsage.rss());
  metrics.read('nodejs_heap_used_bytes', 'Heap in use.', 'gauge', () => memoryUsage().heapUsed);
  metrics.read('process_cpu_seconds_total', 'Processor time used.', 'counter', () => {
    const { user, system } = cpuUsage();
    return (user + system) / 1e6;
  });
  return () => delay.disable();
}
