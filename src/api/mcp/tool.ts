import type { CallToolResult } from '@modelcontextprotocol/server';
import type { RateLimitState } from '../../access/limits/limiter.ts';
import { resetTime } from '../../access/limits/responses.ts';
import type { ApiError, ErrorDetail } from '../../lib/errors.ts';
import {
  createArgumentReader,
  type QueryParameters,
} from '../../startups/model/requests/query-parameters.ts';
import { dataOf } from '../graphql/errors.ts';
import type { Engine, Operation, OperationResult } from '../graphql/execution/engine.ts';
import type { RestOperation } from '../rest/endpoint-table.ts';
import { prepareDocument } from '../rest/find-endpoint.ts';
import { parameterSchema, type Schema } from '../rest/openapi-schemas.ts';
import { answerText, errorText, SOURCE, type ToolArguments } from './words.ts';

/** What a call found: the whole of it for programs, and in words. */
export interface ToolAnswer {
  /** In place of the body of REST, where less of it fits. */
  readonly body?: object;
  /** One sentence or two. */
  readonly summary: string;
  /** One line each, the most important first, for the same records as the body has. */
  readonly lines: readonly string[];
}

/** A call whose arguments were read: its operation, and its result. */
export interface ToolTask {
  readonly operation: Operation;
  /** @throws ApiError if the result has nothing to say. */
  answer(result: OperationResult, budget: RateLimitState): CallToolResult;
}

/** A tool: as it is listed, and what a call of it runs. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema;
  /** @throws ApiError naming every invalid argument. */
  prepare(engine: Engine, args: ToolArguments): ToolTask;
}

/** An operation of REST as a call runs it, and what its body says. */
interface ToolCall<Body> {
  readonly operation: RestOperation;
  /** Instead of that of REST, with less of each startup. */
  readonly document?: string;
  readonly variables: ToolArguments;
  readonly errors?: readonly ErrorDetail[];
  answer(body: Body): ToolAnswer;
}

interface ToolParts<Body> extends Pick<Tool, 'name' | 'title' | 'description'> {
  readonly parameters: QueryParameters;
  /** Parameters that another tool describes in whole: agents pay for every word, and know both. */
  readonly described?: QueryParameters;
  call(args: ToolArguments): ToolCall<Body>;
}

/** Creates a tool that runs an operation of REST: its arguments are those of REST, with arrays for several values. */
export function createTool<Body extends object>(parts: ToolParts<Body>): Tool {
  const { parameters, described = {}, call, ...listed } = parts;
  const read = createArgumentReader(parameters);
  return {
    ...listed,
    inputSchema: inputSchema(parameters, described),
    prepare(engine, given) {
      const { args, details } = read(given);
      const { operation: endpoint, variables, errors = [], answer, ...own } = call(args);
      const document = own.document ?? String(endpoint.document);
      const operation = prepareDocument(
        engine,
        document,
        variables,
        parameters,
        [...details, ...errors],
        'json',
      );
      return {
        operation,
        answer(result, budget) {
          const slug = args.slug === undefined ? undefined : String(args.slug);
          const body = endpoint.body(dataOf<never>(result), { slug, args: variables, operation });
          const found = answer(body as Body);
          return resultOf({ body, ...found }, budget);
        },
      };
    },
  };
}

/** The result of a call. */
function resultOf({ body, summary, lines }: ToolAnswer, budget: RateLimitState): CallToolResult {
  const { cost, remaining, limit, resetAt } = budget;
  return {
    content: [{ type: 'text', text: answerText(summary, lines, budget) }],
    structuredContent: {
      source: SOURCE,
      ...body,
      rateLimit: { cost, remaining, limit, resetAt: resetTime(resetAt) },
    },
  };
}

/** The result of a call that failed, in words: an agent can correct its arguments, or wait. */
export function failureOf(
  error: ApiError,
  budget: RateLimitState,
  { requestId, now }: { readonly requestId: string; readonly now: number },
): CallToolResult {
  const seconds = Math.max(1, Math.ceil((budget.resetAt - now) / 1_000));
  const text = errorText(error, error.code === 'RATE_LIMITED' ? seconds : undefined, requestId);
  return {
    isError: true,
    content: [{ type: 'text', text }],
    structuredContent: { error: { code: error.code, requestId } },
  };
}

function inputSchema(parameters: QueryParameters, described: QueryParameters): Schema {
  const properties = Object.entries(parameters).map(([name, parameter]): [string, Schema] => {
    const schema = plainSchema(parameterSchema(parameter, () => ({})));
    const { kind, description: whole } = parameter;
    // What is said in whole elsewhere: by another tool, and of a maximum by its minimum.
    const isSaid = name in described || (name.startsWith('max') && name.replace('max', 'min') in parameters);
    const example = kind === 'date' || kind === 'instant' ? ' Such as 2026-05-31.' : '';
    const description = shortened(isSaid ? firstClause(whole) : `${whole}${example}`);
    return [name, { ...schema, description }];
  });
  return { type: 'object', properties: Object.fromEntries(properties) };
}

const firstClause = (text: string): string => `${text.replace(/(, |\. |\.$).*$/s, '')}.`;

/** Without what all filters say, as the tools do, and what a result shows. */
const shortened = (text: string): string =>
  text
    .replace(/, inclusive| An ISO 8601 date \(midnight UTC\) or date-time\.| (Excludes|Case) [^.]+\./g, '')
    .replace(/^Only startups (\w)/, (_, letter: string) => letter.toUpperCase());

/** What some hosts do not forward to their models, or refuse a tool for, and what would refuse an empty value of a model. */
const LEFT_OUT = new Set([
  'anyOf',
  'uniqueItems',
  'additionalProperties',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'pattern',
]);

/** A schema of what every host forwards. */
function plainSchema(schema: Schema): Schema {
  const kept = Object.entries(schema).filter(
    ([name, value]) => !LEFT_OUT.has(name) && (name !== 'format' || value === 'date-time'),
  );
  return Object.fromEntries(
    kept.map(([name, value]) => [name, name === 'items' ? plainSchema(value as Schema) : value]),
  );
}
