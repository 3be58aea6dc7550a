import type { ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();

function killAll(): void {
  for (const child of running) {
    child.kill('SIGKILL');
  }
}

/** Ends this process as a signal does that nobody listens to: Vitest does not let a worker call `process.exit`. */
function endWorker(): void {
  killAll();
  process.removeAllListeners('SIGTERM');
  process.kill(process.pid, 'SIGTERM');
}

process.on('exit', killAll);
// How Vitest ends a worker, and how a worker notices that Vitest was killed.
process.on('SIGTERM', endWorker);
process.on('disconnect', endWorker);

/**
 * Kills a process with the worker that started it. `closeAfterwards` does so earlier, but not where a run is stopped
 * before the hooks of a file, as by `--bail`.
 */
export function endWithRunner<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}
