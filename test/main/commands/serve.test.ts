import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { holdDataDirectory } from '../../../src/db/embedded/data-directory.ts';
import { serveBuilt } from './built-command.ts';
import { using } from './databases.ts';
import { openConnection, run, serve, start, testDirectory, usedPort } from './process.ts';

const KEY = /rvg_[0-9A-Za-z]{38}/g;
const CREATE_ACCOUNT = ['accounts', 'create', '--name', 'Ada'];

/** What a start without sample and key advises. */
const HINTS = / npx revgate import FILE\n[\s\S]+ npx revgate keys create --name NAME .+\n$/;

/** What a data directory holds. */
const contents = (directory: string) =>
  using({ kind: 'embedded', directory }, async ({ prisma }) => ({
    startups: await prisma.startup.count(),
    samples: await prisma.startup.count({ where: { sample: true } }),
    keys: await prisma.apiKey.findMany({ orderBy: { createdAt: 'asc' } }),
  }));

/** The URL and the headers of the curl line that a start prints. */
function curlLine(stdout: string): { url: string; headers: Record<string, string> } {
  const [, url = '', name = '', value = ''] = /^ {2}curl "(\S+)" -H "(\S+): (.+)"$/m.exec(stdout) ?? [];
  return { url, headers: { [name]: value } };
}

/**
 * Sends a request up to the middle of its body, and waits until the server asks for that; `finish` sends the
 * rest and gives the answer.
 */
async function slowRequest(port: number, key: string): Promise<{ finish: () => Promise<string> }> {
  const body = JSON.stringify({ query: '{ startups { meta { total } } }' });
  const socket = await openConnection(port);
  onTestFinished(() => void socket.destroy());
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  const type = `Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${body.length}`;
  socket.write(`POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${type}\r\n\r\n`);
  await once(socket, 'data');
  expect(answer).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  answer = '';
  socket.write(body.slice(0, 5));
  return {
    async finish() {
      const closed = once(socket, 'close');
      socket.write(body.slice(5));
      await closed;
      return answer;
    },
  };
}

/** Tells at a signal whether hooks follow every promise, which an AsyncLocalStorage turns on for good on Node 20. */
const TELL_HOOKS = `import { executionAsyncId } from 'node:async_hooks';
  const tell = () => console.error('promise hooks: ' + (executionAsyncId() === 0 ? 'off' : 'on'));
  process.on('SIGUSR2', () => Promise.resolve().then(tell));`;

