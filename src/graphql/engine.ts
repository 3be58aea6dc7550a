import { type DocumentNode, type ExecutionResult, GraphQLError, execute as interpret, Kind } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../errors.ts';
import { createExecutor } from './compile.ts';
import type { GraphQLContext } from './context.ts';
import { knownOperations, parseWithinCaps } from './documents.ts';
import { codeOf, faultErrors } from './errors.ts';
import { type OperationPlan, planOperation } from './operation-plan.ts';
import { schema } from './schema.ts';

/** Which operation to run, with which variables. */
export interface GraphQLParams {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: { readonly [name: string]: unknown };
}

/** An operation that was parsed, validated and priced. With errors it must not run. */
export interface Operation extends OperationPlan, GraphQLParams {
  readonly document: DocumentNode;
}

/** What running an operation gives: data, errors or both. */
export type OperationResult = ExecutionResult;

/** Runs operations of the schema, those of clients and those of REST alike. */
export interface Engine {
  /** Parses, validates and prices an operation. One that is invalid has errors. */
  prepare(params: GraphQLParams): Operation;
  /** Runs an operation. Its errors, and those of its result, are fit for clients. */
  run(operation: Operation, context: GraphQLContext): Promise<OperationResult>;
}

/** Receives errors that clients see masked. */
export type ReportFault = (error: unknown, requestId: string) => void;

/** Parsed documents are kept by text, as many as fit in this many characters of text. */
const DOCUMENT_CACHE_CHARACTERS = 2_000_000;

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

/** graphql's own execution, compiled where operations are used repeatedly. */
function useExecution(compile: boolean): Plugin {
  const execute = compile ? createExecutor(interpret) : interpret;
  return { onExecute: ({ setExecuteFn }) => setExecuteFn(execute) };
}

/**
 * Creates the engine: Yoga's pipeline of plugins parses, validates and executes.
 *
 * @param compile whether operations that are used repeatedly are compiled; results are the same either way.
 */
export function createEngine(report: ReportFault, compile = true): Engine {
  const yoga = createYoga<GraphQLContext>({
    schema,
    plugins: [useDocumentCaps, useKnownOperations, useExecution(compile)],
    parserAndValidationCache: {
      documentCache: new LRUCache<string, DocumentNode>({
        maxSize: DOCUMENT_CACHE_CHARACTERS,
        sizeCalculation: (_document, text) => text.length + 1,
      }),
      errorCache: new LRUCache<string, Error>({
        maxSize: DOCUMENT_CACHE_CHARACTERS / 10,
        sizeCalculation: (_error, text) => text.length + 1,
      }),
      validationCache: true,
    },
    // HTTP is spoken by src/http; what follows would be unreachable parts of it.
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    batching: false,
    logging: false,
    // Every error has one of the documented codes; masking is done below, with the request id.
    maskedErrors: false,
  });
  const { parse, validate, execute } = yoga.getEnveloped(NO_CONTEXT);

  return {
    prepare(params) {
      let document = EMPTY_DOCUMENT;
      try {
        document = parse(params.query);
        const invalid: readonly GraphQLError[] = validate(schema, document);
        const plan =
          invalid.length === 0
            ? planOperation(schema, document, params.operationName, params.variables)
            : refuse(invalid.map(withoutStatus));
        return { ...params, document, ...plan };
      } catch (error) {
        if (error instanceof GraphQLError && codeOf(error) !== undefined) {
          return { ...params, document, ...refuse([error]) };
        }
        throw error;
      }
    },
    async run({ document, operationName, variables, errors }, context) {
      if (errors.length > 0) {
        return { errors };
      }
      const result: ExecutionResult = await execute({
        schema,
        document,
        operationName,
        variableValues: variables,
        contextValue: context,
      });
      return result.errors === undefined
        ? result
        : {
            ...result,
            errors: result.errors.flatMap((error) => presentable(error, context.requestId, report)),
          };
    },
  };
}

const EMPTY_DOCUMENT: DocumentNode = { kind: Kind.DOCUMENT, definitions: [] };
/** Plugins of parsing and validation look at no context. */
const NO_CONTEXT = {} as never;

/** The plan of an operation that must not run. */
function refuse(errors: readonly GraphQLError[]): OperationPlan {
  return { cost: 1, lists: new Map(), errors };
}

/** Yoga notes an HTTP status of its own on validation errors, which are shared between requests. */
function withoutStatus({ message, nodes, source, positions, path, extensions }: GraphQLError): GraphQLError {
  const { http: _http, ...rest } = extensions;
  return new GraphQLError(message, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    path: path ?? null,
    extensions: rest,
  });
}

/** An error of execution as a client may see it: with a documented code, and without internals. */
function presentable(error: GraphQLError, requestId: string, report: ReportFault): GraphQLError[] {
  const { nodes = null, path = null } = error;
  const original = error.originalError ?? error;
  if (original instanceof ApiError) {
    return original.details.length > 0
      ? faultErrors(original.details)
      : [new GraphQLError(original.message, { nodes, path, extensions: { code: original.code } })];
  }
  if (codeOf(original) !== undefined) {
    return [error];
  }
  report(original, requestId);
  const extensions = { code: 'INTERNAL_SERVER_ERROR', requestId };
  return [new GraphQLError('Internal server error', { nodes, path, extensions })];
}
