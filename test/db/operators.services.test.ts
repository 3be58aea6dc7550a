import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { CREATE_KEY } from '../main/commands/databases.ts';
import { run, serve, testDirectory } from '../main/commands/process.ts';
import { startCluster } from '../support/cluster.ts';
import { openTestGateway, type TestGateway } from '../support/gateway.ts';
import { record } from '../support/records.ts';

const cluster = await startCluster();

async function asSuperuser(sql: string, database = 'postgres') {
  const client = new pg.Client({ connectionString: addressOf('postgres', database) });
  await client.connect();
  try {
    const results = [];
    for (const statement of sql.split(';')) {
      results.push(await client.query(statement));
    }
    return results.at(-1)?.rows;
  } finally {
    await client.end();
  }
}

function addressOf(role: string, database: string, query = ''): string {
  return `postgres://${role}@127.0.0.1:${cluster.port}/${database}${query}`;
}

let count = 0;
/** A database, its name and that of a role without rights of its own. */
async function createPlace(prepare: string, options = ''): Promise<{ role: string; database: string }> {
  count += 1;
  const [role, database] = [`role${count}`, `db${count}`];
  await asSuperuser(`CREATE ROLE ${role} LOGIN; CREATE DATABASE ${database} ${options}`);
  const fill = (sql: string): string => sql.replaceAll('$role', role).replaceAll('$db', database);
  await asSuperuser(fill(prepare), database);
  return { role, database };
}

const OWNED = 'ALTER DATABASE $db OWNER TO $role';
const GRANTED = 'GRANT USAGE, CREATE ON SCHEMA public TO $role';

describe('serve, a command and the doctor say the same, with the statement that helps', () => {
  it.each<[Refused, RegExp, RegExp]>([
    [
      { prepare: OWNED, options: "ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0" },
      /its encoding is LATIN1, .+/,
      /CREATE DATABASE "db\d+_utf8" OWNER "role\d+" TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'/,
    ],
    [
      { prepare: 'SELECT 1' },
      /permission denied for schema "public"/,
      /GRANT USAGE, CREATE ON SCHEMA "public" TO "role\d+"/,
    ],
    [
      { prepare: `${GRANTED}; CREATE TABLE _prisma_migrations (id integer)` },
      /its tables in schema "public" belong to another role/,
      /GRANT "postgres" TO "role\d+"/,
    ],
    [
      { prepare: `${GRANTED}; REVOKE TEMPORARY ON DATABASE $db FROM PUBLIC` },
      /permission denied to create temporary tables, which imports need/,
      /GRANT TEMPORARY ON DATABASE "db\d+" TO "role\d+"/,
    ],
    [
      { prepare: 'REVOKE CONNECT ON DATABASE $db FROM PUBLIC' },
      /permission denied for database "db\d+"/,
      /GRANT CONNECT ON DATABASE "db\d+" TO "role\d+"/,
    ],
    [
      { prepare: `${OWNED}; ALTER ROLE $role SET default_transaction_read_only = on` },
      /its transactions are read-only/,
      /ALTER ROLE "role\d+" IN DATABASE "db\d+" SET default_transaction_read_only = off/,
    ],
    [
      { prepare: `${OWNED}; ALTER ROLE $role SET search_path = nowhere` },
      /no schema of the search_path exists, or this role may use none/,
      /CREATE SCHEMA IF NOT EXISTS "role\d+" AUTHORIZATION "role\d+"; ALTER ROLE .+ SET search_path = "role\d+"/,
    ],
    [
      { prepare: OWNED, query: '?schema=gate' },
      /schema=gate is asked for, but a connection works in schema "public"/,
      /CREATE SCHEMA IF NOT EXISTS "gate" AUTHORIZATION "role\d+"; ALTER ROLE .+ SET search_path = "gate"/,
    ],
    [{ prepare: OWNED, database: 'none' }, /database "none" does not exist/, /CREATE DATABASE "none"/],
    [{ prepare: OWNED, role: 'nobody' }, /role "nobody" does not exist/, /CREATE ROLE "nobody" LOGIN/],
  ])('%j', async (refused, reason, statement) => {
    const place = { ...(await createPlace(refused.prepare, refused.options)), ...refused };
    const env = { DATABASE_URL: addressOf(place.role, place.database, refused.query) };
    const cwd = testDirectory();
    const whole = `^revgate: Cannot .+ of DATABASE_URL \\(.*${reason.source}\\): .*${statement.source}.*\n$`;
    for (const args of [['serve'], ['keys', 'list']]) {
      const stderr = expect.stringMatching(new RegExp(whole));
      expect(await run(args, { env, cwd })).toMatchObject({ code: 1, stderr });
    }
    const { stdout } = await run(['doctor', '--json'], { env, cwd });
    const found = JSON.parse(stdout).checks.filter(({ check }: { check: string }) => check === 'database');
    const [message, fix] = [expect.stringMatching(reason), expect.stringMatching(statement)];
    expect(found).toEqual([{ check: 'database', verdict: 'error', message, fix }]);
  });

  it('a standby', async () => {
    const standby = await cluster.standby();
    const { stderr } = await run(['serve'], { env: { DATABASE_URL: standby.url }, cwd: testDirectory() });
    expect(stderr).toMatch(/\(it is a standby, which is read-only\): use the address of the primary, .+\n$/);
  });
});

