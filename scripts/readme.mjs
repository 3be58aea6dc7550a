// Runs the README, the pages about using the API, the tutorial and the pages for operators: every `sh`, `js` and `python`
// block, in order, on a copy of this checkout. The server of the README takes the place of https://api.example.com. A following `json` block must show what the command printed. A block with `npm start` keeps running in the
// background, and its demo key becomes $REVGATE_KEY. `npm test` is left to the caller.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

const checkout = new URL('..', import.meta.url).pathname;
const pagesOf = (directory) => readdirSync(join(checkout, directory)).map((name) => `${directory}/${name}`);
/** Its programs take an argument: `test/examples/languages.services.test.ts` runs them. */
const PROGRAMS_PAGE = 'docs/use/languages.md';
const apiPages = pagesOf('docs/use').filter((page) => page !== PROGRAMS_PAGE);
const [FIRST_OF_API = ''] = apiPages;
const LIFT_LIMIT =
  "npx revgate keys limit $(npx revgate keys list --json | node -p 'JSON.parse(fs.readFileSync(0))[0].id') 600";
const PAGES = ['README.md', ...apiPages, 'docs/tutorial.md', ...pagesOf('docs/publish')];
/** How a block of each language runs. */
const PROGRAMS = {
  sh: ['bash', '-euo', 'pipefail', '-c'],
  js: ['node', '--input-type=module', '-e'],
  python: ['python3', '-c'],
};
const directory = mkdtempSync(join(tmpdir(), 'revgate-readme-'));
const environment = { ...process.env, LOG_LEVEL: 'warn' };
const servers = [];

function fail(message) {
  console.error(message);
  process.exitCode = 1;
  throw new Error('The documentation is not true');
}

function run(language, script) {
  const [program, ...options] = PROGRAMS[language];
  const { status, stdout, stderr } = spawnSync(program, [...options, script], {
    cwd: join(directory, 'revgate'),
    env: environment,
    encoding: 'utf8',
    timeout: 600_000,
  });
  if (status !== 0) {
    fail(`${script}\nexited with ${status}\n${stdout}${stderr}`);
  }
  return stdout;
}

/** Starts a server block and waits until it listens. */
function start(script) {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: join(directory, 'revgate'),
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  servers.push(child);
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (/Listening on/.test(text)) {
        environment.REVGATE_KEY ??= /rvg_[0-9A-Za-z]{38}/.exec(text)?.[0];
        resolve();
      }
    });
    child.on('exit', (code) => reject(new Error(`${script}\nexited with ${code}\n${text}`)));
  });
}

/** Stops the servers, and waits until nothing of them is left. */
async function stop() {
  for (const child of servers.splice(0)) {
    child.removeAllListeners('exit');
    try {
      process.kill(-child.pid, 'SIGTERM');
      for (;;) {
        process.kill(-child.pid, 0);
        await setTimeout(100);
      }
    } catch {
      // No such group any more.
    }
  }
}

/** Output as it is compared: when a window resets is different every time. */
function comparable(text) {
  return JSON.parse(text, (name, value) => (name === 'resetAt' ? null : value));
}

try {
  spawnSync('git', ['clone', '-q', checkout, join(directory, 'revgate')], { stdio: 'inherit' });
  let printed = '';
  for (const page of PAGES) {
    if (page === FIRST_OF_API) {
      // Its pages together ask for more in a minute than a demo key may.
      run('sh', LIFT_LIMIT);
    }
    const blocks = readFileSync(join(checkout, page), 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm);
    for (const [, language, block] of blocks) {
      const text = block.replaceAll('https://api.example.com', 'http://127.0.0.1:4000');
      if (language in PROGRAMS && !/npm test/.test(text)) {
        console.log(text.trimEnd());
        if (/npm start/.test(text)) {
          await stop();
          await start(text);
        } else {
          printed = run(language, text);
          if (printed.startsWith('{"error"')) {
            fail(`${text}\nprinted:\n${printed}`);
          }
        }
      } else {
        if (
          language === 'json' &&
          printed !== '' &&
          !isDeepStrictEqual(comparable(text), comparable(printed))
        ) {
          fail(`shown:\n${text}\nprinted:\n${printed}`);
        }
        printed = '';
      }
    }
  }
} finally {
  await stop();
  rmSync(directory, { recursive: true, force: true });
}
