import type { Catalogue } from '../startups/catalogue/catalogue.ts';
import type { ListRequest } from '../startups/list-request.ts';

/** Longest run of an operation, in ms: what it waits for is given up then. */
const OPERATION_TIMEOUT_MS = 3_000;

/** What every resolver may use. */
export class GraphQLContext {
  readonly requestId: string;
  /** The edition that the operation reads: everything in one response is from the same moment. */
  readonly catalogue: Catalogue;
  /** The validated request of each list, by the response name of its root field. */
  readonly lists: ReadonlyMap<string, ListRequest>;
  readonly #disconnected: () => AbortSignal;
  #signal: AbortSignal | undefined;

  /** @param disconnected gives a signal that is aborted when the client disconnects. */
  constructor(
    requestId: string,
    catalogue: Catalogue,
    lists: ReadonlyMap<string, ListRequest>,
    disconnected: () => AbortSignal,
  ) {
    this.requestId = requestId;
    this.catalogue = catalogue;
    this.lists = lists;
    this.#disconnected = disconnected;
  }

  /** Aborted when the client disconnects, and at the deadline of the operation. Made when it is first used. */
  get signal(): AbortSignal {
    this.#signal ??= AbortSignal.any([this.#disconnected(), AbortSignal.timeout(OPERATION_TIMEOUT_MS)]);
    return this.#signal;
  }
}
