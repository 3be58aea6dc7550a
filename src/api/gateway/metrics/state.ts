import { monitorEventLoopDelay } from 'node:perf_hooks';
import { cpuUsage, memoryUsage } from 'node:process';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { CounterState } from '../../../access/limits/counter.ts';

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
  readonly usage: {
    readonly pending: number;
    readonly dropped: number;
    /** Stores the counts that wait, so that they can be read. Never rejects. */
    readonly store: () => Promise<void>;
  };
  readonly droppedLogLines: () => number;
  /** Since when the database has not answered, in ms. */
  readonly silence: () => number;
  /** ms since 1970. */
  readonly now: () => number;
}

const limitStates: readonly CounterState[] = ['memory', 'redis', 'fallback'];

/** Registers metrics of a node's state, which are read on request. */
export function watchState(registry: Registry, node: NodeState): void {
  const { catalogue, limits, pool, verifier, usage, droppedLogLines, silence, now } = node;
  const gauge = (name: string, help: string, value: () => number): void =>
    readGauge(registry, name, help, value);
  gauges(registry, 'revgate_limit_state', 'Where windows are kept: 1 for the one that holds.', 'state', () =>
    limitStates.map((state) => [state, limits() === state ? 1 : 0]),
  );
  gauge('revgate_catalogue_startups', 'Startups in the catalogue.', () => catalogue.current().size);
  gauge('revgate_catalogue_age_seconds', 'Since when its rows were read.', () => {
    return (now() - catalogue.current().readAt) / 1_000;
  });
  const lag = 'For how long the catalogue has lacked a change; 0 when it is up to date.';
  gauge('revgate_catalogue_lag_seconds', lag, () => catalogue.age / 1_000);
  const connections = 'Connections of the pool, and who waits for one.';
  gauges(registry, 'revgate_database_connections', connections, 'state', () => [
    ['total', pool.totalCount],
    ['idle', pool.idleCount],
    ['waiting', pool.waitingCount],
  ]);
  const silent = 'Since when the database has not answered.';
  gauge('revgate_database_silence_seconds', silent, () => silence() / 1_000);
  gauge('revgate_keys_remembered', 'Keys in memory, known and unknown.', () => verifier.size);
  gauge('revgate_usage_pending', 'Counts of use that are not stored yet.', () => usage.pending);
  const uncounted = 'Requests whose use was not counted.';
  readCounter(registry, 'revgate_usage_dropped_total', uncounted, () => usage.dropped);
  const dropped = 'Lines of the log that were dropped because nobody read it.';
  readCounter(registry, 'revgate_log_dropped_total', dropped, droppedLogLines);
}

/** The resolution at which the event loop is monitored, in ms: an idle process wakes up as often. */
const RESOLUTION_MS = 100;
const PERCENTILES = [50, 99, 100] as const;

/**
 * Monitors the process itself.
 *
 * @returns a function that stops it.
 */
export function watchProcess(registry: Registry): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const lag = 'How late the event loop was since the last time this was read.';
  // Not "quantile", which Prometheus allows only in summaries.
  gauges(registry, 'revgate_event_loop_lag_seconds', lag, 'percentile', () => {
    // Nanoseconds, and each sample includes the requested pause.
    const values = PERCENTILES.map((percentile): [string, number] => [
      String(percentile),
      delay.count === 0 ? 0 : Math.max(0, delay.percentile(percentile) / 1e9 - RESOLUTION_MS / 1e3),
    ]);
    delay.reset();
    return values;
  });
  readGauge(registry, 'process_resident_memory_bytes', 'Memory in use.', () => memoryUsage.rss());
  readGauge(registry, 'nodejs_heap_used_bytes', 'Heap in use.', () => memoryUsage().heapUsed);
  readCounter(registry, 'process_cpu_seconds_total', 'Processor time used.', () => {
    const { user, system } = cpuUsage();
    return (user + system) / 1e6;
  });
  return () => delay.disable();
}

function readGauge(registry: Registry, name: string, help: string, value: () => number): void {
  const collect = (): void => gauge.set(value());
  const gauge = new Gauge({ name, help, registers: [registry], collect });
}

/** A value for each of some values of a label. */
function gauges(
  registry: Registry,
  name: string,
  help: string,
  label: string,
  values: () => readonly (readonly [label: string, value: number])[],
): void {
  const collect = (): void => {
    for (const [labelled, value] of values()) {
      gauge.labels(labelled).set(value);
    }
  };
  const gauge = new Gauge({ name, help, labelNames: [label], registers: [registry], collect });
}

function readCounter(registry: Registry, name: string, help: string, value: () => number): void {
  const collect = (): void => {
    counter.reset();
    counter.inc(value());
  };
  const counter = new Counter({ name, help, registers: [registry], collect });
}
