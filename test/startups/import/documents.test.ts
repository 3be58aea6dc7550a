import { describe, expect, test } from 'vitest';
import type { Mapping } from '../../../src/startups/import/columns/mapping.ts';
import { importTable, record } from './inputs.ts';

const defaults = {
  paymentProvider: 'stripe',
  'revenue.last30Days': '0',
  'revenue.mrr': '0',
  'revenue.total': '0',
  customers: '0',
  activeSubscriptions: '0',
  onSale: 'false',
};
const columns = { Startup: 'name', 'MRR USD': 'revenue.mrr' };
const dollars: Mapping = { columns, defaults, notation: 'dollars' };

/** The names and amounts that are stored of a table. */
async function amountsOf(content: string, mapping: Mapping, name = 'a.csv') {
  const { records, errors, skipped } = await importTable(name, content, mapping);
  return { errors, skipped, amounts: records.map((one) => [one.name, one['revenue.mrr']]) };
}

describe('the header of a table', () => {
  test('has rows below it of which only one that seems to be none can be left out', async () => {
    const text = 'Startup,MRR USD\nAlder,1\nTotal,1\n';
    const read = await amountsOf(text, { ...dollars, rows: { Alder: 'leave out', Total: 'leave out' } });
    expect(read.errors).toEqual([
      '2: row: got "Alder", allowed to leave out only a row that seems to be no startup, such as a sum; remove this row from the file',
    ]);
    expect([read.amounts, read.skipped]).toEqual([[], ['line 3 left out: "Total"']]);
    expect(
      (await amountsOf(text, { ...dollars, rows: { Alder: 'keep', Total: 'keep' } })).amounts,
    ).toHaveLength(2);
  });
});

describe('amounts of a table', () => {
  test('with a fraction of a cent are rounded half to even on request, and counted', async () => {
    const text = 'Startup,MRR USD\nA,0.125\nB,0.135\nC,0.1251\nD,7.999\nE,1.20\n';
    const refused = await amountsOf(text, { ...dollars, notation: 'dollars,point' });
    expect(refused.errors).toHaveLength(4);
    expect(refused.errors[0]).toMatch(/; it has a fraction of a cent: round it with --round$/);
    const { records, rounding } = await importTable('a.csv', text, {
      ...dollars,
      notation: 'dollars,point,round',
    });
    expect(records.map((one) => one['revenue.mrr'])).toEqual([12, 14, 13, 800, 120]);
    expect(rounding).toEqual({ count: 4, largest: 0.5 });
  });

  test('in cents are rounded too, but have no separators', async () => {
    const text = 'name,revenue.mrr\nA,71260442.66959542\nB,"500,000"\nC,12.345\n';
    const strict = await amountsOf(text, { defaults });
    expect(strict.errors.map((error) => error.replace(/allowed .*; /, ''))).toEqual([
      '2: revenue.mrr: got "71260442.66959542", it has a fraction of a cent: round it with --round, or for amounts in dollars, use --dollars',
      expect.stringMatching(/^3: revenue\.mrr: got "500,000", amounts are whole cents without separators/),
      expect.stringMatching(/^4: revenue\.mrr: got "12\.345", amounts are whole cents without separators/),
    ]);
    const { errors, amounts } = await amountsOf(text, { defaults, notation: 'round' });
    expect(amounts).toEqual([['A', 71_260_443]]);
    expect(errors).toHaveLength(2);
  });
});

