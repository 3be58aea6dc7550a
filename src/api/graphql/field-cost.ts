import type { GraphQLField, GraphQLObjectType, GraphQLSchema } from 'graphql';
import type { ErrorDetail } from '../../lib/errors.ts';
import { RECORDS_PER_READ } from '../../startups/model/requests/list-parameters.ts';
import { type ParameterSyntax, parameterError } from '../../startups/model/requests/list-request.ts';

export type Arguments = { readonly [name: string]: unknown };

/** What a field's arguments request, or their errors beyond their types. */
export type Checked = { readonly request: unknown } | { readonly details: readonly ErrorDetail[] };

/**
 * @param plannedAt ms since 1970.
 * @param syntax how the client writes values, which errors say.
 */
export type Check = (args: Arguments, plannedAt: number, syntax: ParameterSyntax) => Checked;

/** What a field costs each time that it is executed: one read, after its arguments were checked. */
interface FieldCost {
  readonly check: Check;
  readonly from: 'catalogue' | 'database';
}

/** What the cost of a field is called in its extensions. */
const COST = 'revgate.cost';

/**
 * The extensions of a field that reads: of the root, of a list as a summary, or of a startup. All others read no more than
 * those do; those of the root say so, see {@link NO_COST}.
 */
export function costs(check: Check, from: FieldCost['from'] = 'catalogue') {
  return { [COST]: { check, from } satisfies FieldCost };
}

/** The extensions of a field of the root that adds no cost. */
export const NO_COST = { [COST]: null };

/** The field of the root whose value is another after each request, so that no cache may have its response. */
export const RATE_LIMIT_FIELD = 'rateLimit';

/** For a field whose arguments have only types. */
export function typed(args: Arguments): Checked {
  return { request: args };
}

/** For a field that finds records by names, as many as a page has. */
export function named(name: string): Check {
  return (args) => {
    const { length } = args[name] as readonly unknown[];
    return length >= 1 && length <= RECORDS_PER_READ
      ? { request: args[name] }
      : { details: [parameterError(name, `${length} values`, `1 to ${RECORDS_PER_READ}`)] };
  };
}

/** The cost of a field; undefined if it has none. */
export function costOf({ extensions }: GraphQLField<unknown, unknown>): FieldCost | undefined {
  return (extensions[COST] as FieldCost | null | undefined) ?? undefined;
}

/**
 * Checks that no field of the root is free by mistake.
 *
 * @throws Error naming the field that does not say what it costs.
 */
export function requireCosts(schema: GraphQLSchema): GraphQLSchema {
  for (const { name, extensions } of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    if (!Object.hasOwn(extensions, COST)) {
      throw new Error(`Query.${name} does not say what it costs: set its extensions to costs(…) or NO_COST.`);
    }
  }
  return schema;
}

/** The names of fields that have a cost. */
interface CostlyNames {
  /** Of the root. */
  readonly root: ReadonlySet<string>;
  /** Of a list: computed over all startups that match its filter. */
  readonly list: ReadonlySet<string>;
  /** Of a startup, wherever it is. No other field has such a name. */
  readonly startup: ReadonlySet<string>;
  /** Those of them that read the database; all others read the catalogue in memory. */
  readonly database: ReadonlySet<string>;
}
const known = new WeakMap<GraphQLSchema, CostlyNames>();

/** The names of the fields of a schema that have a cost, in its order. */
export function costlyNames(schema: GraphQLSchema): CostlyNames {
  const found = known.get(schema) ?? findCostly(schema);
  known.set(schema, found);
  return found;
}

function findCostly(schema: GraphQLSchema): CostlyNames {
  const fieldsOf = (type: string) =>
    Object.values((schema.getType(type) as GraphQLObjectType).getFields()).filter(
      (field) => costOf(field) !== undefined,
    );
  const [root, list, startup] = ['Query', 'StartupConnection', 'Startup'].map(fieldsOf);
  const namesOf = (fields: typeof root = []) => new Set(fields.map(({ name }) => name));
  const all = [root, list, startup].flatMap((fields = []) => fields);
  return {
    root: namesOf(root),
    list: namesOf(list),
    startup: namesOf(startup),
    database: namesOf(all.filter((field) => costOf(field)?.from === 'database')),
  };
}
