import type { FieldDescription, TypeDescription } from '../../api/graphql/describe-schema.ts';
import { SUMMARIES } from '../../api/graphql/planning/operation-cost.ts';
import type { OpenApiOperation } from '../../api/rest/openapi.ts';
import type { Schema } from '../../api/rest/openapi-schemas.ts';
import { type OperationWords, operations } from '../../api/rest/operations.ts';
import { blocks, code, codeList, type Entry, entryList, jsonFacts, prose, typeLink } from './entries.ts';
import type { DocsData } from './section.ts';

/** The path of REST that reads the same as a field of Query, or as the history of a startup. */
const pathOf = (field: string): string | undefined =>
  (operations as Readonly<Record<string, OperationWords>>)[field]?.path;

/** The descriptions of both surfaces. */
type Described = Pick<DocsData, 'types' | 'openApi'>;

/** An operation on both surfaces, or on GraphQL only. */
export interface Operation {
  readonly field: FieldDescription;
  readonly path: string | undefined;
  readonly rest: OpenApiOperation | undefined;
}

/** The fields of Query and the history of a startup, by name. */
export function operationsOf({ types, openApi }: Described): ReadonlyMap<string, Operation> {
  const fieldsOf = (type: string): readonly FieldDescription[] =>
    types.find(({ name }) => name === type)?.fields ?? [];
  const fields = [...fieldsOf('Query'), ...fieldsOf('Startup').filter(({ name }) => name === 'history')];
  return new Map(
    fields.map((field) => {
      const path = pathOf(field.name);
      return [field.name, { field, path, rest: path === undefined ? undefined : openApi.paths[path]?.get }];
    }),
  );
}

/** An operation with its parameters, each once: first those of REST, in its order. */
export function describeOperation({ types, openApi }: Described, { field, path, rest }: Operation): string {
  const { name, description } = field;
  const parameters = entryList(parametersOf(field, rest, types));
  return blocks(
    [
      ...(rest === undefined ? [] : [`- **REST** ${code(`GET ${openApi.servers[0]?.url}${path}`)}`]),
      `- **GraphQL** ${code(name)}, which returns ${typeLink(field)}`,
    ].join('\n'),
    rest !== undefined && prose(rest.description),
    `${rest === undefined ? '' : 'GraphQL: '}${prose(description)}`,
    parameters !== '' && `**Parameters**\n\n${parameters}`,
  );
}

/** What a list can tell of all startups that match, each followed by its parameters. */
export function describeSummaries({ types, openApi }: Described): string {
  const list = types.find(({ name }) => name === 'StartupConnection');
  const rest = openApi.paths[operations.summary.path]?.get;
  const entries = (list?.fields ?? [])
    .filter(({ name }) => SUMMARIES.has(name))
    .flatMap((field) => {
      const names = field.args.map(({ name }) => name);
      const parameters = rest?.parameters.filter(({ name }) => names.includes(name)) ?? [];
      return [
        {
          id: `summaries.${field.name}`,
          name: field.name,
          facts: [typeLink(field)],
          description: field.description,
        },
        ...parametersOf(field, rest && { ...rest, parameters }, types),
      ];
    });
  return entryList(entries);
}

function parametersOf(
  { name: field, args }: FieldDescription,
  rest: OpenApiOperation | undefined,
  types: readonly TypeDescription[],
): Entry[] {
  // Where GraphQL takes a parameter: an argument, or a field of one that is an input object.
  const places = new Map(
    args.flatMap((arg): [string, { fact: string; description: string }][] => {
      const input = types.find(({ name, kind }) => name === arg.namedType && kind === 'input');
      const inner = (input?.fields ?? []).map((one) => [one, `${arg.name}.${one.name}`] as const);
      return [...inner, [arg, arg.name] as const].map(([one, path]) => [
        one.name,
        { fact: `GraphQL ${typeLink(one, path)}`, description: one.description },
      ]);
    }),
  );
  const id = (name: string): string => `Query.${field}.${name}`;
  const inRest = (rest?.parameters ?? []).map(({ name, schema, in: place, required, description }): Entry => {
    const values = valuesOf(schema);
    const { fact = false } = places.get(name) ?? {};
    places.delete(name);
    return {
      id: id(name),
      name,
      facts: [...jsonFacts(schema), place === 'path' && 'in the path', required === true && 'required', fact],
      description: values.length === 0 ? description : `${description} Values in REST: ${codeList(values)}.`,
    };
  });
  const others = [...places].map(
    ([name, { fact, description }]): Entry => ({
      id: id(name),
      name,
      facts: [rest === undefined ? fact : fact.replace('GraphQL', '**GraphQL only**')],
      description,
    }),
  );
  return [...inRest, ...others];
}

/** The most values to list with their parameter: there are 31 categories and 249 countries. */
const MOST_VALUES = 30;

/** The values that a schema lists, also for each of several. */
function valuesOf(schema: Schema): readonly string[] {
  const values = ((schema.items as Schema | undefined) ?? schema).enum as readonly string[] | undefined;
  return values !== undefined && values.length <= MOST_VALUES ? values : [];
}
