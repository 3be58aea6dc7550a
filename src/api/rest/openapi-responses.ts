import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { tierTexts } from '../../access/limits/tiers.ts';
import { changeKinds } from '../../startups/catalogue/changes/change-list.ts';
import { fieldsOf, nestFields } from '../../startups/model/fields.ts';
import type { OwnField } from '../../startups/model/own-fields.ts';
import { responseName } from '../graphql/planning/selection.ts';
import { schemaWith } from '../graphql/schema.ts';
import { copiedFields } from './copied-record.ts';
import type { RestOperation } from './endpoint-table.ts';
import {
  addComponent,
  enumSchema,
  fieldSchema,
  objectSchema,
  parameterSchema,
  refer,
  type Schema,
} from './openapi-schemas.ts';

/** Objects of GraphQL that have a name of their own in OpenAPI; others are written where they are. */
const NAMED: ReadonlySet<string> = new Set(['Change', 'MarketDay', 'StartupPoint']);
/** The values of enumerations that no field of a startup has, with what they mean. REST has no sessions. */
const { account: _account, ...keyTiers } = tierTexts;
const enumTexts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ChangeKind: changeKinds,
  Tier: keyTiers,
};
/** What REST leaves out, and what it says of it. */
const optional: Readonly<Record<string, string>> = {
  corrected: 'Present only if it is true. ',
  groups: 'Present with by. ',
};
/** The names that each component of a startup has, sorted; declared fields aside. */
const startupComponents = Object.entries({
  Startup: fieldsOf('list'),
  StartupDetail: fieldsOf('list', 'detail'),
  SnapshotStartup: copiedFields,
}).map(([component, fields]): [string, string] => [
  component,
  [...nestFields(fields.map(({ path }) => path)).keys()].sort().join(),
]);

/** What JSON has for each scalar of the schema. */
const scalars: Readonly<Record<string, Schema & { readonly type: string }>> = {
  Boolean: { type: 'boolean' },
  Cents: { type: 'integer', minimum: 0 },
  Date: { type: 'string', format: 'date' },
  DateTime: { type: 'string', format: 'date-time' },
  Float: { type: 'number' },
  Int: { type: 'integer', minimum: 0 },
  String: { type: 'string' },
};

type Field = GraphQLField<unknown, unknown>;
/** The words of GraphQL without what it costs there, which they end with. */
const describe = (name: string, words: unknown): Schema => ({
  description: `${optional[name] ?? ''}${words}`.replace(/ (Costs|Selecting it makes) .*$/, ''),
});

/** @throws Error for a selection that no component describes. */
function startupComponent(selected: readonly string[]): string {
  const names = selected.filter((name) => name !== 'own');
  const selection = names.toSorted().join();
  const component = startupComponents.find(([, all]) => all === selection)?.[0];
  if (component === undefined) {
    throw new Error(`No component of OpenAPI describes a startup with only ${names.join(', ')}.`);
  }
  return component;
}

type Selecting = Pick<OperationDefinitionNode | FieldNode, 'selectionSet'>;
const selected = (node: Selecting): readonly FieldNode[] =>
  (node.selectionSet?.selections ?? []) as FieldNode[];

/**
 * The body of an operation's response: what its document selects, with the types of the schema.
 *
 * @param components receives the objects that have a name.
 */
export function bodySchema(
  { document, parameters, response: { data, most, meta } }: RestOperation,
  components: Record<string, Schema>,
  own: readonly OwnField[],
): Schema {
  const schema = schemaWith(own);
  const [root] = parse(typeof document === 'string' ? document : document({ by: '' })).definitions;

  /** The field at a path such as `startups.page`, which is never null: REST has an error in its place. */
  function fieldAt(path: string): { readonly schema: Schema; readonly description: Schema } {
    let type: GraphQLOutputType = schema.getQueryType() as GraphQLObjectType;
    let node: Selecting = root as OperationDefinitionNode;
    let description: Schema = {};
    let isList = false;
    for (const name of path.split('.')) {
      isList ||= isListType(getNullableType(type));
      const field = (getNamedType(type) as GraphQLObjectType).getFields()[name] as Field;
      node = selected(node).find((one) => one.name.value === name) as FieldNode;
      type = field.type;
      description = describe(name, field.description);
    }
    const found = write(type, node, false);
    return { schema: isList ? { type: 'array', items: found } : found, description };
  }

  function write(type: GraphQLOutputType, node: Selecting, isNullable = true): Schema {
    if (isNonNullType(type)) {
      return write(type.ofType, node, false);
    }
    if (isListType(type)) {
      return { type: 'array', items: write(type.ofType, node) };
    }
    if (isObjectType(type)) {
      const written = writeObject(type, node);
      return isNullable ? { oneOf: [written, { type: 'null' }] } : written;
    }
    const texts = enumTexts[type.name];
    const values = texts && enumSchema(texts);
    const leaf = values ?? (isEnumType(type) ? scalars.String : scalars[type.name]);
    return isNullable ? { ...leaf, type: [leaf?.type, 'null'] } : { ...leaf };
  }

  function writeObject(type: GraphQLObjectType, node: Selecting): Schema {
    // What is said about a list is written apart.
    const fields = selected(node).filter(
      ({ name }) => type.name !== 'StartupConnection' || name.value !== 'meta',
    );
    if (type.name === 'Startup') {
      return refer('schemas', startupComponent(fields.map(responseName)));
    }
    const properties = Object.fromEntries(
      fields.map((field): [string, Schema] => {
        const name = field.name.value;
        const { type: inner, description } = type.getFields()[name] as Field;
        const known =
          type.name === 'PageMeta' && parameters[name] !== undefined
            ? parameterSchema(parameters[name])
            : {
                ...(name === 'slug' ? fieldSchema(name) : write(inner, field)),
                ...describe(name, description),
              };
        return [name, known];
      }),
    );
    const required = Object.keys(properties).filter((name) => optional[name] === undefined);
    if (!NAMED.has(type.name)) {
      return objectSchema(properties, undefined, required);
    }
    addComponent(components, type.name, objectSchema(properties, type.description ?? '', required));
    return refer('schemas', type.name);
  }

  const found = fieldAt(data).schema;
  const written = most === undefined ? found : { type: found.type, maxItems: most, items: found.items };
  if (meta === undefined) {
    return objectSchema({ data: written });
  }
  const described = (path: string): Schema => ({ ...fieldAt(path).schema, ...fieldAt(path).description });
  const about =
    typeof meta === 'string'
      ? fieldAt(meta).schema
      : objectSchema(
          Object.fromEntries(
            Object.entries(meta).map(([name, from]) => [
              name,
              typeof from === 'string' ? described(from) : from,
            ]),
          ),
        );
  return objectSchema({ data: written, meta: about });
}
