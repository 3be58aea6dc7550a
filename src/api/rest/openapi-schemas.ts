import { isDeepStrictEqual } from 'node:util';
import type { StartupFieldKind } from '../../startups/model/field-kinds.ts';
import {
  type NamedStartupField,
  revenueDescription,
  type StartupField,
  type StartupFieldPath,
  startupFields,
} from '../../startups/model/fields.ts';
import {
  describeOwn,
  MOST_CHOICES,
  OWN_TEXT,
  type OwnField,
  type OwnKind,
} from '../../startups/model/own-fields.ts';
import { DESCRIPTION_LIMIT } from '../../startups/model/record.ts';
import {
  type ByKind,
  type QueryParameter,
  RECORDS_PER_READ,
  SEARCH_LIMITS,
} from '../../startups/model/requests/list-parameters.ts';
import { HANDLE_PATTERN } from '../../startups/model/requests/list-request.ts';
import { descriptionOf } from '../../startups/model/vocabulary.ts';

/** A JSON Schema of 2020-12, as OpenAPI 3.1 embeds it. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/**
 * Adds a named schema.
 *
 * @throws Error if another one has the name: whoever refers to that would get this.
 */
export function addComponent(components: Record<string, Schema>, name: string, schema: Schema): void {
  const known = components[name];
  if (known !== undefined && !isDeepStrictEqual(known, schema)) {
    throw new Error(`Two different schemas of OpenAPI have the name ${name}.`);
  }
  components[name] = schema;
}

/** A reference to a part of the components. */
export const refer = (kind: string, name: string): { $ref: string } => ({
  $ref: `#/components/${kind}/${name}`,
});

/** An object that always has all of its properties, or at least those that are required. */
export function objectSchema(
  properties: Readonly<Record<string, Schema>>,
  description?: string,
  required = Object.keys(properties),
): Schema {
  return { type: 'object', properties, required, ...(description === undefined ? {} : { description }) };
}

/** The JSON types of values of a kind, without a field's own bounds; others are texts. */
const kinds: { readonly [Kind in StartupFieldKind]?: Schema & { type: string } } = {
  url: { type: 'string', format: 'uri' },
  date: { type: 'string', format: 'date-time' },
  cents: { type: 'integer' },
  count: { type: 'integer' },
  percent: { type: 'number' },
  ratio: { type: 'number' },
  boolean: { type: 'boolean' },
};

/** Values that are described one by one. */
export function enumSchema(descriptions: Readonly<Record<string, string>>): Schema {
  return { type: 'string', enum: Object.keys(descriptions), 'x-enumDescriptions': descriptions };
}

/** What each value means. JSON Schema has no keyword for it; this one is Redocly's. */
function describedValues(
  values: readonly string[],
  ownTexts: ReadonlyMap<string, string> = new Map(),
): Schema {
  return {
    'x-enumDescriptions': Object.fromEntries(
      values.map((value) => [value, ownTexts.get(value) ?? descriptionOf(value)]),
    ),
  };
}

type Describe = (values: readonly string[]) => Schema;
const slugSchema = () => {
  const { maxLength, pattern } = startupFields.slug;
  return { type: 'string', minLength: 1, maxLength, pattern };
};

const parameterSchemas: ByKind<QueryParameter, [Describe], Schema> = {
  integer: ({ minimum, maximum, default: byDefault }) => ({
    type: 'integer',
    minimum,
    maximum,
    default: byDefault,
  }),
  number: () => ({ type: 'number' }),
  boolean: () => ({ type: 'boolean' }),
  cursor: () => ({ type: 'string' }),
  slug: slugSchema,
  date: () => ({ type: 'string', format: 'date' }),
  website: () => ({ type: 'string', minLength: 1, maxLength: startupFields.website.maxLength }),
  texts() {
    const { minLength, maxLength, maxItems } = startupFields.techStack;
    return { type: 'array', items: { type: 'string', minLength, maxLength }, minItems: 1, maxItems };
  },
  ownValues: () => ({
    type: 'array',
    items: { type: 'string', minLength: 1 },
    minItems: 1,
    maxItems: MOST_CHOICES,
  }),
  slugs: (parameter) => severalOf(parameter, slugSchema(), RECORDS_PER_READ),
  handle: () => ({ type: 'string', pattern: HANDLE_PATTERN }),
  // A date or a date-time: generators have no type for both, and some refuse one of them.
  instant: () => ({ type: 'string' }),
  search: () => ({ type: 'string', minLength: 1, maxLength: SEARCH_LIMITS.characters }),
  country: (parameter) => severalOf(parameter, { type: 'string', pattern: startupFields.country.pattern }),
  choice: (parameter, describe) =>
    severalOf(parameter, { type: 'string', enum: parameter.values, ...describe(parameter.values) }),
};

