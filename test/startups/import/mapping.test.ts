import { describe, expect, test } from 'vitest';
import { checkMapping, checkValues } from '../../../src/startups/import/columns/check-mapping.ts';
import { examineTable } from '../../../src/startups/import/columns/examine.ts';
import { type Mapping, readMappingText } from '../../../src/startups/import/columns/mapping.ts';
import { importTable, input } from './inputs.ts';

const columns = {
  Firma: 'name',
  'Umsatz 30 Tage': 'revenue.last30Days',
  'Umsatz/Monat': 'revenue.mrr',
  Gesamt: 'revenue.total',
  Kunden: 'customers',
  Marge: 'profitMarginLast30Days',
  Branche: 'category',
};
const notation = 'dollars,percent';
const defaults = { paymentProvider: 'stripe', activeSubscriptions: '0', onSale: 'false' };

describe('a table with a mapping', () => {
  const german = [
    'sep=;',
    'Firma;Umsatz 30 Tage;Umsatz/Monat;Gesamt;Kunden;Marge;Branche;Notiz',
    'Müller & Söhne;1.250;1.250,50;1.000.000,00 $;1.250;12,5 %;Artificial Intelligence;Café',
  ].join('\r\n');

  test('of a JSON file has its keys mapped in the same way', async () => {
    const amounts = { 'Umsatz 30 Tage': 1, 'Umsatz/Monat': '$2.50', Gesamt: 3 };
    const record = { Firma: 'Élan', ...amounts, Kunden: 4, Marge: 5, Branche: 'ai' };
    const read = await importTable('a.ndjson', JSON.stringify(record), { columns, defaults, notation });
    expect(read.records).toMatchObject([{ slug: 'elan', 'revenue.mrr': 250, customers: 4 }]);
    const twice = await importTable('a.ndjson', JSON.stringify({ ...record, name: 'Other' }), {
      columns,
      defaults,
      notation,
    });
    expect(twice.errors).toEqual(['1: record: got two values of name, allowed each field once']);
  });

  test('reports unknown columns and missing mapped ones once, in its header', async () => {
    const { errors } = await importTable('a.csv', german.replaceAll('Firma', 'Company'), {
      columns,
      defaults,
      notation,
    });
    expect(errors.map((error) => error.replace(/, allowed.*/, ''))).toEqual([
      '2: header: got "Company"',
      '2: header: got "Notiz"',
      '2: header: got no column "Firma"',
      '2: header: got no name',
    ]);
  });

  test('may have texts of its own for the values of any field, in any case, and for none', async () => {
    const head = 'name,revenue.last30Days,revenue.mrr,revenue.total,customers,paymentProvider,onSale,country';
    const text = `${head},askingPrice\nA,1,2,3,4,STRIPE inc.,Listed,uk,n/a\nB,1,2,3,4,Paddle,sold,Deutschland,5`;
    const values = {
      paymentProvider: { 'Stripe Inc.': 'stripe' },
      onSale: { listed: 'yes', sold: 'no' },
      askingPrice: { 'n/a': '' },
    };
    const { errors, records } = await importTable('a.csv', text, { defaults, values });
    expect(errors).toEqual([]);
    expect(records).toMatchObject([
      { paymentProvider: 'stripe', onSale: true, country: 'GB', askingPrice: null },
      { paymentProvider: 'paddle', onSale: false, country: 'DE', askingPrice: 5 },
    ]);
  });

  test('leaves out a column that is named like a field, and asks for a value that is still to be chosen', async () => {
    const text = 'name,revenue.last30Days,revenue.mrr,revenue.total,customers,slug\nA,1,2,3,many,?';
    const mapping: Mapping = { columns: { customers: '', slug: '' }, defaults };
    const open = await importTable('a.csv', text, mapping);
    expect(open.errors).toEqual([
      '1: header: got no customers, allowed a header with every required field; to set a field that no column has, add --default customers=…',
    ]);
    const blank = await importTable('a.csv', text, { ...mapping, defaults: { ...defaults, customers: '' } });
    expect(blank.errors).toEqual(open.errors);
    const chosen = { ...mapping, defaults: { ...defaults, customers: '7' } };
    const { records, ignored } = await importTable('a.csv', text, chosen);
    expect(records).toMatchObject([{ slug: 'a', customers: 7 }]);
    expect(ignored).toEqual(['customers', 'slug']);
    const json = { name: 'A', revenue: { last30Days: 1, mrr: 2, total: 3 }, customers: 'many', slug: '?' };
    const read = await importTable('a.ndjson', JSON.stringify(json), chosen);
    expect([read.errors, read.records]).toMatchObject([[], [{ slug: 'a', customers: 7 }]]);
  });
});

