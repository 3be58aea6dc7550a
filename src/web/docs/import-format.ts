import { toImportField } from '../../startups/import/columns/own-import-fields.ts';
import { allowedIn } from '../../startups/import/notation/checks.ts';
import { notations } from '../../startups/import/notation/notations.ts';
import {
  type StartupField,
  type StoredStartupField,
  startupFieldList,
  storedStartupFields,
} from '../../startups/model/fields.ts';
import { isSortedBy, ownFilterOf, ownKindNames } from '../../startups/model/own-fields.ts';
import { categories, labelOf, otherNamesOf } from '../../startups/model/vocabulary.ts';
import { csv, isRequired, sampleRecords } from '../parts/imports/sample-file.ts';
import { count } from '../shared/figures.tsx';
import { blocks, code, codeList, prose, table } from './entries.ts';

/** The words that a mapping has for notations. */
export function describeNotations(): string {
  return table([
    ['Word', 'Reads'],
    ...Object.entries(notations).map(([word, { what, examples }]) => [
      code(word),
      [what, examples].filter(Boolean).join(': '),
    ]),
  ]);
}

/** What a category may be called in an import, beside its value and name. */
export function describeCategoryNames(): string {
  return categories
    .map((category) => `- ${code(category)}: ${[labelOf(category), ...otherNamesOf(category)].join(', ')}`)
    .join('\n');
}

/** The kinds of fields that can be declared, with what an import accepts. */
export function describeOwnKinds(): string {
  return table([
    ['Kind', 'Values', 'Sortable'],
    ...ownKindNames.map((kind) => {
      const field = { name: kind, kind, label: kind, description: null, indexed: true, choices: [] };
      const filter = ownFilterOf(field);
      return [
        code(kind),
        formOf(toImportField(field)),
        filter === undefined ? 'no' : isSortedBy(field) ? 'yes' : 'filters only',
      ];
    }),
  ]);
}

/** What an import accepts: every field with its form and an example, and a file to copy. */
export function describeImportFormat(): string {
  const samples = sampleRecords();
  const exampleOf = ({ path }: StoredStartupField): string =>
    samples.map((record) => String(record.get(path) ?? '')).find((text) => text !== '') ?? '';
  const required = storedStartupFields.filter(isRequired);
  const [minimal = new Map<string, unknown>()] = samples;
  return blocks(
    'The required columns, with one startup:',
    block([required.map(({ path }) => path), required.map(({ path }) => String(minimal.get(path)))]),
    '## Columns',
    table([
      ['Column', 'Meaning', 'Type and unit', 'Example', 'Empty or null'],
      ...storedStartupFields.map((field) => [
        code(field.path),
        meaningOf(field),
        formOf(field),
        code(exampleOf(field)),
        isRequired(field) ? 'not allowed' : emptyOf(field),
      ]),
    ]),
    'No text has NUL. A date is `2024-05-01` or `2024-05-01T12:00:00Z`.',
    `Ignored, because revgate computes or records them: ${codeList(
      startupFieldList
        .filter(({ stored }) => stored === 'computed' || stored === 'recorded')
        .map(({ path }) => path),
    )}.`,
    '## A file with all columns',
    block([storedStartupFields.map(({ path }) => path), storedStartupFields.map(exampleOf)]),
  );
}

const meaningOf = ({ description }: StoredStartupField): string =>
  prose(
    description.replace(
      / (?:Null|Empty) [^.]+\.| True when an import leaves it out\.| \(The filters.*\)/g,
      '',
    ),
  );

/** What no value means. */
function emptyOf({ path, description, default: fallback }: StoredStartupField): string {
  const [, none = ''] = / (?:Null|Empty) (?:when )?([^.]+)\./.exec(description) ?? [];
  const known = typeof fallback === 'boolean' ? code(String(fallback)) : none;
  return path === 'slug' ? 'made from the name' : known;
}

const formOf = (field: StartupField): string =>
  field.values === undefined
    ? // What is true of all texts, and of all dates, is said once.
      allowedIn(field)
        .replace(/, without NUL or lone surrogates| of the years.*ISO 8601/, '')
        .replace(/\d{5,}/g, (digits) => count(Number(digits)))
    : 'one of its [values](../reference/enumerations.md)';

const block = (rows: readonly (readonly string[])[]): string => `\`\`\`csv\n${csv(rows)}\`\`\``;
