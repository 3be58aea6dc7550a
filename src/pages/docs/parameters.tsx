import type { FieldDescription, TypeDescription } from '../../graphql/describe-schema.ts';
import type { OpenApiOperation } from '../../rest/openapi.ts';
import type { Schema } from '../../rest/openapi-schemas.ts';
import type { Content } from '../shared/jsx.ts';
import { type Attribute, jsonFacts, typeLink } from './attributes.tsx';

/** Where GraphQL takes a parameter: an argument, or a field of one that is an input object. */
interface Place {
  readonly field: FieldDescription;
  /** The argument around it. */
  readonly within?: string;
}

/** The arguments of a field that REST has no path for. */
export function argumentAttributes({ name, args }: FieldDescription): Attribute[] {
  return args.map((arg) => ({
    id: `Query.${name}.${arg.name}`,
    name: arg.name,
    facts: [graphqlFact({ field: arg })],
    description: arg.description,
  }));
}

/** The parameters of an operation on both surfaces, each once: first those of REST, in its order. */
export function mergedAttributes(
  rest: OpenApiOperation,
  { name: field, args }: FieldDescription,
  types: readonly TypeDescription[],
): Attribute[] {
  const places = new Map<string, Place>(
    args.flatMap((arg): [string, Place][] => {
      const input = types.find(({ name, kind }) => name === arg.namedType && kind === 'input');
      return input === undefined
        ? [[arg.name, { field: arg }]]
        : [
            ...input.fields.map((inner): [string, Place] => [inner.name, { field: inner, within: arg.name }]),
            [arg.name, { field: arg }],
          ];
    }),
  );
  const inRest = rest.parameters.map((parameter): Attribute => {
    const place = places.get(parameter.name);
    places.delete(parameter.name);
    return {
      id: `Query.${field}.${parameter.name}`,
      name: parameter.name,
      facts: [
        ...jsonFacts(parameter.schema),
        parameter.in === 'path' && 'in the path',
        parameter.required && 'required',
        place !== undefined && graphqlFact(place),
      ],
      description: parameter.description,
      values: valuesOf(parameter.schema),
    };
  });
  const inGraphql = [...places.entries()].map(
    ([name, place]): Attribute => ({
      id: `Query.${field}.${name}`,
      name,
      facts: [<strong>GraphQL only</strong>, graphqlFact(place)],
      description: place.field.description,
    }),
  );
  return [...inRest, ...inGraphql];
}

/** The values that a schema lists, also for each of several. */
function valuesOf(schema: Schema): readonly string[] {
  const { enum: values } = (schema.items ?? schema) as Schema;
  return (values ?? []) as readonly string[];
}

function graphqlFact({ field, within }: Place): Content {
  const path = within === undefined ? field.name : `${within}.${field.name}`;
  return (
    <>
      GraphQL{' '}
      <code>
        {path}: {typeLink(field.type, field.namedType)}
      </code>
    </>
  );
}
