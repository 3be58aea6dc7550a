import { shortLabelOf, unitOf } from '../src/startups/model/field-labels.ts';
import { startupFieldList } from '../src/startups/model/fields.ts';
import { constantName, labelOf } from '../src/startups/model/vocabulary.ts';

/** An object with a line for each entry. */
const linesOf = (entries: readonly (readonly [string, unknown])[]): string =>
  `{\n${entries.map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`).join('')}}`;

/** Writes the table of fields of the component, `embed/src/fields.ts`, from those of the API. */
export function writeFields(): string {
  const fields = startupFieldList.map(({ path }) => [path, [shortLabelOf(path), unitOf(path)]] as const);
  const terms = startupFieldList.flatMap(({ values = [] }) =>
    values.map((value) => [constantName(value), labelOf(value) ?? value] as const),
  );
  return `// Written from the tables of the API by: npm run generate

/** The heading and the kind of each field. */
export const fields: Readonly<Record<string, readonly [label: string, kind: string]>> = ${linesOf(fields)};

/** The display names of values in GraphQL. */
export const terms: Readonly<Record<string, string>> = ${linesOf(terms)};
`;
}
