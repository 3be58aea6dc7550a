import { fieldHeading } from '../src/pages/dashboard/explorer/columns.tsx';
import { type NamedStartupField, startupFieldList } from '../src/startups/fields.ts';
import { constantName, labelOf } from '../src/startups/vocabulary.ts';

/** Cents per visitor are the only ratio that is an amount; of a verification, its age counts; growth has a sign. */
const kindOf = ({ path, kind, past, minimum }: NamedStartupField): string =>
  path === 'revenuePerVisitor'
    ? 'price'
    : past
      ? 'age'
      : kind === 'percent' && minimum === undefined
        ? 'change'
        : kind;

/** An object with a line for each entry. */
const linesOf = (entries: readonly (readonly [string, unknown])[]): string =>
  `{\n${entries.map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`).join('')}}`;

/** Writes the table of fields of the component, `embed/src/fields.ts`, from those of the API. */
export function writeFields(): string {
  const fields = startupFieldList.map(
    (field) => [field.path, [fieldHeading(field.path), kindOf(field)]] as const,
  );
  const terms = startupFieldList.flatMap(({ values = [] }) =>
    values.map((value) => [constantName(value), labelOf(value) ?? value] as const),
  );
  return `// Written from the tables of the API by: npm run types

/** The heading and the kind of each field. */
export const fields: Readonly<Record<string, readonly [label: string, kind: string]>> = ${linesOf(fields)};

/** The display names of values in GraphQL. */
export const terms: Readonly<Record<string, string>> = ${linesOf(terms)};
`;
}
