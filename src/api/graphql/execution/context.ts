import { setMaxListeners } from 'node:events';
import type { RateLimitState } from '../../../access/limits/limiter.ts';
import type { PrismaClient } from '../../../db/generated/client/client.ts';
import type { GatewayRequest } from '../../../lib/http/request-response.ts';
import { type Owner, timeSlices } from '../../../lib/loop/time-slices.ts';
import { WorkQueue } from '../../../lib/loop/work-queue.ts';
import type { Catalogue } from '../../../startups/catalogue/catalogue.ts';
import { names, type Terms, values } from '../../../startups/catalogue/store/codes.ts';
import type { HistorySource } from '../../../startups/history/history.ts';
import { constantName } from '../../../startups/model/vocabulary.ts';
import type { OperationPlan } from '../planning/operation-cost.ts';
import type { GivenVariables, PreparedOperation } from '../planning/prepared-document.ts';
import { PointLoader } from './point-loader.ts';

/** The longest run of an operation, in ms: after that, it is aborted. */
const OPERATION_TIMEOUT_MS = 3_000;

/**
 * The reads of this process, which has one pool of connections for them. The event loop decodes one result after another,
 * so more at a time would not be faster: their results would only arrive together, and occupy the connections that the
 * look-ups of keys need.
 */
const readQueue = new WorkQueue(6);

/** The request that waits for a result. */
export type WaitingRequest = Pick<GatewayRequest, 'id' | 'disconnected' | 'isDisconnected'>;

type Plan = Omit<OperationPlan, 'errors'> & {
  /** Undefined for an invalid operation. */
  readonly prepared: PreparedOperation | undefined;
  readonly params: GivenVariables;
};

/** The context of every resolver, until its operation has ended. */
export class GraphQLContext {
  /** Whose operation it is: what a server does for several of them, it does in turns. */
  readonly ownerId: string;
  /** How enumeration values are written in the result. */
  readonly terms: Terms;
  /** The operation that is being executed, with its variables. */
  readonly plan: Plan;
  /** What is left of the limit of its client; undefined for an operation of this server itself. */
  readonly budget: RateLimitState | undefined;
  /** Undefined once the operation has ended. */
  #catalogue: Catalogue | undefined;
  readonly #prisma: PrismaClient;
  readonly #request: WaitingRequest;
  readonly #deadline: number;
  /** Reads of the database by their keys; undefined before the first. */
  #known: Map<string, Promise<unknown>> | undefined;
  /** The last of the reads of the database. */
  #reads: Promise<unknown> | undefined;
  #points: PointLoader | undefined;
  /** ms of the clock of this process. */
  readonly beganAt: number;
  #signal: AbortSignal | undefined;
  /** Aborts the signal when the operation ends. */
  #end: AbortController | undefined;

  /**
   * @param budget after the cost was reserved.
   * @param timeout ms after which the operation is aborted.
   */
  constructor(
    plan: Plan,
    { ownerId }: Owner,
    request: WaitingRequest,
    catalogue: Catalogue,
    prisma: PrismaClient,
    budget?: RateLimitState,
    timeout = OPERATION_TIMEOUT_MS,
  ) {
    this.ownerId = ownerId;
    this.terms = plan.params.coerced === undefined ? names : values;
    this.plan = plan;
    this.budget = budget;
    this.#catalogue = catalogue;
    this.#prisma = prisma;
    this.#request = request;
    this.beganAt = performance.now();
    this.#deadline = this.beganAt + timeout;
  }

  /**
   * The edition that the operation reads: everything in one response is from the same moment.
   *
   * @throws AbortError once the operation has ended.
   */
  get catalogue(): Catalogue {
    if (this.#catalogue === undefined) {
      throw operationEnded();
    }
    return this.#catalogue;
  }

  /** A value of an enumeration as it is written in the result. */
  termOf(value: string): string {
    return this.terms === names ? constantName(value) : value;
  }

  /**
   * Begins the read of a field of the root, in a turn of the event loop that has time for it: an operation has up to 60. A
   * single read begins with its operation, so its time is known.
   */
  begin<T>(read: () => T | Promise<T>): T | Promise<T> {
    return timeSlices.hasTime(this.plan.cost === 1 ? this.beganAt : undefined)
      ? read()
      : (timeSlices.runStep(read, this) as Promise<T>);
  }

  /**
   * Ends the operation, whatever its result: fields that still wait throw when their turn comes. A result can be complete
   * before all fields are: an error in a non-null field makes its parent null at once.
   */
  end(): void {
    this.#catalogue = undefined;
    this.#end?.abort(operationEnded());
  }

  /** The histories that the operation reads. Created on first use. */
  get points(): PointLoader {
    this.#points ??= new PointLoader();
    return this.#points;
  }

  /**
   * Reads data that only the database contains: histories and the market. One read begins after another has
   * succeeded, so that one operation cannot keep the event loop with results that arrive together.
   *
   * @throws the error of an earlier read; the reason of the signal once that is aborted.
   */
  read<T>(work: (source: HistorySource) => Promise<T>): Promise<T> {
    const { signal } = this;
    const begin = (): Promise<T> => {
      signal.throwIfAborted();
      return work({ prisma: this.#prisma, identity: this.catalogue.identity });
    };
    const reading = (this.#reads ?? Promise.resolve()).then(() => readQueue.run(this.ownerId, begin));
    this.#reads = reading;
    return untilAborted(reading, signal);
  }

  /**
   * The read of a key, which is made once: an operation that is executed again, after an error in a compiled run, gets the
   * same result or the same error.
   */
  once<T>(key: string, read: () => Promise<T>): Promise<T> {
    this.#known ??= new Map();
    const known = this.#known.get(key) as Promise<T> | undefined;
    const reading = known ?? read();
    this.#known.set(key, reading);
    return reading;
  }

  /**
   * For work that waits for its turn. On a busy server most operations wait, and a signal with its timer would cost
   * each more than the check.
   *
   * @throws an error as the signal's reason is: AbortError once the client has disconnected or the operation has ended,
   *   TimeoutError after the deadline.
   */
  throwIfAborted(): void {
    if (this.#catalogue === undefined) {
      throw operationEnded();
    }
    if (this.isAbandoned) {
      throw new DOMException('The client has disconnected', 'AbortError');
    }
    if (performance.now() > this.#deadline) {
      throw new DOMException('The operation took too long', 'TimeoutError');
    }
  }

  /** Whether nobody waits for the result any more. */
  get isAbandoned(): boolean {
    return this.#request.isDisconnected;
  }

  /** Aborted when the client disconnects, at the deadline and at the end of the operation. Created on first use. */
  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      this.#end = new AbortController();
      if (this.#catalogue === undefined) {
        this.#end.abort(operationEnded());
      }
      const left = Math.max(0, Math.ceil(this.#deadline - performance.now()));
      this.#signal = AbortSignal.any([
        this.#request.disconnected(),
        AbortSignal.timeout(left),
        this.#end.signal,
      ]);
      // Each of its reads may wait for it; beyond ten, Node would warn of a leak.
      setMaxListeners(0, this.#signal);
    }
    return this.#signal;
  }
}

function operationEnded(): DOMException {
  return new DOMException('The operation has ended', 'AbortError');
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
