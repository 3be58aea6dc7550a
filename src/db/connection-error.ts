import pg from 'pg';
import { OperatorError } from '../lib/errors.ts';

/** Of Node, PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html) and Prisma. */
const UNAVAILABLE_CODES =
  /^(E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)|08...|57P0.|57014|53300|P10(01|02|08|17)|P20(24|28))$/;
/** Errors of pg without a code. */
const UNAVAILABLE_MESSAGES =
  /^(Connection terminated|Client (was closed|has encountered a connection error)|timeout exceeded when trying to connect|timeout expired)/;

/** Whether an error says that the database could not be reached, or did not answer in time. */
export function isUnavailable(error: unknown): boolean {
  // fetch fails with a TypeError, whose causes have the same codes.
  for (let cause = error; cause instanceof Error && !(cause instanceof TypeError); cause = cause.cause) {
    const isCode = codesOf(cause).some((code) => typeof code === 'string' && UNAVAILABLE_CODES.test(code));
    if (isCode || UNAVAILABLE_MESSAGES.test(cause.message)) {
      return true;
    }
  }
  return false;
}

/** The code of the error itself, or in an error of Prisma the code of the server. */
function codesOf(error: Error): unknown[] {
  const { code, meta } = error as {
    code?: unknown;
    meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } };
  };
  return [code, meta?.driverAdapterError?.cause?.originalCode];
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
