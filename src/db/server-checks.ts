import pg from 'pg';
import { OperatorError } from '../lib/errors.ts';

interface ServerState {
  readonly number: number;
  readonly version: string;
  /** The schema in which it creates tables; null if no schema of its search_path exists or may be used. */
  readonly schema: string | null;
  readonly role: string;
  readonly database: string;
  readonly encoding: string;
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  readonly mayCreateTables: boolean;
  readonly mayCreateTemporary: boolean;
  /** The owner of tables that this role may not change; null if it may, or there are none. */
  readonly otherOwner: string | null;
}

export async function readServerState(client: pg.Client): Promise<ServerState> {
  const { rows } = await client.query<ServerState>(
    `SELECT current_setting('server_version_num')::integer AS number, current_setting('server_version') AS version,
       current_schema() AS schema, current_user AS role, current_database() AS database,
       current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS "isStandby",
       current_setting('transaction_read_only') = 'on' AS "isReadOnly",
       coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "mayCreateTables",
       has_database_privilege(current_database(), 'TEMPORARY') AS "mayCreateTemporary",
       (SELECT pg_get_userbyid(relowner) FROM pg_class
        WHERE oid = to_regclass(quote_ident(current_schema()) || '."_prisma_migrations"')
          AND NOT pg_has_role(relowner, 'USAGE')) AS "otherOwner"`,
  );
  return rows[0] as ServerState;
}

const OLDEST = 150_000;
const name = pg.escapeIdentifier;

/**
 * @param url DATABASE_URL, whose `schema` is the one to use.
 * @throws UnusableDatabaseError if revgate cannot work in this database, with the statement that changes that.
 */
export function requireUsable(state: ServerState, url: string): void {
  const { schema, role, database } = state;
  const wanted = (URL.canParse(url) && new URL(url).searchParams.get('schema')) || undefined;
  const inDatabase = `${name(role)} IN DATABASE ${name(database)}`;
  const createSchema = (one: string): string =>
    `CREATE SCHEMA IF NOT EXISTS ${name(one)} AUTHORIZATION ${name(role)}; ALTER ROLE ${inDatabase} SET search_path = ${name(one)}`;
  const place = `schema ${name(schema ?? '')}`;
  const rules: readonly [isBroken: boolean, reason: string, fix: string][] = [
    [
      state.number < OLDEST,
      `it is PostgreSQL ${state.version}, which is too old`,
      'use PostgreSQL 15 or newer.',
    ],
    [
      state.encoding !== 'UTF8',
      `its encoding is ${state.encoding}, which cannot store every text`,
      `create another one with CREATE DATABASE ${name(`${database}_utf8`)} OWNER ${name(role)} TEMPLATE ` +
        `template0 ENCODING 'UTF8' LOCALE 'C', and use its name.`,
    ],
    [
      state.isStandby,
      'it is a standby, which is read-only',
      'use the address of the primary, or make this one the primary with SELECT pg_promote().',
    ],
    [
      state.isReadOnly,
      'its transactions are read-only',
      `allow it to write with ALTER ROLE ${inDatabase} SET default_transaction_read_only = off.`,
    ],
    [
      wanted !== undefined && wanted !== schema,
      `schema=${wanted} is asked for, but a connection works in ${schema === null ? 'none' : `schema ${name(schema)}`}`,
      `a pooler would not pass it on, so set it for the role with ${createSchema(wanted ?? '')}.`,
    ],
    [
      schema === null,
      'no schema of the search_path exists, or this role may use none',
      `create one with ${createSchema(role)}.`,
    ],
    [
      !state.mayCreateTables,
      `permission denied for ${place}`,
      `allow it with GRANT USAGE, CREATE ON SCHEMA ${name(schema ?? '')} TO ${name(role)}.`,
    ],
    [
      state.otherOwner !== null,
      `its tables in ${place} belong to another role`,
      `allow it with GRANT ${name(state.otherOwner ?? '')} TO ${name(role)}.`,
    ],
    [
      !state.mayCreateTemporary,
      'permission denied to create temporary tables, which imports need',
      `allow it with GRANT TEMPORARY ON DATABASE ${name(database)} TO ${name(role)}.`,
    ],
  ];
  const broken = rules.find(([isBroken]) => isBroken);
  if (broken !== undefined) {
    throw new UnusableDatabaseError(`Cannot use the database of DATABASE_URL (${broken[1]})`, broken[2]);
  }
}

export class UnusableDatabaseError extends OperatorError {
  readonly reason: string;
  readonly fix: string;

  constructor(reason: string, fix: string) {
    super(`${reason}: ${fix}`);
    this.reason = reason;
    this.fix = fix;
  }
}

/** The error for a server that rejects a connection or cannot be reached, with what to do about it. */
export function cannotConnect(url: string, error: unknown): UnusableDatabaseError {
  const { user = '', database = '' } = new pg.Client(url);
  const reason = describeConnectionError(error);
  const createRole = `CREATE ROLE ${pg.escapeIdentifier(user)} LOGIN PASSWORD '…'`;
  const encode =
    'In DATABASE_URL, percent-encode the special characters of a password: @ as %40, / as %2F, # as %23.';
  // https://www.postgresql.org/docs/current/errcodes-appendix.html
  const advice: Readonly<Record<string, string>> = {
    '3D000': `create it with CREATE DATABASE ${pg.escapeIdentifier(database)}, or correct its name.`,
    '28000': `if there is no such role, create it with ${createRole}; otherwise correct its name, or allow it in pg_hba.conf.`,
    '28P01': `correct the password, or create the role with ${createRole}. ${encode}`,
    '42501': `allow it with GRANT CONNECT ON DATABASE ${pg.escapeIdentifier(database)} TO ${pg.escapeIdentifier(user)}.`,
    '55000': `allow it with ALTER DATABASE ${pg.escapeIdentifier(database)} ALLOW_CONNECTIONS true.`,
    ENOTFOUND: `correct the address. ${encode}`,
  };
  const { code = '' } = error as { code?: string };
  // PgBouncer has one code for all that it refuses.
  const ofPooler = /unsupported startup parameter/.test(reason)
    ? 'the pooler passes no options on. Remove them from the URL, and set them with ALTER ROLE ' +
      `${pg.escapeIdentifier(user)} IN DATABASE ${pg.escapeIdentifier(database)} SET search_path = ….`
    : undefined;
  return new UnusableDatabaseError(
    `Cannot reach the database of DATABASE_URL (${reason})`,
    ofPooler ?? advice[code] ?? 'start it, or correct the address.',
  );
}

/** A driver's error in one line, possibly with the address; it never contains a password. */
export function describeConnectionError(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return message || code || 'no answer';
}
