import { expect, it } from 'vitest';
import { writeText } from '../../src/rest/record-text.ts';
import { detailJson, listJson, type RestRecord } from '../../src/rest/records.ts';
import { startupFieldList } from '../../src/startups/fields.ts';

const fields = startupFieldList.filter(({ shape, path }) => shape !== 'import' && !path.includes('.'));

it.each([
  ['ASCII', 'Plain "quoted" text, "rank":7, ,"teamSize":'],
  ['more than ASCII', 'Zürich, 日本 ☕️ 🚀'],
  ['nothing', ''],
  ['so much that it is written apart', '日本'.repeat(40_000)],
])('a text is read as it was written: %s', (_what, text) => {
  const whole = Object.fromEntries(fields.map(({ path }) => [path, path === 'rank' ? 12 : text]));
  const { rank, ...others } = whole;
  const record: RestRecord = { id: 1, revision: 7, rank: 12, text: writeText(JSON.stringify(others), 7) };
  expect(record.text.revision).toBe(7);
  expect(detailJson('{"data":', record, '}').toString()).toBe(JSON.stringify({ data: whole }));
  const details: readonly string[] = fields.filter(({ shape }) => shape === 'detail').map(({ path }) => path);
  const listed = Object.fromEntries(Object.entries(whole).filter(([name]) => !details.includes(name)));
  expect(listJson('[', [record, record], ']').toString()).toBe(JSON.stringify([listed, listed]));
});
