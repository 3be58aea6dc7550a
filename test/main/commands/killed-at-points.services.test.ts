import { connect } from 'node:net';
import pg, { type Client } from 'pg';
import { expect, it } from 'vitest';
import { sampleNdjson } from '../../../src/startups/sample/sample.ts';
import { closeAfterwards } from '../../support/closing.ts';
import { createTestDatabase } from '../../support/database.ts';
import { type BuiltServer, serveBuilt } from './built-command.ts';
import { run, testDirectory } from './process.ts';

/** Where an import is killed: it waits there for a table that the test has locked. The rest happens by itself. */
const points = [
  { point: 'while its body is received', lock: undefined },
  { point: 'while it is planned', lock: 'startups IN ACCESS EXCLUSIVE' },
  { point: 'before it writes', lock: 'startups IN SHARE' },
  { point: 'while it applies', lock: 'market_days IN ACCESS EXCLUSIVE' },
  { point: 'before it is recorded', lock: 'imports IN SHARE' },
  { point: 'before its result is stored', lock: 'idempotent_imports IN SHARE' },
  // Statistics are brought up to date after the commit, and before the response.
  { point: 'after its commit, before its response', lock: 'pg_statistic IN SHARE', isDone: true },
] as const;

const COUNT = 200;
/** A body of other values than the last one. */
const bodyOf = (round: number) =>
  Buffer.from(
    [...sampleNdjson({ count: COUNT, seed: 1 })].join('').replaceAll('"customers":', `"customers":${round}`),
  );

// One database; each server continues where the last one was killed.
it('a server that is killed at any point of an import has imported all of it or nothing', async () => {
  const url = await createTestDatabase();
  const env = { DATABASE_URL: url, HOST: '127.0.0.1' };
  const cwd = testDirectory();
  // What a transaction sees of other sessions does not change.
  const [client, holder] = [0, 1].map(() => new pg.Client({ connectionString: url })) as [Client, Client];
  for (const one of [client, holder]) {
    await one.connect();
    closeAfterwards(() => one.end());
    await one.query("SET application_name = 'test'");
  }
  const account = ['--name', 'Ada', '--email', 'ada@example.com', '--operator'];
  await run(['accounts', 'create', ...account], { env, cwd });
  const create = ['tokens', 'create', '--name', 'x', '--account', 'ada@example.com', '--json'];
  const created = await run(create, { env, cwd });
  const { token } = JSON.parse(created.stdout);

  const ask = (server: BuiltServer, round: number) =>
    fetch(`${server.url}/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': `k${round}` },
      body: bodyOf(round),
    });
  /** The stored figures, the list of imports and the results for keys: what an import writes. */
  const written = async () => {
    const { rows } = await client.query(
      `SELECT (SELECT json_agg(s ORDER BY id)::text FROM (SELECT id, slug, customers FROM startups) AS s) AS startups,
         (SELECT count(*)::int FROM imports) AS imports, (SELECT count(*)::int FROM idempotent_imports) AS results,
         (SELECT count(*)::int FROM audit_log WHERE action = 'startups.import') AS audited`,
    );
    return rows[0];
  };
  /** Whether other sessions of the database are in this condition. */
  const hasOthers = async (condition = 'true'): Promise<boolean> => {
    const other = "datname = current_database() AND application_name <> 'test'";
    const { rows } = await client.query(`SELECT FROM pg_stat_activity WHERE ${other} AND ${condition}`);
    return rows.length > 0;
  };

  let server = await serveBuilt(env, { cwd });
  expect((await ask(server, 1)).status).toBe(200);
  for (const [index, { point, lock, ...rest }] of points.entries()) {
    const round = index + 2;
    const before = await written();
    const body = bodyOf(round);
    if (lock !== undefined) {
      await holder.query(`BEGIN; LOCK TABLE ${lock} MODE`);
    }
    let received = '';
    const socket = connect(server.port, '127.0.0.1').on('error', () => {});
    socket.on('data', (data) => {
      received += data;
    });
    socket.write(
      `POST /import HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nIdempotency-Key: k${round}\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    await new Promise<void>((resolve) => {
      socket.write(lock === undefined ? body.subarray(0, -1) : body, () => resolve());
    });
    if (lock !== undefined) {
      const isWaiting = () => hasOthers("wait_event_type = 'Lock' AND backend_type = 'client backend'");
      await expect.poll(isWaiting).toBe(true);
    }
    await server.kill();
    socket.destroy();
    if (lock !== undefined) {
      await holder.query('ROLLBACK');
    }
    await expect.poll(() => hasOthers()).toBe(false);
    expect([point, received]).toEqual([point, '']);
    const isDone = 'isDone' in rest;
    const { startups, ...counts } = await written();
    const countsAfter = (more: number) => {
      const { imports, results, audited } = before;
      return { imports: imports + more, results: results + more, audited: audited + more };
    };
    expect([point, counts]).toEqual([point, countsAfter(Number(isDone))]);
    expect([point, startups === before.startups]).toEqual([point, !isDone]);
    server = await serveBuilt(env, { cwd });
    const repeated = await ask(server, round);
    expect([point, repeated.status]).toEqual([point, 200]);
    expect(repeated.headers.get('idempotency-replayed')).toBe(isDone ? 'true' : null);
    expect(await repeated.json()).toMatchObject({ records: COUNT, updated: COUNT, errorCount: 0 });
    expect(await written()).toMatchObject(countsAfter(1));
  }
}, 900_000);
