import { createFieldNames } from '../columns/field-names.ts';
import type { ImportFields } from '../columns/import-fields.ts';
import type { Mapping } from '../columns/mapping.ts';
import { SAMPLED_ROWS, type TableSample } from '../columns/sample.ts';
import { ASKED } from '../notation/checks.ts';
import { takeFirst } from '../rows/open-rows.ts';
import { readRecords } from './read-records.ts';
import { createValidator, type ShownRecord, showRecord } from './validate.ts';

const SHOWN = 3;

/**
 * The first valid records of a table as customers would see them.
 *
 * @param open required fields whose column is still to be answered.
 */
export async function firstRecords(
  fields: ImportFields,
  { input }: TableSample,
  proposed: Mapping,
  open: readonly string[],
  isUpdate: boolean,
): Promise<ShownRecord[]> {
  const defaults = { ...proposed.defaults, ...Object.fromEntries(open.map((path) => [path, ASKED])) };
  const names = createFieldNames(fields, { ...proposed, defaults }, isUpdate);
  const validate = createValidator(names, true);
  const asked: ReadonlySet<string> = new Set(Object.keys(defaults));
  // Without any, such as no column for a required field, there is no preview.
  const { records } = await takeFirst(readRecords(input, { names }), SAMPLED_ROWS);
  const shown: ShownRecord[] = [];
  for (const { value, line } of records) {
    const { row, given } = shown.length < SHOWN ? validate(value, line, []) : {};
    shown.push(...(row === undefined ? [] : [showRecord(fields, row, { open: asked, given })]));
  }
  return shown;
}