interface Refused {
  prepare: string;
  options?: string;
  query?: string;
  role?: string;
  database?: string;
}

const IN_GATE = 'CREATE SCHEMA gate AUTHORIZATION $role; REVOKE ALL ON SCHEMA public FROM PUBLIC';

describe('the tables are in the current schema of the connection', () => {
  it.each([
    ['that of the role', 'CREATE SCHEMA $role AUTHORIZATION $role', '', undefined],
    ['the search_path of the role', `${IN_GATE}; ALTER ROLE $role SET search_path = gate`, '', 'gate'],
    ['the search_path of the database', `${IN_GATE}; ALTER DATABASE $db SET search_path = gate`, '', 'gate'],
    ['the search_path in the URL', IN_GATE, '?options=-c%20search_path%3Dgate', 'gate'],
    ['the schema in the URL', `${IN_GATE}; ALTER ROLE $role SET search_path = gate`, '?schema=gate', 'gate'],
  ])('%s', async (_name, prepare, query, schema) => {
    const { role, database } = await createPlace(prepare);
    const env = { DATABASE_URL: addressOf(role, database, query) };
    const options = { env, cwd: testDirectory() };
    const server = await serve(env, options);
    expect(server.stdout()).toContain('Created the tables');
    const { stdout: sample } = await run(['sample', '--count', '20']);
    expect(await run(['import', '-'], { ...options, stdin: sample })).toMatchObject({ code: 0 });
    expect(await run(CREATE_KEY, options)).toMatchObject({ code: 0 });
    const doctor = await run(['doctor'], options);
    expect(doctor.stdout).toContain(`, schema ${schema ?? role}, is up to date.`);
    expect(await server.stop()).toBe(0);
    const rows = await asSuperuser(
      `SELECT DISTINCT schemaname FROM pg_tables WHERE schemaname !~ '^(pg_|information_schema)'`,
      database,
    );
    expect(rows).toEqual([{ schemaname: schema ?? role }]);
  });

  it('of two revgates in one database, which share nothing', async () => {
    const { database } = await createPlace('CREATE SCHEMA one; CREATE SCHEMA two');
    // The tables of the other one are in the path too.
    const paths = ['one,two', 'two,one'];
    const [one, two] = paths.map((path) =>
      addressOf('postgres', database, `?options=-c%20search_path%3D${path}`),
    );
    const open = (url = '', node = '') => openDatabase({ kind: 'server', url, node }, () => {});
    const databases = [await open(one, 'a:1'), await open(two, 'b:2')];
    const gateways: { gateway: TestGateway; key: string }[] = [];
    expect(databases.map(({ isNew }) => isNew)).toEqual([true, true]);
    for (const [index, database] of databases.entries()) {
      const gateway = await openTestGateway({ database, limits: 10_000, records: [record(`of-${index}`)] });
      gateways.push({ gateway, key: (await gateway.key()).key });
    }
    for (const [index, { gateway, key }] of gateways.entries()) {
      const slugs = async () =>
        (await gateway.call('/api/v1/startups', { key })).json.data.map(({ slug }: { slug: string }) => slug);
      await expect.poll(slugs).toEqual([`of-${index}`]);
      const other = await gateway.call('/api/v1/startups', { key: gateways[1 - index]?.key ?? '' });
      expect(other.status).toBe(401);
    }
    // An import of one does not wait for that of the other, nor does it refuse it.
    const importing = await databases[0]?.connect();
    await importing?.query(
      "BEGIN; SELECT pg_advisory_xact_lock(7262113, 'startups'::regclass::oid::integer)",
    );
    const cwd = testDirectory();
    for (const [args, DATABASE_URL = ''] of [
      [['backup', 'two.jsonl.gz'], two],
      [['restore', 'two.jsonl.gz', '--yes'], one],
    ] as const) {
      expect(await run([...args], { env: { DATABASE_URL }, cwd })).toMatchObject({ code: 0 });
    }
    await importing?.end();
    // A session that is led to the other tables changes nothing.
    const changed = databases[0]?.pool.query('UPDATE two.startups SET name = name');
    await expect(changed).rejects.toThrow('search_path does not lead to the tables of schema two');
    for (const { gateway } of gateways) {
      await gateway.close();
    }
    for (const each of databases) {
      await each.close();
    }
  });
});

it('of two nodes that start together on an empty database, one says that it created the tables', async () => {
  const { role, database } = await createPlace(OWNED);
  const env = { DATABASE_URL: addressOf(role, database) };
  const nodes = await Promise.all([serve(env), serve(env)]);
  const created = nodes.filter((node) => node.stdout().includes('Created the tables'));
  expect(created).toHaveLength(1);
});
