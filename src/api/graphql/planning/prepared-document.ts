import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  separateOperations,
  visit,
} from 'graphql';
import { dayOf } from '../../../lib/text/days.ts';
import { type ParameterSyntax, parameterError } from '../../../startups/model/requests/list-request.ts';
import { argumentErrors } from '../errors.ts';
import { costlyNames, RATE_LIMIT_FIELD } from '../field-cost.ts';
import { createCoercion } from './coerce-variables.ts';
import { type Compile, type CompiledRun, compiledBytes, isInherited, isMiscompiled } from './compile.ts';
import { findReads, type OperationPlan, planReads, type Reads, refuse } from './operation-cost.ts';
import { fragmentsOf } from './selection.ts';
import { readVariables } from './variable-errors.ts';

/** How often an operation must have been used: compiling costs as much as several interpreted runs. */
const USES = 3;
const NO_VARIABLES = {};

/** The variables of a request. */
export type Variables = { readonly [name: string]: unknown };

/** The variables of a request, from a client or from code that knows their types. */
export type GivenVariables =
  | {
      /** As JSON has them. */
      readonly variables: Variables;
      readonly coerced?: undefined;
      readonly syntax?: undefined;
    }
  | {
      readonly variables?: undefined;
      /** As values of their types. Results then have enumeration values of that form: `ai`, not AI. */
      readonly coerced: Variables;
      /** How clients write them, which errors say; as in a URL by default. */
      readonly syntax?: ParameterSyntax | undefined;
    };

/** An operation of a valid document, with everything about it that no request changes. */
export class PreparedOperation {
  readonly document: DocumentNode;
  readonly name: string | undefined;
  /** Whether it has fields that read the database. */
  readonly readsDatabase: boolean;
  /** Whether its response says what is left of a limit. */
  readonly readsLimit: boolean;
  /** The approximate memory that it takes once it is compiled. */
  readonly bytes: number;
  readonly #schema: GraphQLSchema;
  readonly #definition: OperationDefinitionNode;
  readonly #fragments: { readonly [name: string]: FragmentDefinitionNode };
  readonly #separate: DocumentNode;
  readonly #coerce: ReturnType<typeof createCoercion>;
  /** Undefined where conditions (@skip, @include) decide which fields are read. */
  readonly #reads: Reads | undefined;
  /** The last plan, which is the same all day without variables. */
  #plan: OperationPlan | undefined;
  #uses = 0;
  #run: CompiledRun | undefined;

  /** @param separate the document without its other operations. */
  constructor(
    schema: GraphQLSchema,
    document: DocumentNode,
    separate: DocumentNode,
    definition: OperationDefinitionNode,
  ) {
    this.document = document;
    this.name = definition.name?.value;
    this.#schema = schema;
    this.#definition = definition;
    this.#separate = separate;
    this.#coerce = createCoercion(schema, definition.variableDefinitions ?? []);
    this.#fragments = fragmentsOf(separate);
    const { database } = costlyNames(schema);
    let readsDatabase = false;
    let readsLimit = false;
    let hasConditions = false;
    let hasMiscompiled = false;
    visit(separate, {
      Field(node) {
        readsDatabase ||= database.has(node.name.value);
        readsLimit ||= node.name.value === RATE_LIMIT_FIELD;
        hasMiscompiled ||= isMiscompiled(node);
      },
      Variable(node) {
        hasMiscompiled ||= isInherited(node);
      },
      Directive() {
        hasConditions = true;
      },
    });
    this.readsDatabase = readsDatabase;
    this.readsLimit = readsLimit;
    this.#reads = hasConditions ? undefined : this.#findReads(NO_VARIABLES);
    this.bytes = hasConditions || hasMiscompiled ? 0 : compiledBytes(separate);
  }