/**
 * The values of a parameter.
 *
 * @param describe what each of its values means.
 */
export function parameterSchema(parameter: QueryParameter, describe: Describe = describedValues): Schema {
  return parameterSchemas[parameter.kind](parameter as never, describe);
}

/**
 * The same in a query string, which has texts alone: generated clients write a boolean as their language does. What the
 * server accepts beside these is for those that do so nevertheless.
 *
 * @param ownTexts what values mean that are not ours.
 */
export function queryParameterSchema(
  parameter: QueryParameter,
  ownTexts: ReadonlyMap<string, string>,
): Schema {
  const describe = (values: readonly string[]) => describedValues(values, ownTexts);
  return parameter.kind === 'boolean' ? BOOLEAN_TEXT : parameterSchema(parameter, describe);
}

const BOOLEAN_TEXT = enumSchema({ true: 'Yes.', false: 'No.' });

/** Whether a schema is of a boolean in a query string. */
export function isBooleanText({ enum: values }: Schema): boolean {
  return Array.isArray(values) && values.join() === 'true,false';
}

/** Values of a parameter that takes several, separated by commas; one value where it does not. */
function severalOf({ plural }: { readonly plural?: string }, items: Schema, maxItems?: number): Schema {
  const most = maxItems === undefined ? {} : { maxItems };
  // Without uniqueItems: generators would write a Set, which is not separated by commas.
  return plural === undefined ? items : { type: 'array', items, minItems: 1, ...most };
}

/** The values of a field, as answers show them. */
export function fieldSchema(path: StartupFieldPath): Schema {
  const field: StartupField = startupFields[path];
  const { kind, nullable, description, values, minimum, maximum, minLength, pattern } = field;
  const { type, ...format } = kinds[kind] ?? { type: 'string' };
  // A description is stored whole and shown cut.
  const maxLength = path === 'description' ? DESCRIPTION_LIMIT : field.maxLength;
  const bounds = { minimum, maximum, minLength, maxLength, pattern };
  const limits = Object.fromEntries(Object.entries(bounds).filter(([, bound]) => bound !== undefined));
  if (field.maxItems !== undefined) {
    return { type: 'array', items: { type, ...limits }, maxItems: field.maxItems, description };
  }
  if (values !== undefined) {
    const listed = { type, enum: values, ...describedValues(values) };
    // Most generators have no type for null in an enumeration.
    return nullable ? { oneOf: [listed, { type: 'null' }], description } : { ...listed, description };
  }
  return {
    type: nullable ? [type, 'null'] : type,
    ...format,
    ...limits,
    description,
  };
}

/** What JSON has for the values of each kind of declared fields. */
const ownKindSchemas: Readonly<Record<OwnKind, Schema & { readonly type: string }>> = {
  text: { type: 'string' },
  url: { type: 'string', format: 'uri' },
  count: { type: 'integer', minimum: 0 },
  cents: { type: 'integer' },
  percent: { type: 'number' },
  number: { type: 'number' },
  date: { type: 'string', format: 'date-time' },
  boolean: { type: 'boolean' },
  choice: { type: 'string' },
  texts: { type: 'array', items: { type: 'string' } },
};

/** The object of the declared fields; all of them are always there. */
export function ownSchema(own: readonly OwnField[]): Schema {
  const properties = own.map((field): [string, Schema] => {
    const { type, ...format } = ownKindSchemas[field.kind];
    return [field.name, { type: [type, 'null'], ...format, description: describeOwn(field) }];
  });
  return objectSchema(Object.fromEntries(properties), OWN_TEXT);
}

/** The same record with declared fields. @param isOptional whether only some of its records have them. */
export function withOwn(record: Schema, own: readonly OwnField[], isOptional = false): Schema {
  if (own.length === 0) {
    return record;
  }
  const properties = { ...(record.properties as object), own: refer('schemas', 'Own') };
  const required = record.required as readonly string[];
  return { ...record, properties, required: isOptional ? required : [...required, 'own'] };
}

/** A record with these fields, `revenue` nested; all of them are always there. */
export function startupSchema(description: string, fields: readonly NamedStartupField[]): Schema {
  const properties: Record<string, Schema> = {};
  const revenue: Record<string, Schema> = {};
  for (const { path } of fields) {
    const [head = '', below] = path.split('.');
    if (below === undefined) {
      properties[head] = fieldSchema(path);
    } else {
      revenue[below] = fieldSchema(path);
      properties[head] = objectSchema(revenue, revenueDescription);
    }
  }
  return objectSchema(properties, description);
}
