import type { PrismaClient } from '../db/generated/client/client.ts';
import type { GatewayRequest } from '../handler.ts';
import type { Catalogue } from '../startups/catalogue/catalogue.ts';
import type { Day } from '../startups/days.ts';
import type { ListRequest } from '../startups/list-request.ts';
import type { OperationPlan } from './operation-plan.ts';
import { PointLoader } from './point-loader.ts';

/** Longest run of an operation, in ms: what it waits for is given up then. */
const OPERATION_TIMEOUT_MS = 3_000;

/** Who waits for the result: its signal is aborted when the client disconnects. */
type Client = Pick<GatewayRequest, 'disconnected'>;

/** What every resolver may use. */
export class GraphQLContext {
  readonly requestId: string;
  /** The edition that the operation reads: everything in one response is from the same moment. */
  readonly catalogue: Catalogue;
  /** The validated request of each list, by the response name of its root field. */
  readonly lists: ReadonlyMap<string, ListRequest>;
  /** The day, in UTC, on which the operation was planned. */
  readonly today: Day;
  /** For what only the database holds: histories and the market. */
  readonly prisma: PrismaClient;
  readonly #client: Client;
  #points: PointLoader | undefined;
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
    this.prisma = prisma;
    this.#client = client;
  }

  /** The histories that the operation reads. Made when it is first used. */
  get points(): PointLoader {
    this.#points ??= new PointLoader();
    return this.#points;
  }

  /** Aborted when the client disconnects, and at the deadline of the operation. Made when it is first used. */
  get signal(): AbortSignal {
    this.#signal ??= AbortSignal.any([
      this.#client.disconnected(),
      AbortSignal.timeout(OPERATION_TIMEOUT_MS),
    ]);
    return this.#signal;
  }
}
