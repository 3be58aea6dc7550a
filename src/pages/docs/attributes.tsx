import type { Schema } from '../../rest/openapi-schemas.ts';
import type { Content, Html } from '../shared/jsx.ts';
import { prose } from './prose.tsx';
import { codeList, count } from './section.tsx';

/** A parameter, an argument or a field, as the reference lists it. */
export interface Attribute {
  /** The anchor of its entry. */
  readonly id: string;
  readonly name: string;
  /** Its types, units and bounds, one after another. */
  readonly facts: readonly Content[];
  readonly description: string;
  /** The values of REST, where it allows only some. */
  readonly values?: readonly string[];
}

/** The most values to list with their parameter: of country codes there are 249. */
const MOST_VALUES = 50;

/** A list of parameters, arguments or fields. */
export function attributeList(attributes: readonly Attribute[], isDense = false): Html {
  return (
    <dl class={isDense ? 'attributes dense' : 'attributes'}>
      {attributes.map(({ id, name, facts, description, values = [] }) => (
        <div id={id}>
          <dt>
            <code>{name}</code>{' '}
            {facts.filter(Boolean).map((fact) => (
              <span class="fact">{fact}</span>
            ))}
          </dt>
          <dd>
            {prose(description)}
            {values.length > 0 && values.length <= MOST_VALUES && <> Values in REST: {codeList(values)}.</>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A type of the GraphQL schema, linked where this page describes it. */
export function typeLink(type: string, namedType: string): Html {
  const [before = '', after = ''] = type.split(namedType);
  return BUILT_IN.has(namedType) ? (
    <>{type}</>
  ) : (
    <>
      {before}
      <a href={`#${namedType}`}>{namedType}</a>
      {after}
    </>
  );
}

/** Types that every GraphQL schema has. */
const BUILT_IN: ReadonlySet<string> = new Set(['Int', 'Float', 'String', 'Boolean', 'ID']);

/** What JSON holds for a schema: its type and bounds, but not its values. */
export function jsonFacts(schema: Schema): Content[] {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.replace(/^.*\//, '');
    return [<a href={`#${name}`}>{name}</a>];
  }
  const { type, format, minimum, maximum, minLength, maxLength, maxItems, default: fallback, items } = schema;
  const types = [type].flat().map(String);
  const name = types.filter((one) => one !== 'null').join(' or ');
  return [
    <>
      {name}
      {items !== undefined && <> of {jsonFacts(items as Schema)[0]}</>}
      {format !== undefined && ` (${format})`}
    </>,
    types.includes('null') && 'nullable',
    range(minimum, maximum),
    range(minLength, maxLength, 'characters'),
    maxItems !== undefined && `at most ${maxItems} items`,
    fallback !== undefined && (
      <>
        default <code>{String(fallback)}</code>
      </>
    ),
  ];
}

function range(least: unknown, most: unknown, unit = ''): Content {
  if (least === undefined && most === undefined) {
    return false;
  }
  const text =
    least === undefined
      ? `at most ${count(Number(most))}`
      : most === undefined
        ? `at least ${count(Number(least))}`
        : `${count(Number(least))} to ${count(Number(most))}`;
  return unit === '' ? text : `${text} ${unit}`;
}

/** The properties of a JSON object, those of objects in it by their dotted path. */
export function schemaAttributes(id: string, schema: Schema, prefix = ''): Attribute[] {
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
        ...schemaAttributes(id, property, `${path}.`),
        ...schemaAttributes(id, (property.items ?? {}) as Schema, `${path}[].`),
      ];
    },
  );
}