  /**
   * Plans one run.
   *
   * @param plannedAt ms since 1970.
   * @throws GraphQLError OPERATION_TOO_COMPLEX for more reads than any operation may have.
   */
  plan(given: GivenVariables, plannedAt: number): OperationPlan {
    const { variableDefinitions: definitions = [] } = this.#definition;
    if (definitions.length === 0) {
      if (this.#plan === undefined || dayOf(this.#plan.plannedAt) !== dayOf(plannedAt)) {
        this.#plan = planReads(
          this.#reads ?? this.#findReads(NO_VARIABLES),
          NO_VARIABLES,
          plannedAt,
          'graphql',
        );
      }
      return this.#plan;
    }
    const syntax = given.coerced === undefined ? 'graphql' : (given.syntax ?? 'url');
    const known = given.coerced ?? this.#coerce(given.variables);
    const read =
      known === undefined
        ? readVariables(this.#schema, definitions, given.variables ?? NO_VARIABLES)
        : { coerced: known };
    return 'errors' in read
      ? refuse(read.errors, plannedAt)
      : planReads(this.#reads ?? this.#findReads(read.coerced), read.coerced, plannedAt, syntax);
  }

  /** The compiled run; undefined for an operation that is interpreted. Counts its uses. */
  compiled(compile: Compile): CompiledRun | undefined {
    if (this.#run === undefined && this.bytes > 0) {
      this.#uses += 1;
      this.#run = this.#uses === USES ? compile(this.#separate) : undefined;
    }
    return this.#run;
  }

  #findReads(variables: Variables): Reads {
    return findReads(this.#schema, this.#definition, {
      fragments: this.#fragments,
      variableValues: variables,
    });
  }
}

/**
 * A valid document, prepared once for all requests; each of its operations when it is first requested. It grants nothing:
 * each request checks whether its key may run the document.
 */
export class PreparedDocument {
  readonly #schema: GraphQLSchema;
  readonly #document: DocumentNode;
  readonly #definitions: readonly OperationDefinitionNode[];
  readonly #prepared = new Map<OperationDefinitionNode, PreparedOperation>();
  /** The document for each operation, without the others. */
  #separated: { readonly [name: string]: DocumentNode } | undefined;
  /** The approximate memory that it takes with its text, and with all prepared operations compiled. */
  bytes: number;

  constructor(schema: GraphQLSchema, document: DocumentNode) {
    this.#schema = schema;
    this.#document = document;
    this.#definitions = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
    this.bytes = bytesOfDocument(document);
  }

  /**
   * The operation of a name, or the only one.
   *
   * @throws GraphQLError BAD_USER_INPUT if there is no such operation.
   */
  operation(name: string | null): PreparedOperation {
    const definition =
      name === null
        ? this.#definitions.length === 1
          ? this.#definitions[0]
          : undefined
        : this.#definitions.find((one) => one.name?.value === name);
    if (definition === undefined) {
      throw argumentErrors([parameterError('operationName', name, this.#allowedNames())])[0];
    }
    let operation = this.#prepared.get(definition);
    if (operation === undefined) {
      this.#separated ??= separateOperations(this.#document);
      const separate = this.#separated[definition.name?.value ?? ''] as DocumentNode;
      operation = new PreparedOperation(this.#schema, this.#document, separate, definition);
      this.#prepared.set(definition, operation);
      this.bytes += operation.bytes;
    }
    return operation;
  }

  #allowedNames(): string {
    const names = this.#definitions.flatMap(({ name }) => name?.value ?? []);
    if (names.length === 0) {
      return 'null, as the only operation of the document has no name';
    }
    const shown = names
      .slice(0, SHOWN_NAMES)
      .map((name) => (name.length > SHOWN_NAME_LENGTH ? `${name.slice(0, SHOWN_NAME_LENGTH)}…` : name));
    const more = names.length - shown.length;
    return `one of ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  }
}

/** The most names of operations in a message, and the most characters of each. */
const SHOWN_NAMES = 20;
const SHOWN_NAME_LENGTH = 60;

/** The memory of the nodes of a document per token, as measured: 230 to 460 bytes, most for fields without arguments. */
const TOKEN_BYTES = 500;
const DOCUMENT_BYTES = 1_000;

/** The approximate memory of a parsed document with its text. */
function bytesOfDocument({ loc }: DocumentNode): number {
  let tokens = 1;
  for (let token = loc?.startToken; token !== undefined; token = token.next ?? undefined) {
    tokens += 1;
  }
  return DOCUMENT_BYTES + 2 * (loc?.source.body.length ?? 0) + tokens * TOKEN_BYTES;
}
