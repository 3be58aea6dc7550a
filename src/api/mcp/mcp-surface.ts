import type { Counter } from '../../access/limits/counter.ts';
import type { Subject } from '../../access/limits/subject.ts';
import { shortName } from '../../access/usage/failures.ts';
import { ApiError } from '../../lib/errors.ts';
import type { GatewayRequest, GatewayResponse } from '../../lib/http/request-response.ts';
import { timeSlices } from '../../lib/loop/time-slices.ts';
import { isObject } from '../../lib/text/is-object.ts';
import { countFree, type FreeLimit } from '../gateway/free-limit.ts';
import { jsonResponse } from '../gateway/responses.ts';
import type { Failure, Surface, Task } from '../gateway/surface.ts';
import { inputError } from '../graphql/errors.ts';
import type { Engine, OperationResult } from '../graphql/execution/engine.ts';
import { readJsonBody } from '../graphql/over-http.ts';
import { loadMcp } from './load.ts';
import type { Message, Resource } from './protocol.ts';
import type { Tool, ToolTask } from './tool.ts';
import type { ToolArguments } from './words.ts';

/** Where the Model Context Protocol is served. */
const MCP_PATH = '/mcp';
const METHODS = ['POST', 'OPTIONS'];
/** Of each key. Connecting takes up to four messages. */
const FREE: FreeLimit = { name: 'mcp', limit: 300, of: 'messages' };
/** Of each address without a key, such as a directory of servers or an agent that is being set up. */
const FREE_WITHOUT_KEY: FreeLimit = { name: 'mcp', limit: 60, of: 'messages without a key' };
const UNKNOWN_TOOL: Failure = {
  code: 'BAD_USER_INPUT',
  details: [{ parameter: 'name', message: 'unknown tool' }],
};

/** A message of a client, and what its key may use. */
interface McpInput {
  readonly message: Message;
  readonly tools: readonly Tool[];
  /** Whose limit of free messages counts, and whose turn the response waits for. */
  readonly subject: Subject;
  /** Without one, the message was counted when it was read. */
  readonly hasKey: boolean;
  /** The tool that it calls. */
  readonly called?: Tool | undefined;
}

/** Free unless it calls a tool. */
interface McpTask extends Task {
  readonly input: McpInput;
  readonly call?: ToolTask;
}

interface McpNeeds {
  readonly engine: Engine;
  readonly counter: Counter;
  readonly resources: () => Promise<readonly Resource[]>;
  /** Where this gateway is reached. */
  readonly origin: () => string;
  /** The name of the service. */
  readonly title: string;
  readonly now: () => number;
}

