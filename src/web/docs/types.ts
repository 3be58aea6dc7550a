import type { FieldDescription, TypeDescription } from '../../api/graphql/describe-schema.ts';
import { fieldSchema } from '../../api/rest/openapi-schemas.ts';
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

/** Schemas of REST that other sections describe. */
const describedElsewhere: ReadonlySet<string> = new Set(['StartupDetail', 'SnapshotStartup', 'Error']);

/** The bodies of REST. Records and errors have separate sections. */
export function describeRestTypes({ openApi, types }: DocsData): string {
  // A schema with the name of a GraphQL type has its fields, too.
  const isType = (name: string): boolean => types.some((type) => type.name === name);
  const shown = Object.entries(openApi.components.schemas).filter(
    ([name]) => !describedElsewhere.has(name) && !isType(name),
  );
  return blocks(
    'A list returns [`StartupPage`](#StartupPage). An error returns [`error`](#Error).',
    '## StartupDetail {#StartupDetail}',
    'A detail returns `data` alone, with the fields of [the record](#Startup).',
    '## SnapshotStartup {#SnapshotStartup}',
    'A line of [a snapshot](/docs/snapshot) has the fields of [the record](#Startup) and `active`, but no `rank`.',
    ...shown.flatMap(([name, schema]) => [`## ${name} {#${name}}`, entryList(schemaEntries(name, schema))]),
  );
}

/** The types of counts and statistics, which have a page of their own. */
const SUMMARY = /Count$|^Startup(Facets|Figures|Group|Stats)$/;

/** The types of GraphQL's responses. */
export const describeGraphqlTypes = ({ types }: DocsData): string =>
  describeTypes(
    types.filter(
      ({ name, kind }) =>
        (kind === 'type' || kind === 'interface') && !/^(Query|Startup)$/.test(name) && !SUMMARY.test(name),
    ),
  );

/** The types of facets, statistics and groups. */
export const describeGraphqlSummaries = ({ types }: DocsData): string =>
  describeTypes(types.filter(({ name, kind }) => kind === 'type' && SUMMARY.test(name)));

/** The types of GraphQL's arguments, and of single values. */
export const describeGraphqlInputs = ({ types }: DocsData): string =>
  describeTypes(types.filter(({ kind }) => kind === 'input' || kind === 'scalar'));

function describeTypes(shown: readonly TypeDescription[]): string {
  return blocks(
    ...shown.flatMap(({ name, kind, description, fields }) => [
      `## ${name} {#${name}}`,
      `${kind} · ${prose(description)} [In the schema](/docs/schema#${name})`,
      entryList(fields.map((field) => fieldEntry(name, field))),
    ]),
  );
}

function fieldEntry(owner: string, field: FieldDescription, note: string | false = false): Entry {
  const { name, description } = field;
  return { id: `${owner}.${name}`, name, facts: [note, typeLink(field)], description };
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

const kinds: readonly TypeDescription['kind'][] = ['type', 'interface', 'input', 'enum', 'scalar'];

/** The printed schema, a heading for each type. */
export function describeSchemaText({ schema, types }: DocsData): string {
  // A definition is a block between empty lines at the outermost level; each begins where its description does.
  const definitions = new Map(
    schema
      .trimEnd()
      .split(/\n\n(?=\S)/)
      .map((text) => [/^(?:type|interface|input|enum|scalar) (\w+)/m.exec(text)?.[1], text]),
  );
  // Query first: everything begins there.
  const shown = kinds
    .flatMap((kind) => types.filter((type) => type.kind === kind))
    .sort((a, b) => Number(b.name === 'Query') - Number(a.name === 'Query'));
  return blocks(
    'The schema served at `/graphql`. Download [schema.graphql](/schema.graphql).',
    ...shown.flatMap(({ name }) => [
      `## ${name} {#${name}}`,
      `\`\`\`graphql\n${definitions.get(name)}\n\`\`\``,
    ]),
  );
}
