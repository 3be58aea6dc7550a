import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createMemoryCounter } from '../../../src/access/limits/memory-counter.ts';
import { closeAfterwards } from '../../support/closing.ts';

/** How the server answers: as Redis does, not at all, with an error, or by closing every connection. */
type Behaviour = 'counts' | 'hangs' | 'refuses' | 'closes';

/** A server in this process that counts as Redis does, and keeps its windows through any failure. */
export interface FakeRedis {
  readonly url: string;
  behaviour: Behaviour;
  /** The number of reservations that it made or refused, without the calls that test a connection. */
  readonly asked: number;
  /** When each connection was made, in ms of `Date.now()`. */
  readonly connectedAt: readonly number[];
  readonly open: number;
  /** Closes all connections. */
  drop(): void;
}

/** Starts a server on a free port, which is closed with all its connections after the test. */
export async function startServer(
  onSocket: (socket: Socket) => void,
): Promise<{ readonly port: number; readonly sockets: ReadonlySet<Socket>; drop(): void }> {
  const sockets = new Set<Socket>();
  const drop = () => {
    for (const socket of sockets) {
      socket.destroy();
    }
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    onSocket(socket);
  });
  closeAfterwards(() => {
    server.close();
    drop();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, sockets, drop };
}

/** Starts one, which is closed after the test. */
export async function startFakeRedis(): Promise<FakeRedis> {
  const windows = createMemoryCounter(Date.now);
  const connectedAt: number[] = [];
  let asked = 0;

  function answer(name: string, values: readonly string[]): string {
    if (fake.behaviour === 'refuses') {
      return '-OOM command not allowed\r\n';
    }
    if (!name.startsWith('EVAL')) {
      return '+OK\r\n';
    }
    const count = Number(values[1]);
    const buckets = values.slice(2, 2 + count).map((name, i) => ({
      name,
      limit: Number(values[3 + count + 2 * i]),
      windowMs: Number(values[4 + count + 2 * i]),
    }));
    asked += count === 0 ? 0 : 1;
    const cost = Number(values[2 + count]);
    const admitted = count === 0 || windows.reserveAll(buckets, cost).admitted;
    const usages = buckets.map(({ name, limit, windowMs }) => windows.peek(name, limit, windowMs));
    const numbers = [admitted ? 1 : 0, Date.now(), ...usages.flatMap(({ used, resetAt }) => [used, resetAt])];
    return `*${numbers.length}\r\n${numbers.map((number) => `:${number}\r\n`).join('')}`;
  }

  const { port, sockets, drop } = await startServer((socket) => {
    connectedAt.push(Date.now());
    if (fake.behaviour === 'closes') {
      socket.destroy();
      return;
    }
    let text = '';
    socket.on('data', (data) => {
      text += data;
      for (let command = readCommand(text); command !== undefined; command = readCommand(text)) {
        text = text.slice(command.length);
        const [name = '', ...values] = command.parts;
        if (fake.behaviour !== 'hangs') {
          socket.write(answer(name.toUpperCase(), values));
        }
      }
    });
  });
  const fake = {
    url: `redis://127.0.0.1:${port}`,
    behaviour: 'counts' as Behaviour,
    get asked() {
      return asked;
    },
    connectedAt,
    get open() {
      return [...sockets].filter(({ destroyed }) => !destroyed).length;
    },
    drop,
  };
  return fake;
}

/** The first command of a text of ASCII, and its length; undefined if it is incomplete. https://redis.io/docs/latest/develop/reference/protocol-spec/ */
function readCommand(text: string): { parts: string[]; length: number } | undefined {
  const count = /^\*(\d+)\r\n/.exec(text);
  let at = count?.[0].length ?? 0;
  const parts: string[] = [];
  for (let i = 0; i < Number(count?.[1]); i += 1) {
    const size = /^\$(\d+)\r\n/.exec(text.slice(at, at + 20));
    const start = at + (size?.[0].length ?? 0);
    at = start + Number(size?.[1]) + 2;
    if (size === null || at > text.length) {
      return undefined;
    }
    parts.push(text.slice(start, at - 2));
  }
  return count === null ? undefined : { parts, length: at };
}
