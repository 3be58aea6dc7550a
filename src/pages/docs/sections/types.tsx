import type { FieldDescription, TypeDescription } from '../../../graphql/describe-schema.ts';
import type { Html } from '../../shared/jsx.ts';
import { attributeList, schemaAttributes, typeLink } from '../attributes.tsx';
import { prose } from '../prose.tsx';
import { codeLink, type DocsData, heading, type Section } from '../section.tsx';

/** Schemas of REST that other sections describe. */
const describedElsewhere: ReadonlySet<string> = new Set(['StartupDetail', 'Error']);
/** Types of GraphQL that other sections describe. */
const elsewhere: ReadonlySet<string> = new Set(['Query', 'Startup']);

/** The bodies of REST. Records and errors have separate sections. */
export function restTypes({ openApi, types }: DocsData): Section {
  // A schema with the name of a GraphQL type has its fields, too.
  const isType = (name: string): boolean => types.some((type) => type.name === name);
  const shown = Object.entries(openApi.components.schemas).filter(
    ([name]) => !describedElsewhere.has(name) && !isType(name),
  );
  return {
    id: 'rest-types',
    title: 'REST responses',
    description: 'The JSON bodies that REST returns.',
    parts: shown.map(([name]) => ({ id: name, title: name })),
    text: (
      <>
        <p>
          A list returns <code>StartupPage</code>. A detail returns <code>data</code> alone, with the fields
          of <a href="#Startup">the record</a> (
          <span id="StartupDetail">
            <code>StartupDetail</code>
          </span>
          ). An error returns {codeLink('Error', 'error')}.
        </p>
        {shown.map(([name, schema]) => (
          <>
            {heading({ id: name, title: name })}
            {attributeList(schemaAttributes(name, schema))}
          </>
        ))}
      </>
    ),
  };
}

/** Every other type of the GraphQL schema but enumerations. */
export function graphqlTypes({ types }: DocsData): Section {
  const shown = types.filter(({ name, kind }) => kind !== 'enum' && !elsewhere.has(name));
  return {
    id: 'graphql-types',
    title: 'GraphQL types',
    description: 'Objects, inputs and scalars of the GraphQL schema, field by field.',
    parts: shown.map(({ name }) => ({ id: name, title: name })),
    text: <>{shown.map(typeEntry)}</>,
  };
}

function typeEntry({ name, kind, description, fields }: TypeDescription): Html {
  return (
    <>
      {heading({ id: name, title: name })}
      <p>
        <span class="fact">{kind}</span> {prose(description)}{' '}
        <a href={`/docs/schema#${name}`}>In the schema</a>
      </p>
      {fields.length > 0 && attributeList(fields.map((field) => fieldEntry(name, field)))}
    </>
  );
}

function fieldEntry(owner: string, { name, type, namedType, description }: FieldDescription) {
  return {
    id: `${owner}.${name}`,
    name,
    facts: [<code>{typeLink(type, namedType)}</code>],
    description,
  };
}
