// Who is measured, and how each is started.
import { fileURLToPath } from 'node:url';
import { PROJECT, startServer } from './processes.mjs';

const peer = (name) => ({
  command: ['node', fileURLToPath(new URL(`../peers/${name}.mjs`, import.meta.url))],
  cwd: fileURLToPath(new URL('../', import.meta.url)),
});

/** The server of a checkout of the project, with the options that its launcher gives Node. */
function gateway(project) {
  const options = ['--max-semi-space-size=16', '--heap-growing-percent=100', '--v8-pool-size=1'];
  return {
    command: ['node', ...options, 'dist/cli/main.js', 'serve'],
    cwd: project,
    env: {
      MALLOC_MMAP_THRESHOLD_: '262144',
      HOST: '127.0.0.1',
      // Keys are checked and requests counted as ever; only the limit is out of reach.
      RATE_LIMIT_PREMIUM: '1000000000',
      LOG_LEVEL: 'warn',
      REDIS_URL: '',
    },
  };
}

const programs = { revgate: gateway(PROJECT), 'rest-sql': peer('rest-sql'), constant: peer('constant') };
export const targetNames = Object.keys(programs);

/** Starts a target on the database of DATABASE_URL. */
export function startTarget(name, env) {
  const { env: own, ...program } = programs[name];
  return startServer(name, { ...program, env: { ...own, ...env } });
}

/** Starts the gateway of a checkout on a database, with its log at the default level. */
export function startCheckout(name, project, { url }, nodeOptions = '') {
  const { env, ...program } = gateway(project);
  const own = { ...env, DATABASE_URL: url, LOG_LEVEL: 'info', NODE_OPTIONS: nodeOptions };
  return startServer(name, { ...program, env: own });
}

/** Node options that let a server tell which of its functions were called. */
export const countCalls = `--import=${new URL('./called-functions.mjs', import.meta.url).href}`;
