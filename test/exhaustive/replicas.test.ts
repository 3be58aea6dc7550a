import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { importStartups } from '../../src/startups/import/import.ts';
import { testDirectory } from '../main/commands/process.ts';
import { input, ndjson } from '../startups/import/inputs.ts';
import { openTestGateway } from '../support/gateway.ts';
import { record } from '../support/records.ts';
import { seededRandom, testSeed } from '../support/runs.ts';

const REPLICAS = Number(process.env.TEST_REPLICAS ?? 100);
const AT_A_TIME = 4;
const STARTUPS = 2_000;
const script = fileURLToPath(new URL('../../examples/mirror.mjs', import.meta.url));

const random = seededRandom(testSeed());
const below = (end: number): number => Math.floor(random() * end);
const slugs = Array.from({ length: STARTUPS }, (_, index) => `s-${index}`);
const gateway = await openTestGateway({
  records: slugs.map((slug) => record(slug, { description: 'A text that is not short. '.repeat(9) })),
  limits: 1_000_000,
});
const url = await gateway.listen();

/** Brings a replica up to date, in a process of its own; tells how it ended, and what it said. */
async function mirror(file: string, key: string, killAfterMs?: number) {
  const child = spawn(process.execPath, [script, file], {
    env: { REVGATE_URL: url, REVGATE_KEY: key, LIMIT: '100' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  if (killAfterMs !== undefined) {
    await wait(killAfterMs);
    child.kill('SIGKILL');
  }
  return { code: await ended, stderr };
}

/** Changes, adds and removes startups until it is told to stop. */
async function importMeanwhile(signal: AbortSignal): Promise<number> {
  const client = await gateway.database.connect();
  let imports = 0;
  for (; !signal.aborted; imports += 1) {
    const changed = Array.from({ length: 1 + below(50) }, () =>
      record(slugs[below(STARTUPS)] as string, { customers: below(1_000) }),
    );
    const records = [...new Map(changed.map((one) => [one.slug, one])).values(), record(`new-${imports}`)];
    const inputs = [input('a.ndjson', ndjson(...records))];
    await importStartups({ client, kind: gateway.database.kind, inputs });
    await client.query('DELETE FROM startups WHERE slug = $1', [`new-${below(imports + 1)}`]);
    await wait(below(300));
  }
  await client.end();
  return imports;
}

it('replicas of a snapshot and the changes after it equal the data, although some are killed', {
  timeout: 1_800_000,
}, async () => {
  const keys: string[] = [];
  for (let index = 0; index < REPLICAS; index += 1) {
    keys.push((await gateway.key({ tier: 'premium', snapshot: true })).key);
  }
  const stop = new AbortController();
  const importing = importMeanwhile(stop.signal);
  const replicas: { readonly file: string; readonly key: string }[] = [];
  const directory = testDirectory();
  const make = async (): Promise<void> => {
    while (replicas.length < REPLICAS) {
      const index = replicas.length;
      const replica = { file: join(directory, `${index}.ndjson`), key: keys[index] as string };
      const { file, key } = replica;
      const isKilled = index % 2 === 1;
      replicas.push(replica);
      await mirror(file, key, isKilled ? below(1_500) : undefined);
      // Those that were killed resume, those that were not follow.
      expect(await mirror(file, key)).toEqual({ code: 0, stderr: expect.stringMatching(/^(?!.*CURSOR)/s) });
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, make));
  stop.abort();
  expect(await importing).toBeGreaterThan(5);
  const { rows } = await gateway.database.pool.query("SELECT value FROM revisions WHERE name = 'dataset'");
  const { key } = await gateway.key({ snapshot: true });
  const version = async () =>
    (await gateway.graphql('{ dataset { version } }', {}, { key })).json.data.dataset.version;
  await expect.poll(version, { timeout: 20_000 }).toBe(String(rows[0].value));
  const { text } = await gateway.call('/api/v1/snapshot', { key });
  const bySlug = (lines: string) =>
    new Map(
      lines
        .trimEnd()
        .split('\n')
        .map((line) => {
          const { active: _, ...startup } = JSON.parse(line);
          return [startup.slug, startup];
        }),
    );
  const { rows: stored } = await gateway.database.pool.query('SELECT slug FROM startups');
  const expected = bySlug(text);
  expect([...expected.keys()].sort()).toEqual(stored.map(({ slug }) => slug).sort());
  for (const { file, key } of replicas) {
    expect(await mirror(file, key)).toEqual({ code: 0, stderr: expect.stringMatching(/^(?!.*CURSOR)/s) });
    expect(bySlug(readFileSync(file, 'utf8'))).toEqual(expected);
  }
});
