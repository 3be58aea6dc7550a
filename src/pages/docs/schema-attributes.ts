import type { Schema } from '../../rest/openapi-schemas.ts';
import { type Attribute, jsonFacts } from './attributes.tsx';

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
