import { startupFieldList } from '../../../startups/fields.ts';
import { type ListParameter, listParameters } from '../../../startups/requests/list-parameters.ts';
import { constantName } from '../../../startups/vocabulary.ts';
import { attributeList } from '../attributes.tsx';
import { prose } from '../prose.tsx';
import { type DocsData, heading, type Section } from '../section.tsx';

/** Values as REST writes them, by their names in GraphQL. */
const restValues: ReadonlyMap<string, string> = new Map(
  [...Object.values(listParameters as Record<string, ListParameter>), ...startupFieldList]
    .flatMap((source) => ('values' in source ? (source.values ?? []) : []))
    .map((value) => [constantName(value), value]),
);

/** Every enumeration, with its values on both surfaces. */
export function enumerations({ types }: DocsData): Section {
  const shown = types.filter(({ kind }) => kind === 'enum');
  return {
    id: 'enumerations',
    title: 'Enumerations',
    description: 'Sort orders, categories and all other lists of values, as REST and GraphQL write them.',
    parts: shown.map(({ name }) => ({ id: name, title: name })),
    text: (
      <>
        <p>
          REST writes values in lower case, GraphQL writes their names in upper case. In a URL, write a plus
          sign as <code>%2B</code>.
        </p>
        {shown.map(({ name, description, values }) => (
          <>
            {heading({ id: name, title: name })}
            <p>{prose(description)}</p>
            {attributeList(
              values.map((value) => ({
                id: `${name}.${value.name}`,
                name: restValues.get(value.name) ?? value.name,
                facts: [
                  <>
                    GraphQL <code>{value.name}</code>
                  </>,
                ],
                description: value.description,
              })),
              true,
            )}
          </>
        ))}
      </>
    ),
  };
}
