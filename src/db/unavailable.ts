/** Of Node, PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html) and Prisma. */
const UNAVAILABLE_CODES =
  /^(E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)|08...|57P0.|57014|53300|55000|P10(01|02|08|17)|P20(24|28))$/;
/**
 * How Prisma's driver adapter names errors of the connection, which then have no code: raw queries fail with P2010, whatever
 * has happened. TLS and a wrong password are none of them: an operator has to correct these, and they are reported.
 */
const UNAVAILABLE_KINDS = /^(DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections)$/;
/** Errors of pg without a code. */
const UNAVAILABLE_MESSAGES =
  /^(Connection terminated|Client (was closed|has encountered a connection error)|timeout exceeded when trying to connect|timeout expired)/;

/** Whether an error says that the database could not be reached, or did not answer in time. */
export function isUnavailable(error: unknown): boolean {
  // fetch fails with a TypeError, whose causes have the same codes.
  for (let cause = error; cause instanceof Error && !(cause instanceof TypeError); cause = cause.cause) {
    const { code, meta } = cause as PrismaError;
    const driven = meta?.driverAdapterError?.cause;
    if (
      matches(UNAVAILABLE_CODES, code) ||
      matches(UNAVAILABLE_CODES, driven?.originalCode) ||
      matches(UNAVAILABLE_KINDS, driven?.kind) ||
      UNAVAILABLE_MESSAGES.test(cause.message)
    ) {
      return true;
    }
  }
  return false;
}

/** Of PostgreSQL: its disk has no room. */
const DISK_FULL = /^53100$/;

/** Of PostgreSQL: a lock was not available in time. */
const LOCK_TIMEOUT = /^55P03$/;

/** Whether an error says that the database has no room left on its disk. */
export const isDatabaseFull = (error: unknown): boolean => hasCode(error, DISK_FULL);

/** Whether an error says that others kept a lock for too long. */
export const isLockTimeout = (error: unknown): boolean => hasCode(error, LOCK_TIMEOUT);

function hasCode(error: unknown, pattern: RegExp): boolean {
  const { code, meta } = Object(error) as PrismaError;
  return matches(pattern, code) || matches(pattern, meta?.driverAdapterError?.cause?.originalCode);
}

/** What errors of Prisma have beyond others. */
interface PrismaError {
  readonly code?: unknown;
  readonly meta?: {
    readonly driverAdapterError?: {
      /** The code of the server, if it is the server's error. */
      readonly cause?: { readonly kind?: unknown; readonly originalCode?: unknown };
    };
  };
}

const matches = (pattern: RegExp, value: unknown): boolean =>
  typeof value === 'string' && pattern.test(value);