// One life of a data directory, from its first start on; each test continues where the last one ended. The first
// two starts are of the built command, since signals are sent to a process.
describe('an embedded database over several starts', { shuffle: false }, async () => {
  const directory = join(testDirectory(), 'data');
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(TELL_HOOKS)}`;
  const built = await serveBuilt({ DATA_DIR: directory, LOG_LEVEL: 'info', NODE_OPTIONS });
  let key = '';

  it('a first start loads the sample and prints a key and a curl line that works', async () => {
    const stdout = built.stdout();
    expect(stdout).toContain('Loaded 500 sample startups');
    expect(built.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(stdout).toContain(`  ${built.url}/dashboard  the dashboard`);
    expect(stdout).not.toContain('revgate import FILE');
    // Once as the key, once within the line to be pasted.
    [key = ''] = stdout.match(KEY) ?? [];
    expect(stdout.match(KEY)).toEqual([key, key]);
    const order = new RegExp(
      `shown only once\\. By using it you accept the policy[\\s\\S]+${key}[\\s\\S]+Listening on`,
    );
    expect(stdout).toMatch(order);

    const { url, headers } = curlLine(stdout);
    const answer = await fetch(url, { headers });
    expect(answer.status).toBe(200);
    const meta = { total: 500, page: 1, limit: 3, hasMore: true };
    expect(await answer.json()).toMatchObject({ data: [{}, {}, {}], meta });
    const [setup = '', token = ''] = /http\S+\/dashboard\/setup\?token=(\w{32})$/m.exec(stdout) ?? [];
    expect(await (await fetch(setup)).text()).toContain('Set up the first operator');
    // What was printed is in no log.
    await expect.poll(() => built.stderr()).toContain('"/dashboard/setup"');
    expect(built.stderr()).not.toContain(key);
    expect(built.stderr()).not.toContain(token);
  });

  const follows = async (): Promise<string | undefined> => {
    const before = built.stderr().length;
    built.child.kill('SIGUSR2');
    const told = () => /^promise hooks: (.+)$/m.exec(built.stderr().slice(before))?.[1];
    await expect.poll(told).toBeDefined();
    return told();
  };

  it('follows no promise after visits of pages, and after a message of an agent', async () => {
    for (const path of ['/', '/docs', '/graphql', '/dashboard', '/policy']) {
      expect((await fetch(built.url + path, { headers: { Accept: 'text/html' } })).status).toBe(200);
    }
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const params = { name: 'search_startups', arguments: {} };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect((await fetch(`${built.url}/mcp`, { method: 'POST', headers, body })).status).toBe(200);
    expect(await follows()).toBe('off');
  });

  it('SIGTERM finishes requests in progress, rejects new ones and exits with 0', async () => {
    const slow = await slowRequest(built.port, key);
    built.child.kill('SIGTERM');
    await expect.poll(() => fetch(built.url).catch(({ cause }) => cause.code)).toBe('ECONNREFUSED');
    expect(built.child.exitCode).toBeNull();
    const answer = await slow.finish();
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toMatch(/\r\nConnection: close\r\n/i);
    expect(answer).toContain('"total":500');
    expect(await built.exit).toBe(0);
    expect(built.stdout()).toMatch(/Stopping: .+\nStopped\.\n$/);
  });

  it('a second start keeps the data and the key, and a second signal ends it, even with requests in progress', async () => {
    const operator = ['--email', 'ops@example.com', '--operator'];
    await run([...CREATE_ACCOUNT, ...operator], { env: { DATA_DIR: directory } });
    const second = await serveBuilt({ DATA_DIR: directory });
    expect(second.stdout()).not.toMatch(/rvg_|\/dashboard\/setup|Loaded/);
    const { url, headers } = curlLine(second.stdout());
    expect(headers).toEqual({ Authorization: 'Bearer $REVGATE_KEY' });
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
    expect(await answer.json()).toMatchObject({ meta: { total: 500 } });

    const found = await contents(directory);
    const demo = { demo: true, tier: 'premium', prefix: key.slice(0, 8) };
    expect(found).toMatchObject({ startups: 500, samples: 500, keys: [demo] });
    const [{ createdAt, policyAcceptedAt } = demo as never] = found.keys;
    // The policy was accepted by the first use of the key, for good.
    expect(Number(policyAcceptedAt)).toBeGreaterThan(Number(createdAt));

    await slowRequest(second.port, key);
    second.child.kill('SIGTERM');
    await expect.poll(() => second.stdout()).toContain('Stopping');
    // It would wait for the request for half a minute.
    expect(second.child.exitCode).toBeNull();
    second.child.kill('SIGINT');
    expect(await second.exit).toBe(130);
    expect(second.stdout()).not.toContain('Stopped.');
    // Nothing is lost.
    expect((await contents(directory)).startups).toBe(500);
  });
});

// Until a start has created a demo key, the next one is again a first start.
describe('a first start', { shuffle: false }, () => {
  const directory = testDirectory();
  const env = { DATA_DIR: directory, PORT: '0', LOG_LEVEL: 'warn' };

  it('on another address than loopback creates neither key nor sample', async () => {
    const settings = { HOST: '0.0.0.0', PUBLIC_URL: 'http://api.example.com', DRAIN_DELAY: '0' };
    const served = await serve({ DATA_DIR: directory, ...settings }, { sampleCount: 3 });
    expect(served.stdout()).toContain(`Created a new database in ${directory}.\n`);
    expect(served.stdout()).not.toMatch(KEY);
    expect(curlLine(served.stdout()).url).toBe('http://api.example.com/api/v1/startups?limit=3');
    for (const page of ['graphql    GraphiQL', 'docs       the doc', 'dashboard  the dashboard']) {
      expect(served.stdout()).toContain(`  http://api.example.com/${page}`);
    }
    expect(served.stdout()).toMatch(HINTS);
    expect(await (await fetch(`http://127.0.0.1:${served.port}/ready`)).json()).toEqual({ status: 'ready' });
    expect(await contents(directory)).toEqual({ startups: 0, samples: 0, keys: [] });
    expect(await served.stop()).toBe(0);
  });

  it('that finds its port in use says so before it creates a database', async () => {
    const port = await usedPort();
    const unused = join(directory, 'unused');
    const failed = await run(['serve'], { env: { ...env, DATA_DIR: unused, PORT: String(port) } });
    const stderr = expect.stringMatching(`^revgate: Port ${port} on 127\\.0\\.0\\.1 is in use: .+PORT.+\n$`);
    expect(failed).toEqual({ code: 1, stdout: '', stderr });
    expect(existsSync(unused)).toBe(false);
  });

  it('whose output is discarded creates no key and says so', async () => {
    const discarded = start(['serve'], { env, isDiscarded: true, sampleCount: 3 });
    onTestFinished(async () => void (await discarded.stop()));
    await discarded.wrote('stdout', /Listening on/);
    const warning = /^Warning: Standard output is closed or discarded, .+ run: npx revgate keys/;
    expect(discarded.stderr()).toMatch(warning);
    expect(discarded.stdout()).not.toMatch(/rvg_|\/dashboard\/setup/);
    expect(await contents(directory)).toMatchObject({ startups: 3, keys: [] });
    expect(await discarded.stop()).toMatchObject({ code: 0 });
  });

  it('after those that failed prints a key that works', async () => {
    const served = await serve(env);
    expect(served.stderr()).toBe('');
    expect(served.stdout()).not.toContain('Created a new database');
    const { url, headers } = curlLine(served.stdout());
    expect((await fetch(url, { headers })).status).toBe(200);
    expect(await served.stop()).toBe(0);
  });

  it('that cannot write the demo key creates none', async () => {
    const DATA_DIR = testDirectory();
    const options = { env: { ...env, DATA_DIR }, outputError: 'ENOSPC', failsAt: /Demo key/ };
    expect(await run(['serve'], options)).toMatchObject({
      code: 1,
      stderr: 'revgate: Cannot write the demo key (ENOSPC), so none was created.\n',
    });
    expect((await contents(DATA_DIR)).keys).toEqual([]);
  });

  it('that cannot store the demo key prints none, and the next one prints it', async () => {
    const DATA_DIR = testDirectory();
    const settings = { ...env, DATA_DIR };
    const query = (sql: string) =>
      using({ kind: 'embedded', directory: DATA_DIR }, ({ pool }) => pool.query(sql));
    await query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''too slow''; END';
      CREATE TRIGGER fail BEFORE INSERT ON api_keys FOR EACH ROW EXECUTE FUNCTION fail()`);
    const stdout = expect.not.stringMatching(KEY);
    expect(await run(['serve'], { env: settings })).toMatchObject({ code: 1, stdout });
    await query('DROP FUNCTION fail CASCADE');
    const served = await serve(settings);
    expect(served.stdout()).toMatch(KEY);
    expect(await served.stop()).toBe(0);
  });
});

describe('a data directory that two processes want', () => {
  const waiting = /^Waiting for another revgate, which starts a server or runs a command on .+ …\n/;

  it('commands during the start of a server wait for it', async () => {
    const directory = join(testDirectory(), 'data');
    const env = { DATA_DIR: directory, PORT: '0' };
    const starting = start(['serve'], { env });
    onTestFinished(async () => void (await starting.stop()));
    const files = () => (existsSync(directory) ? readdirSync(directory).join() : '');
    await expect.poll(files, { interval: 5 }).toContain('revgate.lock');
    const listed = await run(['keys', 'list', '--json'], { env });
    expect([listed.code, listed.stderr.replace(waiting, '')]).toEqual([0, '']);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'demo' }]);
    expect(starting.stdout()).toContain('Listening on');
  });

  it('a start waits for a command that has the directory, and says so', async () => {
    const directory = testDirectory();
    const held = await holdDataDirectory(directory);
    const starting = start(['serve'], { env: { DATA_DIR: directory, PORT: '0' } });
    onTestFinished(async () => void (await starting.stop()));
    await starting.wrote('stderr', waiting);
    expect(starting.stdout()).toBe('');
    await held.release();
    await starting.wrote('stdout', /Listening on/);
  });
});

describe('errors at start', () => {
  it.each([
    [
      'every error of the configuration at once',
      { PORT: '70000', LOG_LEVEL: 'loud', TRUST_PROXY: '-1', HOST: '0.0.0.0', DATA_DIR: '/dev/null/none' },
      [/ PORT: got "70000"/, / PUBLIC_URL: missing/, / TRUST_PROXY: got "-1"/, / LOG_LEVEL: .+one of trace/],
    ],
    [
      'why it cannot use the database server, without the password',
      { DATABASE_URL: 'postgres://someone:hunter2@127.0.0.1:1/none' },
      [/Cannot reach the database of DATABASE_URL \((?!.*hunter2).*ECONNREFUSED/],
    ],
    [
      'a data directory that is a file',
      { DATA_DIR: '/dev/null' },
      [/Cannot write the data directory .+ \(EEXIST\): make it a writable directory, or set DATA_DIR to/],
    ],
    ['a data directory in a file', { DATA_DIR: '/dev/null/in' }, [/ \(ENOTDIR\)/]],
  ] as [string, Record<string, string>, RegExp[]][])('are one line each: %s', async (_, env, lines) => {
    for (const args of [['serve'], CREATE_ACCOUNT]) {
      const end = await run(args, { env });
      expect([end.code, end.stdout]).toEqual([1, '']);
      const reported = end.stderr.trimEnd().split('\n');
      expect(reported).toEqual(lines.map((line) => expect.stringMatching(line)));
      expect(reported.every((text) => text.startsWith('revgate: '))).toBe(true);
    }
  });

  it('reports an embedded database that does not open, and changes nothing', async () => {
    const directory = testDirectory();
    mkdirSync(join(directory, 'pg'));
    writeFileSync(join(directory, 'pg', 'PG_VERSION'), 'not a version');
    const { code, stdout, stderr } = await run(['serve'], { env: { DATA_DIR: directory } });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.replaceAll(/^revgate: /gm, '')).toMatch(
      /^The embedded database in .+ does not open \(.+\)[\s\S]+There is no snapshot of it in .+\n {2}mv .+\n.+revgate restore FILE\n$/,
    );
    expect(stderr).not.toMatch(/^revgate: +at /m);
    expect(readFileSync(join(directory, 'pg', 'PG_VERSION'), 'utf8')).toBe('not a version');
    // Nor does the failed start hold the directory.
    expect(readdirSync(directory)).toEqual(['pg']);
  });
});
