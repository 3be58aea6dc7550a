import { type FieldNode, type GraphQLObjectType, getNamedType, isInterfaceType, isObjectType } from 'graphql';
import { isObject } from '../../../lib/text/is-object.ts';
import type { StatName } from '../../../startups/catalogue/query/summary.ts';
import { type StartupFieldPath, startupFields } from '../../../startups/model/fields.ts';
import { dollars, fieldText, percent, rounded } from '../../../startups/model/words.ts';
import { schema } from '../schema.ts';
import { mergeSelections, type SelectionScope } from './selection.ts';

/** A part of a result in words. */
export interface ResultTexts {
  /** Its values, such as `askingPrice $1,000`. */
  readonly values: readonly string[];
  /** One line for each record of the lists in it. */
  readonly lines: readonly string[];
}

/** How texts of records are written. */
type Write = (text: string) => string;

/** How the figures of a summary are written. */
export const statTexts: Readonly<Record<StatName, (value: number) => string>> = {
  revenue: dollars,
  mrr: dollars,
  price: dollars,
  multiple: (value) => `${rounded(value)}x`,
  growth: percent,
};

const STARTUP = 'Startup';

/** A startup of a result in words. @param record what is selected of it. */
export function textsOfRecord(
  scope: SelectionScope,
  record: readonly FieldNode[],
  data: unknown,
  write: Write,
): ResultTexts {
  return describe(schema.getType(STARTUP) as GraphQLObjectType, record, data, { scope, write });
}

interface Style {
  readonly scope: SelectionScope;
  readonly write: Write;
}

/** @param path names of fields since the startup that has them. */
function describe(
  type: GraphQLObjectType,
  parents: Parameters<typeof mergeSelections>[1],
  data: unknown,
  style: Style,
  path = '',
): ResultTexts {
  const values: string[] = [];
  const lines: string[] = [];
  for (const [name, nodes] of mergeSelections(style.scope, parents)) {
    const field = type.getFields()[nodes[0].name.value];
    const value = isObject(data) ? data[name] : undefined;
    if (field === undefined || value === null || value === undefined) {
      continue;
    }
    const named = getNamedType(field.type);
    // The only type with an interface.
    const below = isInterfaceType(named) ? schema.getType(STARTUP) : named;
    const fieldPath = type.name === STARTUP ? field.name : `${path}.${field.name}`;
    if (!isObjectType(below)) {
      values.push(
        ...(isEmptyList(value) ? [] : [`${name} ${leafText(named.name, fieldPath, value, style.write)}`]),
      );
    } else if (Array.isArray(value)) {
      for (const item of value) {
        const texts = describe(below, nodes, item, style, fieldPath);
        lines.push(...(texts.values.length > 0 ? [texts.values.join('; ')] : []), ...texts.lines);
      }
    } else {
      const texts = describe(below, nodes, value, style, fieldPath);
      // The record of an edge needs no name.
      const isRecord = below.name === STARTUP;
      values.push(...texts.values.map((text) => (isRecord ? text : `${name}.${text}`)));
      lines.push(...texts.lines);
    }
  }
  return { values, lines };
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

function leafText(scalar: string, path: string, value: unknown, write: Write): string {
  if (Object.hasOwn(startupFields, path)) {
    return fieldText(path as StartupFieldPath, value, write);
  }
  if (Array.isArray(value)) {
    return value.map((one) => leafText(scalar, path, one, write)).join(', ');
  }
  switch (scalar) {
    case 'Cents':
      return dollars(value as number);
    case 'Int':
    case 'Float':
      return rounded(value as number);
    case 'String':
      return write(String(value));
    default:
      return String(value);
  }
}
