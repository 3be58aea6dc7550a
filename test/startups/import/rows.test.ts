import { expect, it } from 'vitest';
import { openTable } from '../../../src/startups/import/rows/csv-rows.ts';

it('a table is opened at its header, and what follows is read when it is asked for', async () => {
  let batches = 0;
  async function* source() {
    while (batches < 100) {
      batches += 1;
      yield [{ number: batches, text: batches === 1 ? 'Our list' : `a,${batches}` }];
    }
  }
  const table = await openTable(source());
  expect([table?.titles.length, table?.header.cells, batches]).toEqual([1, ['a', '2'], 21]);
  await table?.rows.next();
  const { value } = (await table?.rows.next()) ?? {};
  expect([...value].map(({ cells }) => cells)).toEqual([['a', '22']]);
});
