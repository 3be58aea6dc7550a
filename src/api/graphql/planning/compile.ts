import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  GraphQLScalarType,
  GraphQLSchema,
  Kind,
  parseType,
  type VariableNode,
  visit,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { createMeasure } from './caps.ts';

/** Executes the operation that was compiled, with the context of its resolvers and variables as values of their types. */
export type CompiledRun = (
  root: undefined,
  context: object,
  coerced: { readonly [name: string]: unknown },
) => ExecutionResult | Promise<ExecutionResult>;

/**
 * Compiles the only operation of a valid document; undefined if that is not possible. It can still be interpreted.
 *
 * Not for operations with conditions (@skip, @include), as graphql-jit remembers the conditions of a fragment by its nodes,
 * wherever it is spread: it would omit fields that one spread has without a condition, or return fields that another
 * excludes. Nor for those with a field for which {@link isMiscompiled} holds.
 */
export type Compile = (separate: DocumentNode) => CompiledRun | undefined;

/**
 * Whether graphql-jit would give a field another result than the interpreter. Introspection would show a schema without arguments.
 * An underscore in an alias makes paths ambiguous, as graphql-jit joins their names by underscores: `eu { history_acme }` and
 * `acme_eu { history }` would have the same arguments. It would also omit an alias `__proto__`.
 */
export function isMiscompiled({ name, alias }: FieldNode): boolean {
  return name.value === '__schema' || name.value === '__type' || alias?.value.includes('_') === true;
}

/** Whether graphql-jit would read a variable from the prototype of its values, as it does `$constructor` or `$__proto__`. */
export function isInherited({ name }: VariableNode): boolean {
  return name.value in Object.prototype;
}

/** Compiling takes up to 0.1 ms for each field, during which no other request is answered. */
const MOST_FIELDS = 100;
/** The memory of a compiled operation per field, as measured: 1.5 to 3 kB. */
const FIELD_BYTES = 3_000;

/** The type of all variables of a compiled operation: their values were coerced when the operation was planned. */
const Coerced = new GraphQLScalarType({ name: 'Coerced' });
const COERCED = parseType(Coerced.name);

/** Compiles operations of a schema, whose variables are given as values of their types. */
export function createCompiler(schema: GraphQLSchema): Compile {
  const config = schema.toConfig();
  const withCoerced = new GraphQLSchema({ ...config, types: [...config.types, Coerced] });
  return (separate) => {
    // graphql-jit writes on the nodes that it compiles.
    const copy = visit(separate, {
      enter: (node) =>
        node.kind === Kind.VARIABLE_DEFINITION
          ? { kind: node.kind, variable: node.variable, type: COERCED }
          : { ...node },
    });
    try {
      // Resolvers return valid leaves, so graphql-jit need not check them: each check takes two calls and allocates a path.
      const compiled = compileQuery(withCoerced, copy, undefined, { disableLeafSerialization: true });
      return isCompiledQuery(compiled) ? compiled.query : undefined;
    } catch {
      return undefined;
    }
  };
}

/** The approximate memory of the only operation of a document once it is compiled; 0 for one that is too large to compile. */
export function compiledBytes(separate: DocumentNode): number {
  const operation = separate.definitions.find((one) => one.kind === Kind.OPERATION_DEFINITION);
  const fields = operation === undefined ? 0 : createMeasure(separate)(operation.selectionSet).fields;
  return fields > MOST_FIELDS ? 0 : fields * FIELD_BYTES;
}
