import { expect, it } from 'vitest';
import { checkMapping } from '../../../src/startups/import/columns/check-mapping.ts';
import { createFieldNames } from '../../../src/startups/import/columns/field-names.ts';
import { createImportFields } from '../../../src/startups/import/columns/import-fields.ts';
import { examineTable } from '../../../src/startups/import/examine.ts';
import { INVALID } from '../../../src/startups/import/notation/checks.ts';
import { readRecords } from '../../../src/startups/import/values/read-records.ts';
import { createValidator, showRecord } from '../../../src/startups/import/values/validate.ts';
import { storedStartupFields } from '../../../src/startups/model/fields.ts';
import { input, leastDefaults } from './inputs.ts';

/** Those of every startup, and one that only these have. */
const fields = createImportFields([
  ...storedStartupFields,
  {
    path: 'own.offices',
    kind: 'count',
    minimum: 0,
    maximum: 1_000,
    nullable: true,
    description: 'Number of offices.',
    shape: 'detail',
    stored: 'detail',
    property: 'ownOffices',
    column: 'offices',
  },
]);

it('reads whatever fields it is given: by headings, units, questions and values', async () => {
  const file = input('a.csv', 'name,Offices\nAcme,"1,200k"\nBeta,7');
  const { mapping, columns, questions } = await examineTable(fields, file, { defaults: leastDefaults });
  expect(columns.map(({ name, field, state }) => [name, field, state])).toEqual([
    ['name', 'name', 'field'],
    ['Offices', 'own.offices', 'field'],
  ]);
  expect(questions).toMatchObject([{ kind: 'text', field: 'own.offices', text: '1,200k' }]);

  const answered = { ...mapping, values: { 'own.offices': { '1,200k': INVALID } } };
  checkMapping(fields, answered);
  const names = createFieldNames(fields, answered);
  const validate = createValidator(names);
  const errors: Parameters<typeof validate>[2] = [];
  const rows: unknown[] = [];
  for await (const items of readRecords(file, { names })) {
    for (const item of items) {
      const { row } = 'value' in item ? validate(item.value, item.line, errors) : {};
      rows.push(row && showRecord(fields, row).at(-1));
    }
  }
  expect(errors.map(({ line, field, allowed }) => [line, field, allowed])).toEqual([
    [2, 'own.offices', 'an integer from 0 to 1000, or null'],
  ]);
  expect(rows).toEqual([undefined, { path: 'own.offices', text: '7' }]);
});

it('names them in its messages', () => {
  const check = (path: string) => () => checkMapping(fields, { columns: { a: path } });
  expect(check('offics')).toThrow('(did you mean "own.offices"?)');
  expect(check('offics')).toThrow(/allowed: name, .*, own\.offices$/);
});
