import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute as executeByInterpreter,
  GraphQLError,
  type GraphQLSchema,
} from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import type { RateLimitState } from '../../../access/limits/limiter.ts';
import type { PrismaClient } from '../../../db/generated/client/client.ts';
import type { Owner } from '../../../lib/loop/time-slices.ts';
import type { Catalogue } from '../../../startups/catalogue/catalogue.ts';
import type { LiveCatalogue } from '../../../startups/catalogue/live-catalogue.ts';
import type { OwnField } from '../../../startups/model/own-fields.ts';
import { type ReportError, toApiError } from '../../gateway/to-api-error.ts';
import { argumentErrors, codedError, codeOf, dataOf } from '../errors.ts';
import { findInvalid, parseWithinCaps } from '../planning/check-document.ts';
import { createCompiler } from '../planning/compile.ts';
import { type OperationPlan, refuse } from '../planning/operation-cost.ts';
import { withoutPrototypes } from '../planning/plain-values.ts';
import {
  type GivenVariables,
  PreparedDocument,
  PreparedOperation,
  type Variables,
} from '../planning/prepared-document.ts';
import { schemaWith } from '../schema.ts';
import { GraphQLContext, type WaitingRequest } from './context.ts';
import { jsonOf } from './json-variables.ts';

/** Which operation to run, with which variables. */
export type GraphQLParams = GivenVariables & {
  readonly query: string;
  readonly operationName: string | null;
};

/** An operation that was parsed and validated and whose cost is known. With errors it must not run. */
export interface Operation extends OperationPlan {
  /** The edition that it reads, whose declared fields its document was prepared with. */
  readonly edition: Catalogue;
  readonly pipeline: Pipeline;
  /** Undefined if it is invalid. */
  readonly prepared: PreparedOperation | undefined;
  readonly params: GraphQLParams;
}

/** The result of an operation: data, errors or both. */
export type OperationResult = ExecutionResult;

/** Runs operations of the schema: those of clients, of REST and of pages. */
export interface Engine {
  /** The fields that are declared in the current edition. */
  own(): readonly OwnField[];
  /** The schema with these fields. */
  schema(): GraphQLSchema;
  /** Parses and validates an operation and computes its cost. An invalid one has errors. */
  prepare(params: GraphQLParams): Operation;
  /**
   * Runs an operation on the edition that was current when it was prepared, until its deadline or until the client disconnects. All errors in
   * the result are safe to show to clients.
   *
   * @param request the one that waits for the result.
   * @param owner whose work it is.
   * @param budget of its client, after the cost was reserved.
   */
  run(
    operation: Operation,
    request: WaitingRequest,
    owner: Owner,
    budget?: RateLimitState,
  ): OperationResult | Promise<OperationResult>;
}

/**
 * Prepares and runs a document of ours.
 *
 * @throws ApiError the first error of the result.
 */
export async function runDocument<Data>(
  engine: Engine,
  query: string,
  variables: Variables,
  request: WaitingRequest,
  owner: Owner,
): Promise<Data> {
  const operation = engine.prepare({ query, operationName: null, variables });
  return dataOf(await engine.run(operation, request, owner));
}

/** Valid documents are kept by their text, as many as fit in some 64 MB with their compiled operations. */
const DOCUMENT_CACHE_BYTES = 64_000_000;

type Result = ExecutionResult | Promise<ExecutionResult>;
type Execute = (args: ExecutionArgs) => Result;

/**
 * Creates an executor that runs operations compiled where they are.
 *
 * A compiled run is only a faster way to the result of the interpreter: if it yields an error, the interpreter runs the
 * operation again with the same context, and its result is returned. The context keeps what was read from the database,
 * so that nothing is read twice. Nothing is run again for a client that has disconnected.
 */
function createExecutor(schema: GraphQLSchema): Execute {
  const compile = createCompiler(schema);
  return (args) => {
    const context = args.contextValue as GraphQLContext;
    const { prepared, coerced } = context.plan;
    const run = prepared?.compiled(compile);
    if (run === undefined) {
      return interpret(args);
    }
    const settle = (result: ExecutionResult): Result =>
      result.errors === undefined || context.isAbandoned ? result : interpret(args);
    try {
      const result = run(undefined, context, coerced);
      return result instanceof Promise ? result.then(settle, () => interpret(args)) : settle(result);
    } catch {
      return interpret(args);
    }
  };
}

/** graphql's own execution. */
const interpret: Execute = (args) => {
  const { variables, coerced } = (args.contextValue as GraphQLContext).plan.params;
  return executeByInterpreter({ ...args, variableValues: withoutPrototypes(variables ?? jsonOf(coerced)) });
};

interface EngineOptions {
  readonly catalogue: Pick<LiveCatalogue, 'current'>;
  readonly prisma: PrismaClient;
  /** Receives every error that is masked for clients. */
  readonly report: ReportError;
  /** ms since 1970. */
  readonly now: () => number;
  /** ms after which an operation is aborted; 3,000 by default. */
  readonly timeout?: number;
}

/** Everything that depends on the schema: what is declared makes another one. */
type Pipeline = ReturnType<typeof createPipeline>;

