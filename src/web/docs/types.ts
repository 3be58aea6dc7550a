import type { FieldDescription } from '../../api/graphql/describe-schema.ts';
import type { OpenApiOperation } from '../../api/rest/openapi.ts';
import { fieldSchema, type Schema } from '../../api/rest/openapi-schemas.ts';
import { changeKinds } from '../../startups/catalogue/changes/change-list.ts';
import type { StartupFieldKind } from '../../startups/model/field-kinds.ts';
import { startupFieldList } from '../../startups/model/fields.ts';
import { type ListParameter, listParameters } from '../../startups/model/requests/list-parameters.ts';
import { constantName, groupings } from '../../startups/model/vocabulary.ts';
import { blocks, code, type Entry, entryList, jsonFacts, prose, schemaEntries, typeLink } from './entries.ts';
import type { DocsData } from './section.ts';

/** What the number of a field counts. */
const units: Readonly<Partial<Record<StartupFieldKind, string>>> = {
  cents: 'US cents',
  percent: 'percent',
  ratio: 'ratio',
};

/** The fields of a record on both surfaces. */
export function describeRecord({ types }: Pick<DocsData, 'types'>): string {
  const typeOf = (type: string | undefined) => types.find(({ name }) => name === type);
  const fieldsOf = (type: string | undefined): readonly FieldDescription[] => typeOf(type)?.fields ?? [];
  const find = (path: string): FieldDescription | undefined => {
    const [head, below] = path.split('.');
    const field = fieldsOf('Startup').find(({ name }) => name === head);
    return below === undefined ? field : fieldsOf(field?.namedType).find(({ name }) => name === below);
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
  const others = fieldsOf('Startup')
    .filter(({ name }) => !known.has(name))
    .map((field) => fieldEntry('Startup', field, '**GraphQL only**'));
  return blocks(typeOf('Startup')?.description, entryList([...inRest, ...others]));
}

function fieldEntry(owner: string, field: FieldDescription, note: string | false = false): Entry {
  const { name, description } = field;
  return { id: `${owner}.${name}`, name, facts: [note, typeLink(field)], description };
}

/** The records that a list of REST has, if they are not startups, which have a page of their own. */
export function describeItems({ openApi }: DocsData, { responses }: OpenApiOperation): string | undefined {
  const schemas: Readonly<Record<string, Schema>> = openApi.components.schemas;
  const nameOf = (schema: Schema | undefined) => String(schema?.$ref).replace(/^.*\//, '');
  const page = schemas[nameOf(responses['200']?.content?.['application/json']?.schema)];
  const { data } = (page?.properties ?? {}) as Readonly<Record<string, Schema>>;
  const name = nameOf(data?.items as Schema | undefined);
  const item = name === 'Startup' ? undefined : schemas[name];
  return item && blocks(`## Fields of ${name} {#${name}}`, entryList(schemaEntries(name, item)));
}

/** Values as REST writes them, by their names in GraphQL. */
const restValues: ReadonlyMap<string, string> = new Map(
  [
    ...[...Object.values(listParameters as Record<string, ListParameter>), ...startupFieldList].flatMap(
      (source) => ('values' in source ? (source.values ?? []) : []),
    ),
    ...groupings,
    ...Object.keys(changeKinds),
  ].map((value) => [constantName(value), value]),
);

/** Every enumeration, with its values on both surfaces. */
export function describeEnumerations({ types }: DocsData): string {
  return blocks(
    'REST writes values in lower case, names of fields as they are, and GraphQL all in upper case. In a URL, write a plus sign as `%2B`.',
    ...types
      .filter(({ kind }) => kind === 'enum')
      .flatMap((type) => [
        `## ${type.name} {#${type.name}}`,
        prose(type.description),
        entryList(
          type.values.map(({ name, description }) => ({
            id: `${type.name}.${name}`,
            name: restValues.get(name) ?? name,
            facts: [`GraphQL ${code(name)}`],
            description,
          })),
        ),
      ]),
  );
}
