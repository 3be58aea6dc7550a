import { setMaxListeners } from 'node:events';
import type { PrismaClient } from '../db/generated/client/client.ts';
import type { GatewayRequest } from '../handler.ts';
import type { Catalogue } from '../startups/catalogue/catalogue.ts';
import type { Day } from '../startups/days.ts';
import type { ListRequest } from '../startups/list-request.ts';
import type { OperationPlan } from './operation-plan.ts';
import { PointLoader } from './point-loader.ts';

/** The longest run of an operation, in ms: after that, it is aborted. */
const OPERATION_TIMEOUT_MS = 3_000;

/** The caller that waits for the result: its signal is aborted when the client disconnects. */
type Client = Pick<GatewayRequest, 'disconnected' | 'isDisconnected'>;

/** The context of every resolver. */
export class GraphQLContext {
  readonly requestId: string;
  /** The edition that the operation reads: everything in one response is from the same moment. */
  readonly catalogue: Catalogue;
  /** The validated request of each list, by the response name of its root field. */
  readonly lists: ReadonlyMap<string, ListRequest>;
  /** The day, in UTC, on which the operation was planned. */
  readonly today: Day;
  readonly #prisma: PrismaClient;
  readonly #client: Client;
  /** Reads of the database by their keys. */
  readonly #known = new Map<string, Promise<unknown>>();
  /** The last of the reads of the database. */
  #reads: Promise<unknown> | undefined;
  #points: PointLoader | undefined;
  /** ms of the clock of this process. */
  readonly #deadline = performance.now() + OPERATION_TIMEOUT_MS;
  #signal: AbortSignal | undefined;

  constructor(
    requestId: string,
    catalogue: Catalogue,
    { lists, today }: Pick<OperationPlan, 'lists' | 'today'>,
    prisma: PrismaClient,
    client: Client,
  ) {
    this.requestId = requestId;
    this.catalogue = catalogue;
    this.lists = lists;
    this.today = today;
    this.#prisma = prisma;
    this.#client = client;
  }

  /** The histories that the operation reads. Created on first use. */
  get points(): PointLoader {
    this.#points ??= new PointLoader();
    return this.#points;
  }

  /**
   * Reads data that only the database contains: histories and the market. One read begins after another has
   * succeeded, so that one operation cannot use all connections or keep the event loop with results that arrive
   * together.
   *
   * @throws the error of an earlier read; the reason of the signal once that is aborted.
   */
  read<T>(work: (prisma: PrismaClient, signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = this;
    const begin = (): Promise<T> => {
      signal.throwIfAborted();
      return work(this.#prisma, signal);
    };
    const reading = (this.#reads ?? Promise.resolve()).then(begin);
    this.#reads = reading;
    return untilAborted(reading, signal);
  }

  /**
   * The read of a key, which is made once: an operation that is executed again, after an error in a compiled run, gets the
   * same result or the same error.
   */
  once<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#known.get(key) as Promise<T> | undefined;
    const reading = known ?? read();
    this.#known.set(key, reading);
    return reading;
  }

  /**
   * For work that waits for its turn. On a busy server most operations wait, and a signal with its timer would cost
   * each more than the check.
   *
   * @throws an error as the signal's reason is: AbortError once the client has disconnected, TimeoutError after the deadline.
   */
  throwIfAborted(): void {
    if (this.isAbandoned) {
      throw new DOMException('The client has disconnected', 'AbortError');
    }
    if (performance.now() > this.#deadline) {
      throw new DOMException('The operation took too long', 'TimeoutError');
    }
  }

  /** Whether nobody waits for the result any more. */
  get isAbandoned(): boolean {
    return this.#client.isDisconnected;
  }

  /** Aborted when the client disconnects, and at the deadline of the operation. Created on first use. */
  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      const left = Math.max(0, Math.ceil(this.#deadline - performance.now()));
      this.#signal = AbortSignal.any([this.#client.disconnected(), AbortSignal.timeout(left)]);
      // Each of its reads may wait for it; beyond ten, Node would warn of a leak.
      setMaxListeners(0, this.#signal);
    }
    return this.#signal;
  }
}

/** The result of work, unless the signal is aborted first. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason);
    if (signal.aborted) {
      abort();
    } else {
      signal.addEventListener('abort', abort, { once: true });
    }
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
