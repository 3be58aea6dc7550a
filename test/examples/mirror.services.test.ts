import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, it } from 'vitest';
import { testDirectory } from '../main/commands/process.ts';
import { endWithRunner } from '../support/end-with-runner.ts';
import { openTestGateway, type TestGateway } from '../support/gateway.ts';
import { insertRecords, record } from '../support/records.ts';
import { seededRandom, testSeed } from '../support/runs.ts';

const script = fileURLToPath(new URL('../../examples/mirror.mjs', import.meta.url));
const LIMITS = { standard: 3, premium: 1_000_000 };

let gateway: TestGateway;
let url: string;
let directory: string;
let file: string;
let key: string;
/** The time of the gateway. */
let at = Date.now();
const statuses: number[] = [];
/** Called after each answer. */
let onAnswer: () => void = () => {};
beforeEach(async () => {
  statuses.length = 0;
  onAnswer = () => {};
  directory = testDirectory();
  file = join(directory, 'startups.ndjson');
  gateway = await openTestGateway({
    records: Array.from({ length: 45 }, (_, index) =>
      record(`s-${index}`, {
        teamSize: '51+',
        active: index % 3 > 0,
        description: 'Cut in lists. '.repeat(20),
      }),
    ),
    limits: LIMITS,
    now: () => at,
  });
  ({ key } = await gateway.key({ tier: 'premium' }));
  url = await gateway.listen(async (request) => {
    const response = await gateway.handle(request);
    statuses.push(response.status);
    onAnswer();
    return response;
  });
});

