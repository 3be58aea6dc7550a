import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type DatabaseLocation, openDatabase } from '../../src/db/open.ts';
import { run, testDirectory } from '../main/commands/process.ts';
import { program } from '../support/cluster.ts';
import { createTestDatabase } from '../support/database.ts';
import { openTestGateway } from '../support/gateway.ts';
import { onPostgres } from '../support/only.ts';
import { insertRecords, record } from '../support/records.ts';

/** Serves a database for a while. */
async function serving<T>(location: DatabaseLocation, work: (node: Node) => Promise<T>): Promise<T> {
  const database = await openDatabase(location, () => {});
  const gateway = await openTestGateway({ database, limits: 10_000 });
  const { key } = await gateway.key();
  const changes = async (since?: string) => {
    const query = since === undefined ? '' : `?since=${since}`;
    const { status, json } = await gateway.call(`/api/v1/changes${query}`, { key });
    const slugs: string[] = (json.data ?? []).map((one: { slug: string }) => one.slug);
    return { status, next: json.meta?.next as string, slugs };
  };
  /** Adds startups one by one, and waits for the node to notice. */
  const add = async (...slugs: string[]) => {
    for (const slug of slugs) {
      await insertRecords(database, [record(slug)]);
    }
    await expect.poll(async () => (await changes()).slugs).toEqual(expect.arrayContaining(slugs));
  };
  try {
    return await work({ changes, add });
  } finally {
    await gateway.close();
    await database.close();
  }
}

interface Node {
  add(...slugs: string[]): Promise<void>;
  changes(since?: string): Promise<{ status: number; next: string; slugs: string[] }>;
}

/** Adds a startup that the restored state lacks; returns the cursor after it. */
const addLost = async ({ add, changes }: Node): Promise<string> => {
  await add('lost');
  return (await changes()).next;
};

/** Whether the cursor expires, also once the revisions have passed it. */
const expectExpired = async ({ add, changes }: Node, cursor: string): Promise<void> => {
  expect((await changes(cursor)).status).toBe(410);
  await add('b', 'c', 'd');
  expect((await changes(cursor)).status).toBe(410);
  expect((await changes()).slugs).toEqual(['a', 'b', 'c', 'd']);
};

onPostgres.it('cursors of changes expire when pg_restore brings back an earlier state', async () => {
  const url = await createTestDatabase();
  const location = { kind: 'server', url } as const;
  const dump = join(testDirectory(), 'dump');
  await serving(location, ({ add }) => add('a'));
  execFileSync(program('pg_dump'), ['-Fc', '-f', dump, url]);
  const cursor = await serving(location, addLost);
  execFileSync(program('pg_restore'), ['--clean', '-d', url, dump]);
  await serving(location, (node) => expectExpired(node, cursor));
});

it('cursors of changes expire when an earlier copy of the files is put back and `restored` says so', async () => {
  const cwd = testDirectory();
  const directory = join(cwd, 'data');
  const location = { kind: 'embedded', directory } as const;
  await serving(location, ({ add }) => add('a'));
  cpSync(directory, `${directory}.copy`, { recursive: true });
  const cursor = await serving(location, addLost);
  rmSync(directory, { recursive: true });
  cpSync(`${directory}.copy`, directory, { recursive: true });
  const env = { DATA_DIR: directory };
  const stdout = 'All cursors of changes have expired: clients that keep a copy read everything again.\n';
  expect(await run(['restored'], { cwd, env })).toEqual({ code: 0, stdout, stderr: '' });
  expect((await run(['audit', '--json'], { cwd, env })).stdout).toContain('"data.restore"');
  await serving(location, (node) => expectExpired(node, cursor));
});
