import type { FieldDescription } from '../../../graphql/describe-schema.ts';
import { fieldSchema } from '../../../rest/openapi-schemas.ts';
import { type StartupFieldKind, startupFieldList } from '../../../startups/fields.ts';
import type { Content } from '../../shared/jsx.ts';
import { type Attribute, attributeList, jsonFacts, typeLink } from '../attributes.tsx';
import { block, pretty } from '../sample-block.tsx';
import type { DocsData, Section } from '../section.tsx';

/** What the number of a field counts. */
const units: Readonly<Partial<Record<StartupFieldKind, string>>> = {
  cents: 'US cents',
  percent: 'percent',
  ratio: 'ratio',
};

/** The record, with its fields on both surfaces. */
export function startup(data: DocsData): Section {
  const { types } = data;
  const graphql = new Map(
    types.flatMap(({ name, fields }) =>
      fields.map((field): [string, FieldDescription] => [`${name}.${field.name}`, field]),
    ),
  );
  const find = (path: string): FieldDescription | undefined => {
    const [head = '', below] = path.split('.');
    const field = graphql.get(`Startup.${head}`);
    return below === undefined ? field : graphql.get(`${field?.namedType}.${below}`);
  };
  const restFields = startupFieldList.filter(({ shape }) => shape !== 'import');
  const inRest = restFields.map(({ path, kind, shape, description }): Attribute => {
    const facts: Content[] = jsonFacts(fieldSchema(path)).slice(0, 2);
    return {
      id: `Startup.${path}`,
      name: path,
      facts: [
        ...facts,
        units[kind] ?? false,
        shape === 'detail' && 'not in lists of REST',
        graphqlFact(find(path)),
      ],
      description,
    };
  });
  const known = new Set(restFields.map(({ path }) => path.split('.')[0]));
  const others = (types.find(({ name }) => name === 'Startup')?.fields ?? []).filter(
    ({ name }) => !known.has(name),
  );
  return {
    id: 'Startup',
    slug: 'startup-record',
    title: 'The startup record',
    description: 'Every field of a startup over REST and GraphQL, with its type, unit and meaning.',
    text: (
      <>
        <p>
          {types.find(({ name }) => name === 'Startup')?.description} Over REST, every field is present, and
          null if there is no value; <code>revenue</code> is an object. Over GraphQL, a request selects
          fields.
        </p>
        {attributeList([
          ...inRest,
          ...others.map(({ name, type, namedType, description }) => ({
            id: `Startup.${name}`,
            name,
            facts: [<strong>GraphQL only</strong>, <code>{typeLink(type, namedType)}</code>],
            description,
          })),
        ])}
      </>
    ),
    code: (
      <figure class="sample">
        <figcaption class="hint">A record over REST</figcaption>
        <div class="response">
          {block('json', pretty((data.responses.detail.rest?.body as { data: unknown } | undefined)?.data))}
        </div>
      </figure>
    ),
  };
}

function graphqlFact(field: FieldDescription | undefined): Content {
  return (
    field !== undefined && (
      <>
        GraphQL <code>{typeLink(field.type, field.namedType)}</code>
      </>
    )
  );
}
