import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { sampleNdjson } from '../../../src/startups/sample/sample.ts';
import { serveBuilt } from './built-command.ts';
import { run, testDirectory } from './process.ts';

const cwd = testDirectory();
const env = { DATA_DIR: 'data' };
const COUNT = 4_000;
const ACCOUNT = ['--name', 'Ada', '--email', 'ada@example.com', '--operator'];

async function json(...args: string[]) {
  const { stdout, stderr } = await run([...args, '--json'], { env, cwd });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

/** A body of other values than the last one. */
const bodyOf = (round: number): string =>
  [...sampleNdjson({ count: COUNT, seed: 1 })].join('').replaceAll('"customers":', `"customers":${round}`);

// One database; each server continues where the last one was killed. Commands use the server that runs: by itself, each
// would start an engine of its own.
it('a server that is killed during an import has imported all of it or nothing, and leaves no file', async () => {
  const serve = () => serveBuilt({ ...env, HOST: '127.0.0.1' }, { cwd });
  let server = await serve();
  await run(['accounts', 'create', ...ACCOUNT], { env, cwd });
  const { token } = await json('tokens', 'create', '--name', 'x', '--account', 'ada@example.com');
  let imports = (await json('imports')).length;
  for (const [index, ms] of [-1, 0, 100, 300, 600].entries()) {
    const round = index + 1;
    const body = Buffer.from(bodyOf(round));
    const socket = connect(server.port, '127.0.0.1').on('error', () => {});
    const head = `POST /import HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nIdempotency-Key: k${round}\r\nContent-Length: ${body.length}\r\n\r\n`;
    socket.write(head);
    await new Promise<void>((resolve) => {
      socket.write(ms < 0 ? body.subarray(0, -1) : body, () => resolve());
    });
    await wait(Math.max(ms, 0));
    await server.kill();
    socket.destroy();
    expect(readdirSync(join(cwd, 'data')).filter((name) => name.startsWith('.staged'))).toEqual([]);
    server = await serve();
    // What this start finds.
    const listed = await json('imports');
    const isDone = listed.length > imports;
    expect(isDone && ms < 0).toBe(false);
    const again = await fetch(`${server.url}/import?dryRun=true`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body,
    });
    const { created, updated, unchanged } = (await again.json()) as Record<string, number>;
    expect([created, updated, unchanged]).toContain(COUNT);
    expect(unchanged === COUNT).toBe(isDone);
    const repeated = await fetch(`${server.url}/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': `k${round}` },
      body,
    });
    expect(repeated.status).toBe(200);
    expect(repeated.headers.get('idempotency-replayed')).toBe(isDone ? 'true' : null);
    imports = (await json('imports')).length;
  }
}, 900_000);

it('an import over HTTP goes on while commands in a second terminal begin and end', async () => {
  const server = await serveBuilt({ ...env, HOST: '127.0.0.1' }, { cwd });
  await run(['accounts', 'create', ...ACCOUNT], { env, cwd });
  const { token } = await json('tokens', 'create', '--name', 'y', '--account', 'ada@example.com');
  let answered: Response | undefined;
  const sent = fetch(`${server.url}/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: bodyOf(9),
  }).then((answer) => {
    answered = answer;
  });
  let commands = 0;
  for (; answered === undefined; commands += 1) {
    expect(await run(['keys', 'list'], { env, cwd })).toMatchObject({ code: 0 });
  }
  await sent;
  expect([answered.status, await answered.json()]).toMatchObject([200, { records: COUNT }]);
  expect(commands).toBeGreaterThan(2);
  await server.kill();
}, 60_000);