/** Yoga's pipeline of plugins parses, validates and executes. */
function createPipeline(schema: GraphQLSchema) {
  const executeFn = createExecutor(schema);
  const plugin: Plugin = {
    onParse: ({ setParseFn }) => setParseFn(parseWithinCaps),
    onValidate: ({ params, setValidationFn }) =>
      setValidationFn(() => findInvalid(schema, params.documentAST)),
    onExecute: ({ setExecuteFn }) => setExecuteFn(executeFn),
  };
  const yoga = createYoga<GraphQLContext>({
    schema,
    plugins: [plugin],
    // Its caches keep the errors of invalid documents, each with a stack that keeps the whole validation in memory.
    parserAndValidationCache: false,
    // src/api/gateway implements HTTP; the code that follows would be unreachable parts of it.
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    batching: false,
    logging: false,
    // Every error has one of the documented codes; errors are masked below, with the request id.
    maskedErrors: false,
  });
  const { parse, validate, execute } = yoga.getEnveloped(NO_CONTEXT);
  const documents = new LRUCache<string, PreparedDocument>({
    maxSize: DOCUMENT_CACHE_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
  });

  /** @throws GraphQLError for an operation that does not exist, or a document that is not valid: one error for many. */
  function findOperation({
    query,
    operationName,
  }: GraphQLParams): PreparedOperation | readonly GraphQLError[] {
    let document = documents.get(query);
    if (document === undefined) {
      const parsed: DocumentNode = parse(query);
      const invalid: readonly GraphQLError[] = validate(schema, parsed);
      if (invalid.length > 0) {
        for (const { extensions } of invalid) {
          // Yoga's own status of HTTP.
          delete extensions.http;
        }
        return invalid;
      }
      document = new PreparedDocument(schema, parsed);
      documents.set(query, document);
    }
    const { bytes } = document;
    const operation = document.operation(operationName);
    if (document.bytes !== bytes) {
      // The cache measures a document only when it is added.
      documents.delete(query);
      documents.set(query, document);
    }
    return operation;
  }

  return { schema, findOperation, execute };
}

/** Creates the engine. */
export function createEngine(options: EngineOptions): Engine {
  const { catalogue, prisma, report, now, timeout } = options;
  let known: readonly OwnField[] = [];
  let declared = declaredIn(known);
  let pipeline = createPipeline(schemaWith(known));

  /** That of an edition, which is made anew when other fields are declared. */
  function pipelineOf({ own }: Catalogue): Pipeline {
    if (own !== known) {
      const found = declaredIn(own);
      pipeline = found === declared ? pipeline : createPipeline(schemaWith(own));
      known = own;
      declared = found;
    }
    return pipeline;
  }

  return {
    own: () => catalogue.current().own,
    schema: () => pipelineOf(catalogue.current()).schema,
    prepare(params) {
      const plannedAt = now();
      const edition = catalogue.current();
      const pipeline = pipelineOf(edition);
      let prepared: PreparedOperation | undefined;
      try {
        const found = pipeline.findOperation(params);
        if (!(found instanceof PreparedOperation)) {
          return { ...refuse(found, plannedAt), edition, pipeline, prepared, params };
        }
        prepared = found;
        const { cost, totals, requests, coerced, errors } = prepared.plan(params, plannedAt);
        // By name, which is several times as fast as all properties of an object.
        return { cost, totals, requests, coerced, plannedAt, errors, edition, pipeline, prepared, params };
      } catch (error) {
        if (!(error instanceof GraphQLError)) {
          throw error;
        }
        // An error without a code is about a variable that is null and therefore not replaced by its default.
        const coded = codeOf(error) === undefined ? codedError('BAD_USER_INPUT', error.message) : error;
        return { ...refuse([coded], plannedAt), edition, pipeline, prepared, params };
      }
    },
    run(operation, request, owner, budget) {
      const { prepared, errors, edition, pipeline } = operation;
      if (errors.length > 0 || prepared === undefined) {
        return { errors };
      }
      const context = new GraphQLContext(operation, owner, request, edition, prisma, budget, timeout);
      const { document, name: operationName } = prepared;
      const present = (result: ExecutionResult): OperationResult =>
        result.errors === undefined
          ? result
          : { ...result, errors: result.errors.flatMap((error) => presentable(error, request.id, report)) };
      let result: Result | undefined;
      try {
        const { schema } = pipeline;
        result = pipeline.execute({ schema, document, operationName, contextValue: context }) as Result;
        return result instanceof Promise
          ? result.finally(() => context.end()).then(present)
          : present(result);
      } finally {
        if (!(result instanceof Promise)) {
          context.end();
        }
      }
    },
  };
}

/** What of declared fields makes a schema: their values do not. */
function declaredIn(own: readonly OwnField[]): string {
  return own.length === 0 ? '' : JSON.stringify(own.map((field) => ({ ...field, choices: [] })));
}

/** The plugins for parsing and validation use no context. */
const NO_CONTEXT = {} as never;

/** An execution error as a client may see it: with a documented code, and without internals. */
function presentable(error: GraphQLError, requestId: string, report: ReportError): GraphQLError[] {
  const { nodes = null, path = null } = error;
  const original = error.originalError ?? error;
  if (codeOf(original) !== undefined) {
    return [error];
  }
  const { code, message, details } = toApiError(original, requestId, report);
  return details.length > 0
    ? argumentErrors(details, { nodes, path })
    : [
        new GraphQLError(message, {
          nodes,
          path,
          extensions: { code, ...(code === 'INTERNAL_SERVER_ERROR' ? { requestId } : {}) },
        }),
      ];
}