describe('a JSON document', () => {
  const revenue = { last30Days: 71260442.66959542, mrr: 1, total: 1 };
  const one = record({ revenue });

  test('around one list of records is read, whatever the key', async () => {
    const text = JSON.stringify({ updated: '2026-11-20', tags: ['x'], startups: [one] });
    for (const content of [text, JSON.stringify(JSON.parse(text), null, 2)]) {
      expect((await importTable('a.json', content)).errors).toEqual([
        expect.stringContaining(
          'revenue.last30Days: got 71260442.66959542, allowed an integer number of cents',
        ),
      ]);
      const { records, errors, rounding } = await importTable('a.json', content, { notation: 'round' });
      expect([errors, records[0]?.['revenue.last30Days']]).toEqual([[], 71_260_443]);
      expect(rounding).toEqual({ count: 1, largest: 1 - 0.66959542 });
    }
    const many = Array.from({ length: 2_000 }, (_, index) =>
      record({ slug: `s${index}`, description: 'x'.repeat(900) }),
    );
    const long = JSON.stringify({ updated: 1, startups: many, count: 2_000 });
    expect((await importTable('a.json', long)).records).toHaveLength(2_000);
    const two = (await importTable('a.json', long.replace('"count":2000', '"others":[{"slug":"x"}]'))).errors;
    expect(two).toEqual([expect.stringContaining('of several lists, --path names one')]);
  });

  test('with several lists names --path, which reads one of them', async () => {
    const text = JSON.stringify({
      old: [record({ slug: 'old' })],
      result: { now: [record({ slug: 'now' })] },
      other: [{}],
    });
    expect((await importTable('a.json', text)).errors).toEqual([expect.stringContaining('--path names one')]);
    for (const [path, slug] of [
      ['old', 'old'],
      ['result.now', 'now'],
    ] as const) {
      const { records, errors } = await importTable('a.json', text, { path });
      expect([errors, records.map((each) => each.slug)]).toEqual([[], [slug]]);
    }
    for (const [name, content] of [
      ['a.json', text],
      ['a.json', '[{}]'],
      ['a.csv', 'name\n'],
      ['a.ndjson', '{}'],
    ] as const) {
      const { errors } = await importTable(name, content, { path: 'none' });
      expect(errors).toEqual([
        expect.stringMatching(/^1: file: got .+, allowed an object with the list of --path$/),
      ]);
    }
  });

  test('with a repeated key is an error, at any depth', async () => {
    const text = JSON.stringify(record());
    for (const [broken, key] of [
      [text.replace('"customers":', '"customers":1,"customers":'), 'customers'],
      [text.replace('"mrr":', '"m\\u0072r":1,"mrr":'), 'revenue.mrr'],
    ] as const) {
      expect((await importTable('a.ndjson', broken)).errors).toEqual([
        `1: record: got two values of ${key}, allowed each key once`,
      ]);
    }
    expect(
      (await importTable('a.ndjson', JSON.stringify(record({ description: '"a": "a":' })))).errors,
    ).toEqual([]);
  });

  test('with more digits than a number keeps is never another amount', async () => {
    const [mrr, total] = ['90071992547409.91', '90071992547409.91'];
    const text = JSON.stringify(record({ revenue: { last30Days: 1, mrr: 0, total: 2 } }));
    for (const notation of ['dollars', 'dollars,round']) {
      for (const written of [mrr, `${mrr}0000`, '9.007199254740991e13']) {
        const { records } = await importTable('a.json', text.replace('"mrr":0', `"mrr":${written}`), {
          notation,
        });
        expect(records[0]?.['revenue.mrr']).toBe(Number.MAX_SAFE_INTEGER);
      }
      const beyond = text.replace('"mrr":0', '"mrr":90071992547409.915');
      expect((await importTable('a.json', beyond, { notation })).errors).toEqual([
        expect.stringMatching(/^1: revenue\.mrr: got "90071992547409\.915", allowed /),
      ]);
    }
    // Within a list, and below keys that objects inherit, nothing is changed.
    const digits = '12345678901234567890';
    for (const extra of [
      `"a":[{"b":${digits}}]`,
      `"a":[{"__proto__":{"polluted":${digits}}}]`,
      `"__proto__":{"polluted":${digits}}`,
      `"constructor":{"prototype":{"polluted":${digits}}}`,
    ]) {
      const { errors } = await importTable('a.json', text.replace('{', `{${extra},`));
      expect(errors).toEqual([expect.stringMatching(/^1: (a|__proto__|constructor): /)]);
    }
    expect({}).not.toHaveProperty('polluted');
    // Not a figure: its digits are no text.
    const named = text.replace('"ORBIT-LABS"', '12345678901234567890');
    expect((await importTable('a.json', named)).errors).toEqual([expect.stringContaining('name: got 1234')]);
    const asText = text.replace('"total":2', `"total":"${total}"`);
    const written = await importTable('a.json', asText, { notation: 'dollars' });
    expect(written.records[0]?.['revenue.total']).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('must have every mapped key in some record', async () => {
    const mapping = { columns: { nope: 'askingPrice:cents' } };
    for (const name of ['a.json', 'a.ndjson']) {
      expect((await importTable(name, JSON.stringify(record()), mapping)).errors).toEqual([
        '1: record: got no key "nope", allowed records with every mapped key',
      ]);
    }
    const reject = JSON.stringify({ ...record(), _errors: ['x'] });
    expect((await importTable('a.ndjson', reject, mapping)).errors).toEqual([]);
    expect((await importTable('a.ndjson', JSON.stringify({ ...record(), nope: 1 }), mapping)).errors).toEqual(
      ['1: record: got two values of askingPrice, allowed each field once'],
    );
  });
});
