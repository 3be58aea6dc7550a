import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { MIGRATIONS, migrate, readMigrations } from '../../../src/db/migrate.ts';
import { type Database, type DatabaseLocation, openDatabase } from '../../../src/db/open.ts';
import type { CommandEnvironment } from '../../../src/main/command-line/command.ts';
import { createProgram } from '../../../src/main/program.ts';
import { createTestDatabase } from '../../support/database.ts';
import { CREATE_KEY, using } from './databases.ts';
import { run, serve, testDirectory } from './process.ts';

const shipped = readMigrations(MIGRATIONS);
const names = shipped.map(({ name }) => name);
const OLD = names.slice(0, 4);
const NEWEST = names.at(-1) ?? '';

const readNames = ({ pool }: Database): Promise<string[]> =>
  pool
    .query('SELECT migration_name AS name FROM "_prisma_migrations" ORDER BY 1')
    .then(({ rows }) => rows.map(({ name }) => name));

async function dropTables({ pool }: Database): Promise<void> {
  const { rows } = await pool.query('SELECT quote_ident(current_schema()) AS schema');
  await pool.query(`DROP SCHEMA ${rows[0].schema} CASCADE; CREATE SCHEMA ${rows[0].schema}`);
}

/** Replaces the tables by those of an older version. */
async function makeOld(database: Database): Promise<void> {
  await dropTables(database);
  const client = await database.connect();
  await migrate(client, database.kind, shipped.slice(0, OLD.length));
  await client.end();
}

const makeNewer = async ({ pool }: Database): Promise<void> => {
  await pool.query(
    `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '9999_newer', now())`,
  );
};

/** A directory with the files that commands need, and what reads the migrations of its database. */
async function openPlace(isEmbedded: boolean) {
  const cwd = testDirectory();
  const record = {
    name: 'Acme',
    slug: 'acme',
    paymentProvider: 'stripe',
    customers: 3,
    activeSubscriptions: 2,
  };
  const revenue = { last30Days: 1, mrr: 1, total: 1 };
  writeFileSync(join(cwd, 'a.ndjson'), JSON.stringify({ ...record, revenue, onSale: false }));
  writeFileSync(join(cwd, 'a.graphql'), '{ dataset { total } }');
  const location: DatabaseLocation = isEmbedded
    ? { kind: 'embedded', directory: join(cwd, 'data') }
    : { kind: 'server', url: await createTestDatabase() };
  const env: Record<string, string> =
    location.kind === 'server' ? { DATABASE_URL: location.url } : { DATA_DIR: 'data' };
  return { cwd, location, options: { env, cwd } };
}

/** All commands that work on a database, apart from those that migrate it and the doctor. */
const COMMANDS = [
  'import a.ndjson',
  'import a.ndjson --dry-run',
  'imports',
  'undo --dry-run',
  'backup new.backup.gz',
  'restore a.ndjson --yes',
  'restored',
  CREATE_KEY.join(' ').replace('a test', 'test'),
  'keys list',
  'keys rotate k',
  'keys revoke k --yes',
  'keys disable k',
  'keys enable k',
  'keys tier k premium',
  'keys allow k snapshot',
  'keys forbid k snapshot',
  'keys limit k 5',
  'keys documents k any',
  'documents publish a.graphql --key k',
  'documents list --key k',
  'documents remove h --key k',
  'fields list',
  'fields add employees count',
  'fields label employees Staff',
  'fields remove employees --yes',
  'accounts create --name Ada',
  'accounts list',
  'accounts disable a',
  'accounts enable a',
  'accounts delete a --yes',
  'accounts promote a',
  'accounts demote a',
  'accounts reset-2fa a',
  'accounts password-link a',
  'tokens create --name t --account a',
  'tokens list',
  'tokens revoke t --yes',
  'mails release',
  'audit',
];

const PLACES = [
  ['an embedded database', true],
  ...(process.env.TEST_DATABASE_URL === undefined ? [] : [['PostgreSQL', false] as const]),
] as const;

