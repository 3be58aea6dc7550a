import { type DocumentNode, type ExecutionResult, GraphQLError, execute as interpret, Kind } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { maskError, type ReportError } from '../mask-error.ts';
import { type Day, dayOf } from '../startups/days.ts';
import { createExecutor } from './compile.ts';
import type { GraphQLContext } from './context.ts';
import { assertErrorsWithinCap } from './document-caps.ts';
import { bytesOf, knownOperations, parseWithinCaps } from './documents.ts';
import { argumentErrors, codedError, codeOf } from './errors.ts';
import { type OperationPlan, planOperation, type VariableText } from './operation-plan.ts';
import { schema } from './schema.ts';

/** Which operation to run, with which variables. */
export interface GraphQLParams {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: { readonly [name: string]: unknown };
}

/** An operation that was parsed and validated and whose cost is known. With errors it must not run. */
export interface Operation extends OperationPlan, GraphQLParams {
  readonly document: DocumentNode;
}

/** The result of an operation: data, errors or both. */
export type OperationResult = ExecutionResult;

/** Runs operations of the schema, both those of clients and those of REST. */
export interface Engine {
  /**
   * Parses and validates an operation and computes its cost. An invalid one has errors.
   *
   * @param variableText the source text of numbers in the variables, for messages.
   */
  prepare(params: GraphQLParams, variableText?: VariableText): Operation;
  /** Runs an operation. All errors in its result are safe to show to clients. */
  run(operation: Operation, context: GraphQLContext): Promise<OperationResult>;
}

/** Parsed documents are cached by text, as many as fit in some 32 MB. */
const DOCUMENT_CACHE_BYTES = 32_000_000;
/** The errors of invalid documents are cached too, in some 4 MB; an error with its stack takes 4 kB beside its text. */
const ERROR_CACHE_BYTES = 4_000_000;
const ERROR_BYTES = 4_000;

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
 * @param now ms since 1970.
 * @param compile whether operations that are used repeatedly are compiled; results are the same either way.
 */
export function createEngine(report: ReportError, now: () => number = Date.now, compile = true): Engine {
  const yoga = createYoga<GraphQLContext>({
    schema,
    plugins: [useDocumentCaps, useKnownOperations, useExecution(compile)],
    parserAndValidationCache: {
      documentCache: new LRUCache<string, DocumentNode>({
        maxSize: DOCUMENT_CACHE_BYTES,
        sizeCalculation: (document, text) => text.length + bytesOf(document),
      }),
      errorCache: new LRUCache<string, Error>({
        maxSize: ERROR_CACHE_BYTES,
        sizeCalculation: (_error, text) => text.length + ERROR_BYTES,
      }),
      validationCache: true,
    },
    // src/http implements HTTP; the code that follows would be unreachable parts of it.
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

  return {
    prepare(params, variableText) {
      const today = dayOf(now());
      let document = EMPTY_DOCUMENT;
      try {
        document = parse(params.query);
        const invalid: readonly GraphQLError[] = validate(schema, document);
        const plan =
          invalid.length === 0
            ? planOperation(schema, document, params.operationName, params.variables, variableText, today)
            : refuse(assertErrorsWithinCap(invalid).map(withoutStatus), today);
        return { ...params, document, ...plan };
      } catch (error) {
        if (!(error instanceof GraphQLError)) {
          throw error;
        }
        // An error without a code is about a variable that is null and therefore not replaced by its default.
        const coded = codeOf(error) === undefined ? codedError('BAD_USER_INPUT', error.message) : error;
        return { ...params, document, ...refuse([coded], today) };
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
/** The plugins for parsing and validation use no context. */
const NO_CONTEXT = {} as never;

/** The plan of an operation that must not run. */
function refuse(errors: readonly GraphQLError[], today: Day): OperationPlan {
  return { cost: 1, lists: new Map(), today, errors };
}

/** Yoga sets its own HTTP status on validation errors, which are shared between requests. */
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

/** An execution error as a client may see it: with a documented code, and without internals. */
function presentable(error: GraphQLError, requestId: string, report: ReportError): GraphQLError[] {
  const { nodes = null, path = null } = error;
  const original = error.originalError ?? error;
  if (codeOf(original) !== undefined) {
    return [error];
  }
  const { code, message, details } = maskError(original, requestId, report);
  return details.length > 0
    ? argumentErrors(details)
    : [
        new GraphQLError(message, {
          nodes,
          path,
          extensions: { code, ...(code === 'INTERNAL_SERVER_ERROR' ? { requestId } : {}) },
        }),
      ];
}
