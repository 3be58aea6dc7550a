import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import { expect, it } from 'vitest';
import { openTestDatabase } from '../support/database.ts';

const schema = readFileSync(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8');

// The engine's module holds one instance for the whole process.

const database = await openTestDatabase();
const [{ place }] = (await database.pool.query('SELECT current_schema() AS place')).rows;
const engine = await loadSchemaEngine();

/** Prisma's schema engine, which compares a live database with a schema. */
async function loadSchemaEngine() {
  const folder = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'));
  const glue = await import(pathToFileURL(join(folder, 'schema_engine_bg.js')).href);
  const { instance } = await WebAssembly.instantiate(readFileSync(join(folder, 'schema_engine_bg.wasm')), {
    './schema_engine_bg.js': glue,
  });
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return glue.SchemaEngine.new({}, () => {}, bindMigrationAwareSqlAdapterFactory(catalogueAdapter()));
}

/** The adapter, taught the type "char", which PostgreSQL's own catalogue has and no table of ours. */
function catalogueAdapter(): SqlMigrationAwareDriverAdapterFactory {
  const charType = 18;
  const textType = 25;
  const charColumns = new Set<string>();
  const pool = Object.create(database.pool) as typeof database.pool;
  pool.query = (async (...query: Parameters<typeof pool.query>) => {
    const result = await database.pool.query(...(query as unknown as [string]));
    for (const field of result.fields.filter(({ dataTypeID }) => dataTypeID === charType)) {
      charColumns.add(field.name);
      field.dataTypeID = textType;
    }
    return result;
  }) as typeof pool.query;
  const factory = new PrismaPg(pool, { schema: place });
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query);
      const columnTypes = result.columnTypes.map((type, column) =>
        charColumns.has(result.columnNames[column] ?? '') ? ColumnTypeEnum.Character : type,
      );
      return { ...result, columnTypes };
    };
    return adapter;
  };
  return factory;
}

async function diff(target: string): Promise<{ exitCode: number; stdout: string | null }> {
  return engine.diff({
    from: { tag: 'schemaDatasource', files: [{ path: 'schema.prisma', content: schema }], configDir: '.' },
    to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: target }] },
    script: true,
    exitCode: true,
    shadowDatabaseUrl: null,
    filters: { externalTables: [], externalEnums: [] },
  });
}

it('migrations make the tables that schema.prisma describes, exactly', async () => {
  // The statements say which column differs.
  expect(await diff(schema)).toEqual({ exitCode: 0, stdout: expect.stringContaining('empty migration') });
});

it('migrations make no column that only schema.prisma has', async () => {
  const { exitCode, stdout } = await diff(schema.replace('  slug ', '  extra String?\n  slug '));
  expect(exitCode).toBe(2);
  expect(stdout).toContain('ADD COLUMN     "extra" TEXT');
});

it('removes with an account what is stored under its id', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT concat(c.relname, '.', a.attname) AS name
     FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
     WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind = 'r' AND a.attname = 'account_id'
       AND NOT EXISTS (
         SELECT FROM pg_constraint AS k
         WHERE k.conrelid = c.oid AND k.confrelid = 'accounts'::regclass AND a.attnum = ANY (k.conkey)
       )
     ORDER BY name`,
  );
  // deleteAccount removes these itself.
  expect(
    rows.map(({ name }) => name),
    'These do not refer to accounts, so that deleting an account leaves them',
  ).toEqual(['sent_mails.account_id']);
});
