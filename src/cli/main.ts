#!/usr/bin/env node
import { userInfo } from 'node:os';
import { runCommandLine } from './program.ts';

const { argv, env, stdin, stdout, stderr } = process;
const stop = new AbortController();

/** The first signal asks whatever runs to end by itself; the second ends the process. */
function onSignal(): void {
  if (stop.signal.aborted) {
    process.exit(130);
  }
  stop.abort();
}
process.on('SIGTERM', onSignal);
process.on('SIGINT', onSignal);
// A reader that went away (`revgate sample | head`) is no error.
stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

/** Who runs this; in a container, a user may have a number only. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

process.exitCode = await runCommandLine(argv.slice(2), {
  env,
  cwd: '.',
  stdin,
  stdout,
  stderr,
  isTerminal: stderr.isTTY,
  isInteractive: stdin.isTTY && stderr.isTTY,
  columns: stdout.isTTY ? stdout.columns : undefined,
  user: userName(),
  now: Date.now,
  signal: stop.signal,
});
