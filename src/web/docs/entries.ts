import { type GraphQLInputType, type GraphQLOutputType, getNamedType, isSpecifiedScalarType } from 'graphql';
import { isBooleanText, type Schema } from '../../api/rest/openapi-schemas.ts';
import { startupFieldList } from '../../startups/model/fields.ts';
import { graphqlParameters, listParameters } from '../../startups/model/requests/list-parameters.ts';
import { startupSorts } from '../../startups/model/vocabulary.ts';
import { count } from '../shared/figures.tsx';

/** A parameter, an argument, a field, a value or a code, as the reference lists it. */
export interface Entry {
  /** Its anchor. */
  readonly id: string;
  readonly name: string;
  /** Its types, units and bounds, Markdown. */
  readonly facts: readonly (string | false)[];
  readonly description: string;
}

/** A list of entries, Markdown: the name and the facts of each, its description and its anchor. */
export function entryList(entries: readonly Entry[]): string {
  const lines = entries.map(({ id, name, facts, description }) => {
    const head = [code(name), ...facts.filter((fact) => fact !== false)].join(' · ');
    return `- ${head}${description === '' ? '' : `: ${prose(description)}`} {#${id}}`;
  });
  return lines.join('\n');
}

/** Rows of cells with Markdown, the first of which is the head. */
export function table(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`);
  return lines.toSpliced(1, 0, `|${' --- |'.repeat(rows[0]?.length ?? 0)}`).join('\n');
}

/** Blocks one below another, without those that are left out. */
export const blocks = (...texts: readonly (string | false | undefined)[]): string =>
  texts.filter(Boolean).join('\n\n');

export const code = (text: string | number): string => `\`${text}\``;

/** Names one after another, such as `a`, `b` and `c`. */
export const codeList = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB').format(names.map(code));

/** Names that are recognizable as names: with a dash, a digit or a capital letter inside. */
const names = [
  ...Object.keys(listParameters),
  ...Object.keys(graphqlParameters),
  ...startupFieldList.map(({ path }) => path),
  ...startupSorts,
].filter((name) => /[a-z][-A-Z.\d]/.test(name));
const NAME = new RegExp(
  `\`[^\`]+\`|(?<![\\w-])(?:${[...new Set(names)].join('|').replaceAll('.', '\\.')})(?![\\w-])`,
  'g',
);

/** A description as the tables have it, with the names in it as code. */
export const prose = (text: string): string =>
  text.replace(NAME, (name) => (name.startsWith('`') ? name : code(name)));

/** The type of a field or argument, after its name if it is given; it leads to the description of the type. */
export function typeLink(
  { type }: { readonly type: GraphQLOutputType | GraphQLInputType },
  name?: string,
): string {
  const text = code(name === undefined ? String(type) : `${name}: ${type}`);
  const named = getNamedType(type);
  return isSpecifiedScalarType(named) ? text : `[${text}](#${named})`;
}

/** What JSON holds for a schema: its type and bounds, but not its values. */
export function jsonFacts(schema: Schema): (string | false)[] {
  const [first] = (schema.oneOf ?? []) as readonly Schema[];
  if (first !== undefined) {
    const [name = false, , ...limits] = jsonFacts(first);
    return [name, 'nullable', ...limits];
  }
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.replace(/^.*\/|Detail$/g, '');
    return [`[${name}](#${name})`];
  }
  if (isBooleanText(schema)) {
    return ['boolean'];
  }
  const { type, format, minimum, maximum, minLength, maxLength, maxItems, default: fallback, items } = schema;
  const types = [type].flat().map(String);
  const name = types.filter((one) => one !== 'null').join(' or ');
  const of = items === undefined ? '' : ` of ${jsonFacts(items as Schema)[0]}`;
  return [
    `${name}${of}${format === undefined ? '' : ` (${format})`}`,
    types.includes('null') && 'nullable',
    range(minimum, maximum),
    range(minLength, maxLength, ' characters'),
    maxItems !== undefined && `at most ${maxItems} items`,
    fallback !== undefined && `default ${code(String(fallback))}`,
  ];
}

function range(least: unknown, most: unknown, unit = ''): string | false {
  if (least === undefined && most === undefined) {
    return false;
  }
  const [from, to] = [count(Number(least)), count(Number(most))];
  const text =
    least === undefined ? `at most ${to}` : most === undefined ? `at least ${from}` : `${from} to ${to}`;
  return text + unit;
}

/** The properties of a JSON object, those of objects in it by their dotted path. */
export function schemaEntries(id: string, schema: Schema, prefix = ''): Entry[] {
  return Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>).flatMap(
    ([name, property]) => {
      const path = prefix + name;
      const required = (schema.required as readonly string[] | undefined)?.includes(name) ?? false;
      return [
        {
          id: `${id}.${path}`,
          name: path,
          facts: [...jsonFacts(property), !required && 'may be absent'],
          description: String(property.description ?? ''),
        },
        ...schemaEntries(id, property, `${path}.`),
        ...schemaEntries(id, (property.items ?? {}) as Schema, `${path}[].`),
      ];
    },
  );
}
