import type { RateLimitState } from '../../access/limits/limiter.ts';
import { ApiError } from '../../lib/errors.ts';
import type { GatewayRequest, GatewayResponse } from '../../lib/http/request-response.ts';
import type { Owner } from '../../lib/loop/time-slices.ts';
import type { Client, SurfaceName } from './authentication.ts';

/** Why a request failed. */
export type Failure = Pick<ApiError, 'code' | 'details'>;

/** What a request asks for, ready to run. */
export interface Task {
  /** What it costs of the budget: an integer of at least 1, or 0 on a surface that has free tasks. */
  readonly cost: number;
}

/**
 * One of the API's surfaces: the steps of a request that differ between them, in their order. The gateway calls each of
 * them once. A step that throws an ApiError ends the request with {@link Surface.fail}; any other error is masked.
 */
export interface Surface<Input = unknown, Ready extends Task = Task, Result = unknown> {
  readonly name: SurfaceName;
  /** The methods of its paths. */
  readonly methods: readonly string[];
  /** Called before a method is refused. @throws ApiError NOT_FOUND for a path that it does not have. */
  requirePath?(path: string): void;
  /**
   * Whether what was read costs nothing, on a surface that has such tasks: those are answered even if nothing is left
   * of the budget, and all others are then not prepared.
   */
  isFree?(input: Input): boolean;
  /**
   * Whether what was read needs no key, on a surface that has such tasks. Its `read` limits what clients without a key send.
   * A wrong key is refused nevertheless.
   */
  isOpen?(input: Input): boolean;
  /** Request headers that a response depends on; empty for none. With an embed key, it otherwise depends on Origin too. */
  readonly vary: string;
  /**
   * Authenticates a request by something other than a key in its header. Scripts of other origins cannot read such a
   * surface: it does not support CORS.
   */
  authenticate?(request: GatewayRequest): Promise<Client>;
  /** A response that needs no key and is not charged; undefined if a key is required. */
  answerFreely?(request: GatewayRequest): GatewayResponse | undefined;
  /** Reads a request of one of its methods but OPTIONS, which has no task, with its body. */
  read(request: GatewayRequest, client: Client): Input | Promise<Input>;
  /** Parses and validates what was read, and computes its cost. */
  prepare(input: Input, request: GatewayRequest): Ready;
  /** Called once the cost is reserved. @param owner whose work it is. @param budget after the reservation. */
  run(task: Ready, request: GatewayRequest, owner: Owner, budget: RateLimitState): Result | Promise<Result>;
  /** @param budget after the reservation. */
  write(
    task: Ready,
    result: Result,
    request: GatewayRequest,
    client: Client,
    budget: RateLimitState,
  ): GatewayResponse | Promise<GatewayResponse>;
  /** The error of a result that is written as any other. */
  findFailure?(task: Ready, result: Result): Failure | undefined;
  /**
   * What a failed request asked for, without any value: its path, and its operation or tool by name.
   *
   * @param input what was read, and the task what was prepared, if that succeeded.
   */
  targetOf(request: GatewayRequest, input?: Input, task?: Ready): string;
  /** @param input what was read, if that succeeded. */
  fail(
    error: ApiError,
    request: GatewayRequest,
    budget: RateLimitState,
    input?: Input,
  ): GatewayResponse | Promise<GatewayResponse>;
}

/** What answers by itself, without the keys and the limits of the API. What it throws is written as an error of REST. */
export interface Route {
  /** The methods of its paths. */
  readonly methods: readonly string[];
  /** What a 401 names in WWW-Authenticate. */
  readonly challenge?: string;
  answer(request: GatewayRequest): Promise<GatewayResponse>;
}

/** @throws ApiError METHOD_NOT_ALLOWED */
export function assertMethod({ method }: GatewayRequest, methods: Surface['methods']): void {
  if (!methods.includes(method)) {
    const message = `${method} is not allowed here, allowed: ${methods.join(', ')}`;
    throw new ApiError('METHOD_NOT_ALLOWED', message);
  }
}

/** @throws ApiError if the request has an Expect header that cannot be met. */
export function assertExpectation(request: GatewayRequest): void {
  const expectation = request.header('expect');
  if (expectation !== undefined && expectation.toLowerCase() !== '100-continue') {
    const got = JSON.stringify(expectation.slice(0, 100));
    throw new ApiError('EXPECTATION_FAILED', `Expect: got ${got}, allowed: 100-continue`);
  }
}