describe.each(PLACES)('%s', (_name, isEmbedded) => {
  it('of an older version is changed only by a start of serve, one of a newer version by nothing', async () => {
    const { location, options } = await openPlace(isEmbedded);
    const runAll = async (commands: readonly string[], stderr: unknown): Promise<void> => {
      for (const command of commands) {
        expect(await run(command.split(' '), options), command).toEqual({ code: 1, stdout: '', stderr });
      }
    };
    const examine = async () => JSON.parse((await run(['doctor', '--json'], options)).stdout).checks;

    const old = await openDatabase(location, () => {});
    await makeOld(old);
    // The older version uses it.
    old.beginServing();
    const reason = `The database is of an older version of revgate: its last migration is ${OLD.at(-1)}, and this version needs ${NEWEST}. Nothing was changed.`;
    const fix =
      'Make a backup with the older version, which you need to go back. Then stop all servers, and run: npx revgate migrate';
    // Nor does migrate change an embedded one through the process that has it open.
    const commands = isEmbedded ? [...COMMANDS, 'migrate'] : COMMANDS;
    await runAll(commands, `revgate: ${reason}\nrevgate: ${fix}\n`);
    expect(await readNames(old)).toEqual(OLD);
    const outdated = { check: 'database', verdict: 'warning', message: reason, fix };
    expect(await examine()).toContainEqual(outdated);
    await old.close();

    const served = await serve(options.env, options);
    const applied = names.slice(OLD.length);
    expect(served.stdout()).toContain(`Migrated the database: applied ${applied.join(', ')}.\n`);
    const upToDate = { code: 0, stdout: '{"applied":[]}\n', stderr: '' };
    expect(await run(['migrate', '--json'], options)).toEqual(upToDate);

    await using(location, makeNewer);
    const newer = expect.stringContaining(
      `The database has migration 9999_newer, which this version of revgate does not have: its last one is ${NEWEST}. Nothing was changed.\n`,
    );
    await runAll([...COMMANDS, 'migrate'], newer);
    expect(await examine()).toContainEqual({
      check: 'database',
      verdict: 'error',
      message: expect.stringContaining('9999_newer'),
      fix: expect.stringContaining('Run the newer version'),
    });
    await served.stop();
    await runAll(['serve'], newer);
  });

  it('of an older version is migrated by migrate', async () => {
    const { location, options } = await openPlace(isEmbedded);
    const old = await openDatabase(location, () => {});
    await makeOld(old);
    await old.close();
    const applied = names.slice(OLD.length).join(', ');
    const stdout = `Migrated the database: applied ${applied}.\n`;
    expect(await run(['migrate'], options)).toEqual({ code: 0, stdout, stderr: '' });
    expect(await run(['keys', 'list'], options)).toMatchObject({ code: 0 });
  });

  it('without tables gets them from migrate', async () => {
    const { location, options } = await openPlace(isEmbedded);
    if (!isEmbedded) {
      await using(location, dropTables);
    }
    const created = isEmbedded ? 'a new database in' : 'the tables of revgate in';
    expect(await run(['migrate'], options)).toEqual({
      code: 0,
      stdout: 'The database is up to date.\n',
      stderr: expect.stringContaining(`Created ${created} `),
    });
    expect(await using(location, readNames)).toEqual(names);
  });
});

it('the commands above are all that work on a database', () => {
  const { stdout, stderr } = process;
  const program = createProgram({ cwd: '.', env: {}, stdout, stderr } as unknown as CommandEnvironment);
  const leaves = (command: Command, words: string): string[] =>
    command.commands.length === 0
      ? [words]
      : command.commands.flatMap((one) => leaves(one as Command, `${words} ${one.name()}`.trim()));
  const others = new Set(['serve', 'migrate', 'doctor', 'sample']);
  for (const name of leaves(program, '').filter((one) => !others.has(one))) {
    expect(
      COMMANDS.some((line) => `${line} `.startsWith(`${name} `)),
      name,
    ).toBe(true);
  }
});
