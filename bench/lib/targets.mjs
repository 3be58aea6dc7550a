// Who is measured, and how each is started.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PROJECT, startServer } from './processes.mjs';

const PRELOAD = new URL('loop-delay.mjs', import.meta.url).href;
const peer = (name) => ({
  argv: [fileURLToPath(new URL(`../peers/${name}.mjs`, import.meta.url))],
  cwd: fileURLToPath(new URL('../', import.meta.url)),
});

/** What `npm start` gives to Node. */
function startCommand() {
  const { scripts } = JSON.parse(readFileSync(`${PROJECT}package.json`, 'utf8'));
  return scripts.start.split(' ').slice(1);
}

const programs = {
  revgate: {
    argv: startCommand(),
    cwd: PROJECT,
    // Keys are checked and requests counted as ever; only the limit is out of reach.
    env: { HOST: '127.0.0.1', RATE_LIMIT_PREMIUM: '1000000000', LOG_LEVEL: 'warn', REDIS_URL: '' },
  },
  'rest-sql': peer('rest-sql'),
  constant: peer('constant'),
};
export const targetNames = Object.keys(programs);

/**
 * Starts a target on a database.
 *
 * @param env.DATABASE_URL where the data is.
 * @param nodeOptions options for Node itself.
 * @param core where it runs, see {@link startServer}.
 */
export function startTarget(name, env, nodeOptions = [], core = undefined) {
  const { argv, cwd, env: own } = programs[name];
  return startServer(name, { argv: [...nodeOptions, ...argv], cwd, env: { ...own, ...env }, core });
}

/** Node options that let a server tell its longest stall. */
export const watchStalls = ['--import', PRELOAD];
/** Arguments of Node with which the same gives CPU time instead, between each two questions. */
export const watchTurns = ['--import', new URL('./turn-cpu.mjs', import.meta.url).href];
