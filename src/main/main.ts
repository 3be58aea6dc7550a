import { fstatSync, statSync } from 'node:fs';
import { devNull, userInfo } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runCommandLine } from './run.ts';

const { argv, env, stdin, stdout, stderr } = process;
const stop = new AbortController();

/** Commands that send a few queries: optimizing Prisma's query compiler would take twice the time of all the rest. */
const SHORT_COMMANDS = ['accounts', 'audit', 'documents', 'imports', 'keys', 'tokens'];
if (SHORT_COMMANDS.includes(argv[2] ?? '')) {
  setFlagsFromString('--liftoff-only');
}

/**
 * Receives signals of one sender. The first requests an orderly end; the second ends the process. Where the launcher is a
 * process of its own, one signal can arrive twice: directly, and through the launcher.
 */
function receiveSignals(): (signal: NodeJS.Signals) => void {
  let count = 0;
  return (signal) => {
    count += 1;
    if (count === 2) {
      process.exit(signal === 'SIGINT' ? 130 : 143);
    }
    stop.abort(signal);
  };
}
const onSignal = receiveSignals();
process.on('SIGTERM', onSignal);
process.on('SIGINT', onSignal);
const onLauncher = receiveSignals();
process.on('message', (message) => {
  if (message === 'SIGTERM' || message === 'SIGINT') {
    onLauncher(message);
  }
});
// It has been killed.
process.on('disconnect', () => onLauncher('SIGTERM'));
process.channel?.unref();
// Such as a reader that went away (`revgate sample | head`).
stdout.on('error', (error) => stop.abort(error));

/** The user name; in a container, a user may have only a number. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Of a terminal that does not say how wide it is. */
const USUAL_COLUMNS = 80;

/** Node opens /dev/null in place of a closed output. */
function isDiscarded(fd: number): boolean {
  const { rdev } = fstatSync(fd);
  return rdev !== 0 && rdev === statSync(devNull).rdev;
}

process.exitCode = await runCommandLine(argv.slice(2), {
  env,
  cwd: '.',
  stdin,
  stdout,
  stderr,
  isDiscarded: isDiscarded(stdout.fd),
  isInteractive: (stdin.isTTY && stderr.isTTY) ?? false,
  columns: stdout.isTTY ? stdout.columns || USUAL_COLUMNS : undefined,
  errorColumns: stderr.isTTY ? stderr.columns || USUAL_COLUMNS : undefined,
  user: userName(),
  now: Date.now,
  signal: stop.signal,
});