describe('a mapping', () => {
  test.each<[Mapping, string]>([
    [
      { columns: { A: 'name', B: 'name' } },
      'The columns "A" and "B" are both mapped to name: map each field once.',
    ],
    [{ columns: { A: 'revenue.mmr' } }, 'did you mean "revenue.mrr"?'],
    [{ columns: { A: 'rank' } }, 'The column "A" is mapped to "rank", which is no field'],
    [{ defaults: { provider: 'stripe' } }, 'A default is given for "provider", which is no field'],
    [{ values: { category: { x: 'sass' } } }, 'The category "x" is mapped to "sass"; allowed: one of ai,'],
    [{ values: { category: { x: 'sass' } } }, 'did you mean "saas"?'],
    [
      { defaults: { paymentProvider: 'cash' } },
      'The default of paymentProvider is "cash"; allowed: one of stripe,',
    ],
    [{ values: { provider: {} } }, 'Values are given for "provider", which is no field'],
    [{ values: { onSale: { listed: '' } } }, 'The onSale "listed" is mapped to ""; allowed: true or false'],
  ])('is refused where it cannot be right: %j', (mapping, message) => {
    expect(() => checkMapping(mapping)).toThrow(message);
  });

  test.each([
    [
      '{"defaults":{"customers":0,"onSale":false,"growth30d":"0.5"}}',
      { customers: '0', onSale: 'false', growth30d: '0.5' },
    ],
    ['{"defaults":{"growth30d":0.5}}', 'defaults.growth30d: write it as text, such as "0.5"'],
    ['{"columns":{"A":"name","A":""}}', 'columns.A is in it twice, allowed: each key once'],
    ['{"columns":', 'a.json is not valid JSON.'],
  ])('of JSON is read, or refused in its own words: %s', (text, expected) => {
    const read = () => readMappingText(text, 'a.json').defaults;
    if (typeof expected === 'string') {
      expect(read).toThrow(expected);
    } else {
      expect(read()).toEqual(expected);
    }
  });

  test('asks 50 texts of a column at a time, says how many are left, and keeps all answers', async () => {
    const text = ['Startup,category', ...Array.from({ length: 70 }, (_, index) => `S${index},text ${index}`)];
    const mapping: Mapping = { columns: { Startup: 'name', category: 'category' } };
    const first = await examineTable(input('a.csv', text.join('\n')), mapping);
    expect(Object.keys(first.mapping.values?.category ?? {})).toHaveLength(50);
    expect(first.questions).toContain('category (20 more texts: asked next)');
    const answered = Object.fromEntries(
      Object.keys(first.mapping.values?.category ?? {}).map((one) => [one, 'ai']),
    );
    const next = await examineTable(input('a.csv', text.join('\n')), {
      ...first.mapping,
      values: { category: answered },
    });
    expect(next.mapping.columns).toMatchObject({ category: 'category' });
    expect(next.questions.filter((one) => one.startsWith('category'))).toHaveLength(20);
    expect(Object.values(next.mapping.values?.category ?? {}).filter((one) => one === 'ai')).toHaveLength(50);
  });

  test('asks once about all cells with other money in a column that it names, but for those it answers', async () => {
    const text = 'Startup,MRR\nA,€900\nB,€800\nC,12\nD,€700';
    const columns = { MRR: 'revenue.mrr:dollars' };
    const asked = await examineTable(input('a.csv', text), { columns });
    expect(asked.questions.filter((one) => one.includes('EUR'))).toEqual([
      'column "MRR" (revenue.mrr: 3 values are EUR (line 2: "€900", line 3: "€800"): convert them to US dollars in the file, or leave the column out)',
    ]);
    const values = { 'revenue.mrr': { '€900': '970', '€800': '!', '€700': '!' } };
    const { mapping } = await examineTable(input('a.csv', text), { columns, values });
    expect([mapping.columns, mapping.values]).toMatchObject([columns, values]);
  });

  test('names columns by their position where the heading is not enough', async () => {
    const head = 'name,revenue.last30Days,revenue.mrr,revenue.total,customers,';
    const row = (last: string) => `${head}\nA,1,2,3,4,${last}`;
    expect((await importTable('a.csv', row(''), { defaults })).errors).toEqual([]);
    expect((await importTable('a.csv', row('x'), { defaults })).errors).toEqual([
      '2: #6: got "x", allowed nothing without a heading; leave the column out with --map "#6="',
    ]);
    const named = await importTable('a.csv', row('x'), { defaults, columns: { '#6': 'founderName' } });
    expect(named.records).toMatchObject([{ founderName: 'x' }]);
  });

  test('says in which unit a text of a column of amounts is answered', async () => {
    const columns = { MRR: 'revenue.mrr:thousands' };
    const { questions } = await examineTable(input('a.csv', 'Startup,MRR\nA,12.5k\nB,8'), { columns });
    expect(questions).toContain('revenue.mrr "12.5k" (what it means, in thousands)');
  });

  test('asks again what an answer with a value that is not allowed does not say', async () => {
    const text = 'Startup,Category\nA,AI/ML\nB,ai\nC,ai';
    const values = { category: { 'AI/ML': 'nonsense' } };
    const { mapping, questions } = await examineTable(input('a.csv', text), { values });
    expect(mapping.values).toEqual({ category: { 'AI/ML': '?' } });
    expect(questions).toContain('category "AI/ML" (what it means)');
    expect(() => checkValues({ values }, true)).toThrow('is mapped to "nonsense"; allowed: one of ai,');
  });
});
