import {
  type GraphQLEnumType,
  type GraphQLField,
  getNamedType,
  isEnumType,
  isInputObjectType,
} from 'graphql';
import { costlyNames } from '../../api/graphql/field-cost.ts';
import { schema } from '../../api/graphql/schema.ts';
import { type OperationWords, operations } from '../../api/rest/endpoint-table.ts';
import { REST_BASE } from '../../api/rest/find-endpoint.ts';
import type { OpenApiDocument, OpenApiOperation } from '../../api/rest/openapi.ts';
import { fieldSchema, isBooleanText, type Schema } from '../../api/rest/openapi-schemas.ts';
import { changeKinds } from '../../startups/catalogue/changes/change-list.ts';
import type { StartupFieldKind } from '../../startups/model/field-kinds.ts';
import { startupFieldList } from '../../startups/model/fields.ts';
import { listParameters, type QueryParameter } from '../../startups/model/requests/list-parameters.ts';
import { constantName, groupings } from '../../startups/model/vocabulary.ts';
import type { GeneratedParts } from './contents.ts';
import { blocks, code, codeList, type Entry, entryList, jsonFacts, prose, typeLink } from './entries.ts';

type Field = Pick<GraphQLField<unknown, unknown>, 'name' | 'type' | 'description' | 'args'>;

/** The fields of an object type. */
function fieldsOf(type: string): readonly Field[] {
  const found = schema.getType(type);
  return found !== undefined && 'getFields' in found ? (Object.values(found.getFields()) as Field[]) : [];
}

/** The fields of Query and the history of a startup, each with the operation of REST that reads the same. */
export function describeOperations({ paths }: OpenApiDocument): GeneratedParts {
  const known: Readonly<Record<string, OperationWords>> = operations;
  const fields = [...fieldsOf('Query'), ...fieldsOf('Startup').filter(({ name }) => name === 'history')];
  return Object.fromEntries(
    fields.map((field) => {
      const path = known[field.name]?.path ?? '';
      return [field.name, () => describeOperation(field, path, paths[path]?.get)];
    }),
  );
}

/** An operation with its parameters, each once: first those of REST, in its order. */
function describeOperation(field: Field, path: string, rest: OpenApiOperation | undefined): string {
  const { name, description } = field;
  const parameters = entryList(parametersOf(field, rest));
  const ofRest = rest && `- **REST** ${code(`GET ${REST_BASE}${path}`)}: ${prose(rest.description)}\n`;
  const ofGraphql = `- **GraphQL** ${code(name)}, which returns ${typeLink(field)}: ${prose(description ?? '')}`;
  return blocks(`${ofRest ?? ''}${ofGraphql}`, parameters !== '' && `**Parameters**\n\n${parameters}`);
}

/** What a list can tell of all startups that match, each followed by its parameters. */
export function describeSummaries({ paths }: OpenApiDocument): string {
  const rest = paths[operations.summary.path]?.get;
  return entryList(
    fieldsOf('StartupConnection')
      .filter(({ name }) => costlyNames(schema).list.has(name))
      .flatMap((field) => {
        const names = field.args.map(({ name }) => name);
        const parameters = rest?.parameters.filter(({ name }) => names.includes(name)) ?? [];
        return [fieldEntry('summaries', field), ...parametersOf(field, rest && { ...rest, parameters })];
      }),
  );
}

function parametersOf({ name: field, args }: Field, rest: OpenApiOperation | undefined): Entry[] {
  // Where GraphQL takes a parameter: an argument, or a field of one that is an input object.
  const places = new Map(
    args.flatMap((arg) => {
      const input = getNamedType(arg.type);
      const inner = isInputObjectType(input) ? Object.values(input.getFields()) : [];
      return [
        ...inner.map((one) => ({ one, path: `${arg.name}.${one.name}` })),
        { one: arg, path: arg.name },
      ].map(
        ({ one, path }) =>
          [one.name, { fact: `GraphQL ${typeLink(one, path)}`, description: one.description ?? '' }] as const,
      );
    }),
  );
  const id = (name: string): string => `Query.${field}.${name}`;
  const inRest = (rest?.parameters ?? []).map(({ name, schema, in: place, description }): Entry => {
    const values = valuesOf(schema);
    const { fact = false } = places.get(name) ?? {};
    places.delete(name);
    return {
      id: id(name),
      name,
      facts: [...jsonFacts(schema), ...(place === 'path' ? ['in the path', 'required'] : []), fact],
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
  return values !== undefined && values.length <= MOST_VALUES && !isBooleanText(schema) ? values : [];
}

const fieldEntry = (owner: string, field: Field, note: string | false = false): Entry => ({
  id: `${owner}.${field.name}`,
  name: field.name,
  facts: [note, typeLink(field)],
  description: field.description ?? '',
});

/** What the number of a field counts. */
const units: Readonly<Partial<Record<StartupFieldKind, string>>> = {
  cents: 'US cents',
  percent: 'percent',
  ratio: 'ratio',
};

/** The fields of a record on both surfaces. */
export function describeRecord(): string {
  const fields = fieldsOf('Startup');
  const find = (path: string): Field | undefined => {
    const [head, below] = path.split('.');
    const field = fields.find(({ name }) => name === head);
    return below === undefined || field === undefined
      ? field
      : fieldsOf(getNamedType(field.type).name).find(({ name }) => name === below);
  };
  const restFields = startupFieldList.filter(({ shape }) => shape !== 'import');
  const inRest = restFields.map(({ path, kind, shape, description }): Entry => {
    const field = find(path);
    return {
      id: `Startup.${path}`,
      name: path,
      facts: [
        ...jsonFacts(fieldSchema(path)).slice(0, 2),
        units[kind] ?? false,
        shape === 'detail' && 'not in lists of REST',
        field !== undefined && `GraphQL ${typeLink(field)}`,
      ],
      description,
    };
  });
  const known = new Set(restFields.map(({ path }) => path.split('.')[0]));
  const others = fields
    .filter(({ name }) => !known.has(name))
    .map((field) => fieldEntry('Startup', field, '**GraphQL only**'));
  return entryList([...inRest, ...others]);
}

/** Every enumeration, with its values on both surfaces. */
export function describeEnumerations(): string {
  const parameters = Object.values(listParameters as Readonly<Record<string, QueryParameter>>);
  const values = [
    ...parameters.flatMap((parameter) => ('values' in parameter ? parameter.values : [])),
    ...startupFieldList.flatMap(({ values = [] }) => values),
    ...groupings,
    ...Object.keys(changeKinds),
  ];
  const inRest = new Map(values.map((value) => [constantName(value), value]));
  const describe = (type: GraphQLEnumType): string =>
    blocks(
      `## ${type} {#${type}}`,
      prose(type.description ?? ''),
      entryList(
        type.getValues().map(({ name, description }) => ({
          id: `${type}.${name}`,
          name: inRest.get(name) ?? name,
          facts: [`GraphQL ${code(name)}`],
          description: description ?? '',
        })),
      ),
    );
  return blocks(
    ...Object.values(schema.getTypeMap())
      .filter((type) => isEnumType(type) && !type.name.startsWith('__'))
      .map((type) => describe(type as GraphQLEnumType)),
  );
}
