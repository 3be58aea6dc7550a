import { connect } from 'node:net';
import type { ClientBase } from 'pg';

/** https://www.postgresql.org/docs/current/protocol-message-formats.html, CancelRequest. */
const CANCEL_REQUEST = 80877102;
const PATIENCE_MS = 1_000;

/** What pg knows of a connection beyond its types. */
interface Connected {
  readonly host: string;
  readonly port: number;
  /** Null until the server has sent them. */
  readonly processID: number | null;
  readonly secretKey: number | null;
}

/** The process of the server that the other end claims to be; a pooler makes one up. */
export function claimedProcess(client: ClientBase): number | null {
  return (client as unknown as Connected).processID;
}

/**
 * Asks the server to cancel the statement that a connection waits for, which then fails with 57014. Without it the
 * server would continue when the connection is closed. Poolers pass it on.
 */
export function cancelStatement(client: ClientBase): void {
  const { host, port, processID, secretKey } = client as unknown as Connected;
  if (processID === null || secretKey === null) {
    return;
  }
  const request = Buffer.alloc(16);
  for (const [index, value] of [request.length, CANCEL_REQUEST, processID, secretKey].entries()) {
    request.writeInt32BE(value, 4 * index);
  }
  // Never encrypted, as in libpq: an attacker who can read the request could also end the connection.
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  // A server that is gone has nothing to cancel.
  socket.on('error', () => {});
  // The other side ends the connection: a pooler would drop a request whose sender has disconnected.
  socket.write(request);
  socket.resume();
}
