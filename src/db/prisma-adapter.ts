import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from './generated/client/client.ts';
import type { LimitedPool } from './pool.ts';
import { type DatabaseKind, SERVER_SETTINGS, setLocally } from './transaction.ts';

type Adapter = Awaited<ReturnType<PrismaPg['connect']>>;
type Query = Parameters<Adapter['queryRaw']>[0];
type Transaction = Awaited<ReturnType<Adapter['startTransaction']>>;

/**
 * Prisma's client on a pool, with an adapter for connections whose settings cannot be changed, such as those of a pooler.
 *
 * Unmodified, it writes times without their offset and removes it from those that it reads, which is correct only if
 * the time zone of the session is UTC: https://github.com/prisma/prisma/issues/26786
 *
 * @param limited its `waits` say how long a statement of a transaction may run on a server.
 * @param schema the one of the tables: Prisma would read those of `public`.
 */
export function createPrisma({ pool, waits }: LimitedPool, kind: DatabaseKind, schema: string): PrismaClient {
  pool.on('connect', readOffsets);
  const factory = new PrismaPg(pool, { schema });
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    const start = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (isolation) => {
      const transaction = await start(isolation);
      writeOffsets(transaction);
      if (kind === 'server') {
        await settle(transaction, { ...SERVER_SETTINGS, statement_timeout: String(waits().use) });
      }
      return transaction;
    };
    writeOffsets(adapter);
    return adapter;
  };
  return new PrismaClient({ adapter: factory });
}

async function settle(transaction: Transaction, settings: Readonly<Record<string, string>>): Promise<void> {
  const execute = (sql: string) => transaction.executeRaw({ sql, args: [], argTypes: [] });
  try {
    await execute(setLocally(settings));
  } catch (error) {
    await execute('ROLLBACK').catch(() => {});
    await transaction.rollback();
    throw error;
  }
}

/** Keeps the offset of the times that a connection sends. */
function writeOffsets(queryable: Adapter | Transaction): void {
  const [query, execute] = [queryable.queryRaw.bind(queryable), queryable.executeRaw.bind(queryable)];
  queryable.queryRaw = (request) => query(asText(request));
  queryable.executeRaw = (request) => execute(asText(request));
}

function asText({ sql, args, argTypes }: Query): Query {
  const isTime = argTypes.map(({ scalarType }) => scalarType === 'datetime');
  return {
    sql,
    args: args.map((arg, index) => (isTime[index] ? toText(arg) : arg)),
    argTypes: argTypes.map((type, index) => (isTime[index] ? { ...type, scalarType: 'string' } : type)),
  };
}

function toText(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(toText);
  }
  return typeof value === 'string' || value instanceof Date ? new Date(value).toISOString() : value;
}

/** Converts the times that Prisma reads over a connection to UTC. */
function readOffsets(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((request: unknown, ...rest: unknown[]) =>
    query(
      isOfPrisma(request) ? { ...request, types: inUtc(request.types) } : request,
      ...rest,
    )) as typeof client.query;
}

function isOfPrisma(request: unknown): request is { types: pg.CustomTypesConfig } {
  return typeof request === 'object' && request !== null && 'types' in request && 'rowMode' in request;
}

const TIMESTAMPTZ = pg.types.builtins.TIMESTAMPTZ;

function inUtc(types: pg.CustomTypesConfig): pg.CustomTypesConfig {
  const toDate: (text: string) => Date = pg.types.getTypeParser(TIMESTAMPTZ, 'text');
  return {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === TIMESTAMPTZ && format !== 'binary'
        ? (text: string) => toDate(text).toISOString()
        : types.getTypeParser(oid, format),
  };
}
