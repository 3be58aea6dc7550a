import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { findFreePort } from '../support/free-port.ts';
import { openTestGateway } from '../support/gateway.ts';
import { record } from '../support/records.ts';

const script = fileURLToPath(new URL('../../examples/crawl.mjs', import.meta.url));
const slugs = Array.from({ length: 45 }, (_, i) => `s-${i}`);

/** The time of the gateway. */
let at = Date.now();
const statuses: number[] = [];
/** Called after each answer. */
let onAnswer = (): void => {};

const records = slugs.map((slug, i) => record(slug, { onSale: i < 5 }));
const gateway = await openTestGateway({
  records,
  limits: { standard: 3, premium: 60 },
  now: () => at,
});
const url = await gateway.listen(async (request) => {
  const response = await gateway.handle(request);
  statuses.push(response.status);
  onAnswer();
  return response;
});

const runAt = (url: string, key: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [script, ...args], { env: { REVGATE_URL: url, REVGATE_KEY: key } });
const run = (key: string, ...args: string[]) => runAt(url, key, ...args);
const slugsOf = (stdout: string): string[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).slug);

it('reads the list of an argument', async () => {
  const { key } = await gateway.key({ tier: 'premium' });
  const filtered = await run(key, '{"filter":{"onSale":true},"sort":"REVENUE_ASC"}');
  expect(slugsOf(filtered.stdout)).toEqual(slugs.slice(0, 5));
});

it('reads a whole list, and waits for the next window rather than being refused', async () => {
  const { key } = await gateway.key();
  statuses.length = 0;
  onAnswer = () => {
    // The last response of the window says that it ends in two seconds, and then it does.
    at += { 2: 58_000, 3: 2_000 }[statuses.length] ?? 0;
  };
  const { stdout, stderr } = await run(key);
  expect(slugsOf(stdout)).toEqual(slugs);
  expect(stderr).toMatch(/Waiting \d s for the next window/);
  expect(statuses).toEqual([200, 200, 200, 200, 200]);
});

it('reports why the server cannot be reached', async () => {
  const closed = `http://127.0.0.1:${await findFreePort()}`;
  await expect(runAt(closed, 'rvg_any')).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: `${closed}: connect ECONNREFUSED ${new URL(closed).host}\n`,
  });
});

it('reports what was wrong with a request', async () => {
  const { key } = await gateway.key({ tier: 'premium' });
  await expect(run(key, '{"sort":"NEWEST"}')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^BAD_USER_INPUT: .*NEWEST/),
  });
  await expect(run('rvg_wrong')).rejects.toMatchObject({
    stderr: expect.stringMatching(/^UNAUTHENTICATED: /),
  });
});
