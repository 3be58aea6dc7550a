// Who is measured, and how each is started.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PROJECT, startServer } from './processes.mjs';

const PRELOAD = new URL('loop-delay.mjs', import.meta.url).href;
const peer = (name) => ({
  command: ['node', fileURLToPath(new URL(`../peers/${name}.mjs`, import.meta.url))],
  cwd: fileURLToPath(new URL('../', import.meta.url)),
});

/** What `npm start` starts in a checkout of the project. */
function gateway(project) {
  const { scripts } = JSON.parse(readFileSync(`${project}package.json`, 'utf8'));
  return {
    command: scripts.start.split(' '),
    cwd: project,
    // Keys are checked and requests counted as ever; only the limit is out of reach.
    env: { HOST: '127.0.0.1', RATE_LIMIT_PREMIUM: '1000000000', LOG_LEVEL: 'warn', REDIS_URL: '' },
  };
}

const programs = {
  revgate: gateway(PROJECT),
  'rest-sql': peer('rest-sql'),
  constant: peer('constant'),
};
export const targetNames = Object.keys(programs);

/**
 * Starts a target on a database.
 *
 * @param env.DATABASE_URL where the data is.
 * @param nodeOptions options for Node itself, as NODE_OPTIONS takes them.
 * @param core where it runs, see {@link startServer}.
 */
export function startTarget(name, env, nodeOptions = '', core = undefined) {
  const { env: own, ...program } = programs[name];
  return startServer(name, { ...program, env: { ...own, ...env, NODE_OPTIONS: nodeOptions }, core });
}

/** Starts the gateway of a checkout on a database, with its log at the default level. */
export function startCheckout(name, project, { url }, nodeOptions = '') {
  const { env, ...program } = gateway(project);
  const own = { ...env, DATABASE_URL: url, LOG_LEVEL: 'info', NODE_OPTIONS: nodeOptions };
  return startServer(name, { ...program, env: own });
}

/** Node options that let a server tell which of its functions were called. */
export const countCalls = `--import=${new URL('./called-functions.mjs', import.meta.url).href}`;
/** Node options that let a server tell its longest stall. */
export const watchStalls = `--import=${PRELOAD}`;
/** Arguments of Node with which the same gives CPU time instead, between each two questions. */
export const watchTurns = `--import=${new URL('./turn-cpu.mjs', import.meta.url).href}`;