/** Runs the script until it ends or is killed. */
async function run(
  options: { key?: string; limit?: string; interval?: string; onStart?: (kill: () => void) => void } = {},
) {
  const child = spawn(process.execPath, [script, file], {
    env: {
      REVGATE_URL: url,
      REVGATE_KEY: options.key ?? key,
      LIMIT: options.limit ?? '10',
      ...(options.interval === undefined ? {} : { INTERVAL: options.interval }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  endWithRunner(child);
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  options.onStart?.(() => child.kill('SIGKILL'));
  return { code: await ended, stderr };
}

/** The lines of the copy by slug, each slug once. */
function copy(): Map<string, unknown> {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const startups = new Map(lines.map((line) => [JSON.parse(line).slug, JSON.parse(line)]));
  expect(startups.size).toBe(lines.length);
  return startups;
}

/** Waits until the gateway has what the database has; gives it without ranks, by slug. */
async function dataset(): Promise<Map<string, unknown>> {
  const { rows } = await gateway.database.pool.query("SELECT value FROM revisions WHERE name = 'dataset'");
  const query = '{ dataset { version total } }';
  const ask = async () => (await gateway.graphql(query, {}, { key })).json.data.dataset;
  await expect.poll(async () => (await ask()).version).toBe(String(rows[0].value));
  const startups = new Map<string, unknown>();
  // Whatever the copy was read from, its records are whole.
  const stored = await gateway.database.pool.query('SELECT slug, active, description FROM startups');
  for (const { slug, active, description } of stored.rows) {
    const { rank: _rank, ...startup } = (await gateway.call(`/api/v1/startups/${slug}`, { key })).json.data;
    startups.set(slug, { ...startup, active, description });
  }
  return startups;
}

it.each([
  ['changes', {}],
  ['a snapshot', { snapshot: true }],
])(
  'begun with %s, survives being killed at any point, while data changes and is restored',
  async (_, rights) => {
    ({ key } = await gateway.key({ tier: 'premium', ...rights }));
    const random = seededRandom(testSeed());
    const { prisma, pool } = gateway.database;
    let [kills, expired, customers] = [0, 0, 100];
    // On a slow machine, more of them end before they are killed.
    for (let round = 0; round < 20 || kills <= 8 || expired === 0; round += 1) {
      const answers = 1 + Math.floor(random() * 4);
      const delay = random() < 0.3 ? 0 : random() * 12;
      const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
      statuses.length = 0;
      // Another snapshot can be had.
      at += 3_600_000;
      const { code } = await run({
        limit: '5',
        onStart: (kill) => {
          onAnswer = () => {
            if (statuses.length === answers) {
              void wait(delay).then(kill);
            }
          };
        },
      });
      kills += code === null ? 1 : 0;
      expired += statuses.includes(410) ? 1 : 0;
      // Whatever it was doing, the copy is whole: the one before or another one.
      if (existsSync(file)) {
        copy();
      } else {
        expect(before).toBeUndefined();
      }
      customers += 1;
      const slug = `s-${Math.floor(random() * 45)}`;
      if (random() < 0.3) {
        await prisma.startup.updateMany({ where: { slug: { not: slug } }, data: { customers } });
      } else if (random() < 0.6) {
        await prisma.startup.deleteMany({ where: { slug } });
      } else {
        await insertRecords(gateway.database, [record(`new-${round}`)]);
      }
      if (round % 8 === 4) {
        // Ids that change end all cursors.
        await pool.query('UPDATE startups SET id = id + 1000');
        await pool.query(
          "SELECT setval(pg_get_serial_sequence('startups', 'id'), (SELECT max(id) FROM startups))",
        );
      }
      // Sometimes the gateway knows already, sometimes it learns meanwhile.
      if (round % 4 === 1) {
        await dataset();
      }
    }
    onAnswer = () => {};
    const expected = await dataset();
    expect(await run({ limit: '5' })).toMatchObject({ code: 0 });
    expect(copy()).toEqual(expected);
  },
);

it('waits for the next window where the budget is used up, refused or not', async () => {
  const standard = (await gateway.key()).key;
  const expected = await dataset();
  for (let request = 0; request < LIMITS.standard; request += 1) {
    await gateway.call('/api/v1/startups', { key: standard });
  }
  // The last response of a window says that it ends in two seconds, and then it does.
  at += 58_000;
  onAnswer = () => {
    at += { 1: 2_000, 3: 58_000, 4: 2_000, 6: 58_000, 7: 2_000 }[statuses.length] ?? 0;
  };
  const { code, stderr } = await run({ key: standard });
  expect([code, statuses]).toEqual([0, [429, 403, 200, 200, 200, 200, 200, 200]]);
  expect(stderr).toMatch(
    /^Records read: 0\. Waiting 2 s\nSNAPSHOT_NOT_ALLOWED: .+\nReading everything: about 45 startups\nRecords read: 10 of about 45\. Waiting [12] s\nRecords read: 40 of about 45\. Waiting [12] s\n$/,
  );
  expect(copy()).toEqual(expected);
});

it('works on a file in one process at a time, and after one that was killed', async () => {
  const expected = await dataset();
  const inUse = { code: 1, stderr: `${file} is in use by another process: wait until that has finished\n` };
  const together = await Promise.all([run(), run(), run()]);
  expect(together.map(({ code }) => code)).toContain(0);
  for (const ended of together.filter(({ code }) => code !== 0)) {
    expect(ended).toEqual(inUse);
  }
  expect(copy()).toEqual(expected);
  await gateway.database.pool.query("UPDATE startups SET customers = 7 WHERE slug = 's-3'");
  const changed = await dataset();
  let kill = (): void => {};
  // It keeps the file until the next interval.
  const first = run({
    interval: '3600',
    onStart: (killFirst) => {
      kill = killFirst;
    },
  });
  await expect.poll(() => copy().get('s-3')).toEqual(changed.get('s-3'));
  expect(await run()).toEqual(inUse);
  kill();
  expect((await first).code).toBeNull();
  expect(readdirSync(directory).some((name) => name.includes('.lock-'))).toBe(true);
  expect(await run()).toMatchObject({ code: 0 });
  expect(copy()).toEqual(changed);
  expect(readdirSync(directory).sort()).toEqual(['startups.ndjson', 'startups.ndjson.journal']);
});

it('reports what was wrong', async () => {
  const { code, stderr } = await run({ key: 'rvg_wrong' });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^UNAUTHENTICATED: .+\n$/)]);
  expect(existsSync(file)).toBe(false);
});

it.each(['60s', '-1', '0', '9999999'])('does not repeat with an INTERVAL of %s', async (interval) => {
  const { code, stderr } = await run({ interval });
  expect([code, stderr]).toEqual([2, `INTERVAL: got "${interval}", allowed: seconds, from 1 to 86400\n`]);
  expect(statuses).toEqual([]);
});

it('needs the name of a file', () => {
  const { status, stderr } = spawnSync(process.execPath, [script], { cwd: directory, encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^Usage: .+ FILE \(see --help\)\n$/)]);
  expect(readdirSync(directory)).toEqual([]);
});
