// Loaded into a server with --import: tells its parent, when asked, for how long the event loop was kept.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.send !== undefined) {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  process.on('message', () => {
    process.send(histogram.max / 1e6);
    histogram.reset();
  });
  // Or the server could not end by itself.
  process.channel.unref();
}
