import { removableAt } from '../../../src/api/graphql/planning/deprecations.ts';
import { isObject } from '../../../src/lib/text/is-object.ts';

type Json = Readonly<Record<string, unknown>>;
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

/**
 * What breaks clients of a released description, a sentence each: operations, parameters, values of parameters and fields of
 * responses that are missing, new required parameters, and types that differ. What was deprecated in it for long enough may be
 * missing.
 *
 * @param now ms since 1970.
 */
export function openApiBreaks(released: OpenApi, current: OpenApi, now: number): string[] {
  const breaks: string[] = [];
  const say = (old: Json, text: string): void => {
    const at = old.deprecated === true ? removableAt(String(old.description)) : undefined;
    if (at === undefined || at > now) {
      breaks.push(text);
    }
  };

  for (const [path, methods] of Object.entries(released.paths)) {
    for (const [method, old] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`;
      const found = current.paths[path]?.[method];
      if (found === undefined) {
        say(old, `${name} is missing`);
      } else {
        compareParameters(name, old, found);
        compareResponses(name, old, found);
      }
    }
  }
  return breaks;

  function compareParameters(name: string, old: Json, found: Json): void {
    const all = (operation: Json) =>
      new Map(((operation.parameters ?? []) as Json[]).map((one) => [`${one.in} ${one.name}`, one]));
    const [before, after] = [all(old), all(found)];
    for (const [key, parameter] of before) {
      const now = after.get(key);
      if (now === undefined) {
        say(parameter, `${name}: the parameter ${key} is missing`);
        continue;
      }
      const [was, is] = [shapeOf(released, parameter.schema), shapeOf(current, now.schema)];
      for (const value of is.values.size === 0 ? [] : was.values) {
        if (!is.values.has(value)) {
          say(parameter, `${name}: ${key} does not take ${value} any more`);
        }
      }
    }
    for (const [key, parameter] of after) {
      if (parameter.required === true && before.get(key)?.required !== true) {
        say({}, `${name}: the parameter ${key} is required`);
      }
    }
  }

  function compareResponses(name: string, old: Json, found: Json): void {
    const [before, after] = [bodiesOf(old), bodiesOf(found)];
    for (const [kind, schema] of before) {
      const now = after.get(kind);
      if (now === undefined) {
        say({}, `${name}: the response ${kind} is missing`);
      } else {
        compareBody(`${name} ${kind}`, schema, now);
      }
    }
  }

  function compareBody(at: string, old: unknown, found: unknown): void {
    const [was, is] = [shapeOf(released, old), shapeOf(current, found)];
    for (const type of is.types) {
      if (!was.types.has(type)) {
        say({}, `${at} may be ${type}`);
      }
    }
    for (const [field, schema] of was.fields) {
      const now = is.fields.get(field);
      if (now === undefined || (was.required.has(field) && !is.required.has(field))) {
        say(schema as Json, `${at}.${field} is ${now === undefined ? 'missing' : 'not always there'}`);
      } else {
        compareBody(`${at}.${field}`, schema, now);
      }
    }
    if (was.items !== undefined && is.items !== undefined) {
      compareBody(`${at}[]`, was.items, is.items);
    }
  }
}

/** The schemas of the bodies of an operation's successes, by status and type. */
function bodiesOf(operation: Json): Map<string, unknown> {
  const responses = Object.entries((operation.responses ?? {}) as Record<string, { content?: Json }>);
  return new Map(
    responses
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([status, { content = {} }]) =>
        Object.entries(content).map(([type, body]) => [`${status} ${type}`, (body as Json).schema] as const),
      ),
  );
}

/** What a schema allows, however it is written: references, unions and lists of types are the same. */
function shapeOf(document: OpenApi, schema: unknown) {
  const shape = {
    types: new Set<string>(),
    values: new Set<string>(),
    fields: new Map<string, unknown>(),
    required: new Set<string>(),
    items: undefined as unknown,
  };
  const read = (one: unknown): void => {
    if (!isObject(one)) {
      return;
    }
    if (typeof one.$ref === 'string') {
      read(document.components.schemas[one.$ref.slice(one.$ref.lastIndexOf('/') + 1)]);
      return;
    }
    for (const choice of [one.oneOf, one.anyOf, one.allOf].flat()) {
      read(choice);
    }
    for (const type of [one.type ?? []].flat()) {
      shape.types.add(String(type));
    }
    for (const value of Array.isArray(one.enum) ? one.enum : []) {
      if (value !== null) {
        shape.values.add(String(value));
      }
    }
    for (const [name, below] of Object.entries(isObject(one.properties) ? one.properties : {})) {
      shape.fields.set(name, below);
    }
    for (const name of Array.isArray(one.required) ? one.required : []) {
      shape.required.add(String(name));
    }
    if (one.items !== undefined) {
      shape.items = one.items;
      // The values of a list are those of its items.
      for (const value of shapeOf(document, one.items).values) {
        shape.values.add(value);
      }
    }
  };
  read(schema);
  return shape;
}
