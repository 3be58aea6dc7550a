import { type DocumentNode, type ExecutionResult, GraphQLError } from 'graphql';
import { createYoga, type Plugin, type GraphQLParams as YogaParams } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../errors.ts';
import { createCompiler, type FindCompiled } from './compile.ts';
import type { GraphQLContext } from './context.ts';
import { knownOperations, parseWithinCaps } from './documents.ts';
import { codeOf, faultErrors } from './errors.ts';
import { planOperation } from './operation-plan.ts';
import { schema } from './schema.ts';

/** A client's GraphQL request. */
export interface GraphQLParams {
  query: string;
  operationName: string | null;
  variables: { readonly [name: string]: unknown };
}

/** Executes operations of clients. */
export type ExecuteGraphQL = (params: GraphQLParams, context: GraphQLContext) => Promise<ExecutionResult>;

/** Told of faults that clients see masked. */
export type ReportFault = (error: unknown, requestId: string) => void;

/** Parsed documents are kept by text, as many as fit in this many characters of text. */
const DOCUMENT_CACHE_CHARACTERS = 2_000_000;

/** Parsing under the caps. */
const useDocumentCaps: Plugin = {
  onParse({ setParseFn }) {
    setParseFn(parseWithinCaps);
  },
};

const useKnownOperations: Plugin = {
  onValidate({ addValidationRule }) {
    addValidationRule(knownOperations);
  },
};

/** Before execution: arguments are checked, and the reads of the operation are paid for as one. */
const useOperationPlan: Plugin<GraphQLContext> = {
  async onExecute({ args, setResultAndStopExecution }) {
    const context = args.contextValue as GraphQLContext;
    const plan = planOperation(args.schema, args.document, args.operationName, args.variableValues ?? {});
    await context.charge?.(plan.errors.length === 0 ? Math.max(1, plan.reads) : 1);
    if (plan.errors.length > 0) {
      setResultAndStopExecution({ errors: plan.errors });
    }
  },
};

/** Operations that come again are compiled. */
function useCompiler(find: FindCompiled): Plugin {
  return {
    onExecute({ args, setExecuteFn }) {
      const execute = find(args.schema, args.document, args.operationName);
      if (execute !== undefined) {
        setExecuteFn(execute);
      }
    },
  };
}

/**
 * Creates the engine.
 *
 * @param compile whether operations that come again are compiled; answers are the same either way.
 */
export function createEngine(report: ReportFault, compile = true): ExecuteGraphQL {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: DOCUMENT_CACHE_CHARACTERS,
    sizeCalculation: (_document, text) => text.length + 1,
  });
  const failures = new LRUCache<string, Error>({
    maxSize: DOCUMENT_CACHE_CHARACTERS / 10,
    sizeCalculation: (_error, text) => text.length + 1,
  });
  const yoga = createYoga<GraphQLContext>({
    schema,
    plugins: [
      useDocumentCaps,
      useKnownOperations,
      useOperationPlan,
      ...(compile ? [useCompiler(createCompiler())] : []),
    ],
    parserAndValidationCache: { documentCache: documents, errorCache: failures, validationCache: true },
    // The surfaces speak HTTP; what follows would be unreachable parts of it.
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    batching: false,
    logging: false,
    // Every error has one of the documented codes; masking is done below, with the request id.
    maskedErrors: false,
  });

  return async (params, context) => {
    let result: ExecutionResult;
    try {
      result = (await yoga.getResultForParams(
        { params: params as YogaParams, request: NO_REQUEST },
        // Yoga adds to the context that it is given.
        { ...context },
      )) as ExecutionResult;
    } catch (error) {
      result = { errors: [error as GraphQLError] };
    }
    if (result.errors === undefined) {
      return result;
    }
    return {
      ...result,
      errors: result.errors.flatMap((error) => presentable(error, context.requestId, report)),
    };
  };
}

/** HTTP is the surfaces' business: Yoga's checks of methods and headers stay out of the way. */
const NO_REQUEST = undefined as unknown as Request;

/** An error as a client may see it: with a documented code, and nothing of ours unless it is meant. */
function presentable(error: unknown, requestId: string, report: ReportFault): GraphQLError[] {
  const original = error instanceof GraphQLError ? (error.originalError ?? error) : error;
  const place = error instanceof GraphQLError ? { nodes: error.nodes ?? null, path: error.path ?? null } : {};
  if (original instanceof ApiError) {
    return original.details.length > 0
      ? faultErrors(original.details)
      : [new GraphQLError(original.message, { ...place, extensions: { code: original.code } })];
  }
  const code = codeOf(original);
  if (original instanceof GraphQLError && code !== undefined) {
    // Yoga notes its own HTTP status on validation errors, which are shared between requests.
    const { http: _http, ...extensions } = original.extensions;
    const { message, nodes, source, positions, path } = original;
    return [
      new GraphQLError(message, {
        nodes: nodes ?? null,
        source: source ?? null,
        positions: positions ?? null,
        path: path ?? null,
        extensions,
      }),
    ];
  }
  report(original, requestId);
  return [
    new GraphQLError('Internal server error', {
      ...place,
      extensions: { code: 'INTERNAL_SERVER_ERROR', requestId },
    }),
  ];
}
