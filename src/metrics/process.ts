import { monitorEventLoopDelay } from 'node:perf_hooks';
import { cpuUsage, memoryUsage } from 'node:process';
import type { Metrics } from './registry.ts';

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