/** How MCP answers: messages of JSON-RPC, of which a call of a tool is a named document on the schema. */
export function bindMcp(needs: McpNeeds): Surface<McpInput, McpTask, OperationResult | undefined> {
  const { engine, counter, resources, origin, title, now } = needs;
  return {
    name: 'mcp',
    methods: METHODS,
    vary: 'Authorization, Accept, Origin',
    isFree: ({ message }) => !isCall(message),
    // What it can do is no secret: /llms.txt and /openapi.json need no key either.
    isOpen: ({ message }) => !isCall(message),
    // Clients ask for a stream of messages of the server, which there is not, before they do anything else.
    answerFreely: (request) => (METHODS.includes(request.method) ? undefined : refuseMethod(request)),
    async read(request, { key, subject }) {
      assertOrigin(request, origin());
      if (key === undefined) {
        // Before its body is read.
        await countFree(counter, FREE_WITHOUT_KEY, subject, now);
      }
      const message = await readJsonBody(request);
      if (!isObject(message)) {
        const allowed = 'one message of JSON-RPC (batches are not supported)';
        throw inputError('body', message, allowed);
      }
      const { toolsWith } = await loadMcp();
      const tools = toolsWith(engine.own());
      const { name } = paramsOf(message);
      return {
        message,
        tools,
        subject,
        hasKey: key !== undefined,
        called: tools.find((tool) => isCall(message) && tool.name === name),
      };
    },
    prepare(input) {
      const { message, called } = input;
      if (called === undefined) {
        // A tool that does not exist costs as much as an invalid call of one that does.
        return { input, cost: isCall(message) ? 1 : 0 };
      }
      const call = called.prepare(engine, argumentsOf(message));
      return { input, call, cost: call.operation.cost };
    },
    async run({ input, call, cost }, request, owner, budget) {
      if (cost === 0 && input.hasKey) {
        await countFree(counter, FREE, input.subject, now);
      }
      return call && engine.run(call.operation, request, owner, budget);
    },
    async write({ input, call }, result, request, _client, budget) {
      const { respond } = await loadMcp();
      const { message, tools, subject } = input;
      // The library takes some ms for a message, and waits for nothing meanwhile.
      await timeSlices.waitForTime(subject);
      return respond(request, message, {
        title,
        tools,
        resources,
        result: result && call?.answer(result, budget),
      });
    },
    // A call of a tool that does not exist: the protocol has another kind of error for it.
    findFailure: ({ input: { message, called } }) =>
      called === undefined && isCall(message) ? UNKNOWN_TOOL : undefined,
    targetOf(_request, input) {
      const name = shortName(input?.called?.name);
      return name === undefined ? MCP_PATH : `${MCP_PATH} ${name}`;
    },
    async fail(error, request, budget, input) {
      // Without a key, the status says so: clients ask for one.
      if (input?.called === undefined || !input.hasKey) {
        return protocolError(error, request, input?.message);
      }
      const { respond, failureOf } = await loadMcp();
      await timeSlices.waitForTime(input.subject);
      const result = failureOf(error, budget, { requestId: request.id, now: now() });
      return respond(request, input.message, { title, tools: input.tools, resources, result });
    },
  };
}

function refuseMethod(request: GatewayRequest): GatewayResponse {
  const message = `${request.method} is not allowed here, allowed: ${METHODS.join(', ')}`;
  return protocolError(new ApiError('METHOD_NOT_ALLOWED', message), request, undefined);
}

const isCall = ({ method }: Message): boolean => method === 'tools/call';

function paramsOf({ params }: Message): Message {
  return isObject(params) ? params : {};
}

function argumentsOf(message: Message): ToolArguments {
  const { arguments: args = {} } = paramsOf(message);
  if (!isObject(args)) {
    throw inputError('arguments', args, 'an object');
  }
  return args;
}

/**
 * Pages of this server and of this machine may send a key; those of others may not, as the protocol requires, so that
 * a name that begins to lead here gives them nothing.
 *
 * @throws ApiError ORIGIN_NOT_ALLOWED
 */
function assertOrigin(request: GatewayRequest, own: string): void {
  const origin = request.header('origin');
  if (
    origin === undefined ||
    origin === own ||
    /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin)
  ) {
    return;
  }
  const got = JSON.stringify(origin.slice(0, 200));
  throw new ApiError(
    'ORIGIN_NOT_ALLOWED',
    `Origin: got ${got}, allowed: ${own}, localhost, or none. Connect from a program, which sends none.`,
  );
}

/** The response to a message that is not a valid call of a tool: an error of JSON-RPC with the status of REST. */
function protocolError(error: ApiError, request: GatewayRequest, message: Message | undefined) {
  const { code, details, status, retryAfter } = error;
  const id = message?.id;
  const response = jsonResponse(status, {
    jsonrpc: '2.0',
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    error: {
      code: status === 500 ? -32603 : status === 400 ? -32600 : -32000,
      message: error.message,
      data: { code, ...(details.length > 0 && { details }), requestId: request.id },
    },
  });
  if (retryAfter !== undefined) {
    response.headers.push('Retry-After', String(retryAfter));
  }
  return response;
}
