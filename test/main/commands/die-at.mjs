// Runs a command line of the built command in this process, which kills itself at a named point of it:
// `node die-at.mjs POINT ARGUMENT…`. Nothing is tidied up, as when the process is killed from outside.
import pg from 'pg';
import { runCommandLine } from '../../../dist/main/run.js';

const points = /^(before commit|after commit|at statement [1-9]\d*)$/;
const [point = '', ...args] = process.argv.slice(2);
if (!points.test(point)) {
  throw new Error(`No such point: ${point}`);
}

function die() {
  process.kill(process.pid, 'SIGKILL');
}

// The progress that is shown tells that the command writes, as do the first words of undoing an import: opening the database
// may commit something before.
let isApplying = false;
/** How many statements it has sent since. */
let statements = 0;
process.stderr.write = (text) => {
  isApplying ||= /applying [1-9]/.test(text);
  return true;
};

const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (...parameters) {
  isApplying ||= parameters[0] === "SET LOCAL revgate.undo = 'on'";
  const isLast = parameters[0] === 'COMMIT' && isApplying;
  statements += Number(isApplying);
  if ((isLast && point === 'before commit') || point === `at statement ${statements}`) {
    die();
  }
  const result = query.apply(this, parameters);
  if (isLast && point === 'after commit') {
    result.then(die);
  }
  return result;
};

// Progress is shown at most ten times a second: by this clock, each time.
let clock = Date.now();
process.exitCode = await runCommandLine(args, {
  env: process.env,
  cwd: '.',
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  isDiscarded: false,
  errorColumns: 80,
  isInteractive: false,
  user: 'tester',
  now: () => {
    clock += 1_000;
    return clock;
  },
  signal: new AbortController().signal,
});
