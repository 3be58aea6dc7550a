/** Of Node, PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html) and Prisma. */
const UNAVAILABLE_CODES =
  /^(E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)|08...|57P0.|57014|53300|55000|P10(01|02|08|17)|P20(24|28))$/;
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
