import type { openApiDocument } from '../src/api/rest/openapi.ts';
import { isBooleanText } from '../src/api/rest/openapi-schemas.ts';

type Schema = { readonly [keyword: string]: unknown };

/** Names of the types of values that are listed, where the name of the field would not say enough. */
const valueNames: Readonly<Record<string, string>> = {
  by: 'StartupGrouping',
  code: 'ErrorCode',
  kind: 'ChangeKind',
  sort: 'StartupSort',
};

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/**
 * Writes the types of the client, `client/src/api.ts`, from the description of the API, which is derived from its
 * tables of fields, vocabularies, sorts and filters.
 */
export function writeTypes({ components, paths }: ReturnType<typeof openApiDocument>): string {
  const lists = new Map<string, string>();

  function typeOf(schema: Schema, name: string): string {
    const { $ref, enum: values, type, oneOf, anyOf, items, properties } = schema;
    if (typeof $ref === 'string') {
      return $ref.slice($ref.lastIndexOf('/') + 1);
    }
    const choices = (oneOf ?? anyOf) as readonly Schema[] | undefined;
    if (choices !== undefined) {
      return choices.map((choice) => typeOf(choice, name)).join(' | ');
    }
    if (Array.isArray(values)) {
      if (isBooleanText(schema)) {
        return 'boolean';
      }
      return listOf(values, name);
    }
    const types = [type].flat().map((one) => {
      switch (one) {
        case 'integer':
          return 'number';
        case 'array':
          return `${typeOf(items as Schema, name)}[]`;
        case 'object':
          return members(properties as Schema, schema.required as readonly string[]);
        default:
          return String(one);
      }
    });
    return types.join(' | ');
  }

  /** The name of a list of values, which is declared once. */
  function listOf(values: readonly unknown[], field: string): string {
    const name = valueNames[field] ?? capitalized(field);
    const texts = values.filter((value) => value !== null).map((value) => JSON.stringify(value));
    const declared = texts.join(' | ');
    if ((lists.get(name) ?? declared) !== declared) {
      throw new Error(`Two lists of values are called ${name}`);
    }
    lists.set(name, declared);
    return values.includes(null) ? `${name} | null` : name;
  }

  function members(properties: Schema, required: readonly string[] = [], isInput = false): string {
    const lines = Object.entries(properties as Readonly<Record<string, Schema>>).map(([name, schema]) => {
      const type = typeOf(schema, name);
      // One value of a list may be written without brackets.
      const given = isInput && type.endsWith('[]') ? `${type.slice(0, -2)} | readonly ${type}` : type;
      const isOptional = !required.includes(name);
      return `${comment(schema.description)}readonly ${name}${isOptional ? '?' : ''}: ${given}${isOptional ? ' | undefined' : ''};\n`;
    });
    return `{\n${lines.join('')}}`;
  }

  const declarations = [
    ...Object.entries(components.schemas as Readonly<Record<string, Schema>>).map(
      ([name, schema]) =>
        `${comment(schema.description)}export interface ${name} ${members(schema.properties as Schema, schema.required as string[])}\n`,
    ),
    ...Object.values(paths).map(({ get }) => {
      if (get === undefined) {
        return '';
      }
      const { operationId, summary, parameters } = get;
      const query = parameters.filter((parameter) => parameter.in === 'query');
      const properties = Object.fromEntries(
        query.map(({ name, schema, description }) => [name, { ...schema, description }]),
      );
      return query.length === 0
        ? ''
        : `/** Parameters of “${summary}”. */\nexport interface ${capitalized(operationId)}Parameters ${members(properties, [], true)}\n`;
    }),
  ];
  const values = [...lists].map(([name, declared]) => `export type ${name} = ${declared};\n`);
  const text = [...values, ...declarations].filter((declaration) => declaration !== '').join('\n');
  return `// Written from the tables of the API by: npm run generate\n\n${indent(text)}`;
}

function indent(text: string): string {
  let depth = 0;
  return text.replace(/^.+$/gm, (line) => {
    depth -= line.startsWith('}') ? 1 : 0;
    const indented = '  '.repeat(depth) + line;
    depth += line.endsWith('{') ? 1 : 0;
    return indented;
  });
}

const comment = (description: unknown): string =>
  typeof description === 'string' ? `/** ${description} */\n` : '';
