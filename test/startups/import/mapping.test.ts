import { describe, expect, test } from 'vitest';
import { checkMapping, checkValues } from '../../../src/startups/import/columns/check-mapping.ts';
import { standardFields } from '../../../src/startups/import/columns/import-fields.ts';
import { type Mapping, readMappingText } from '../../../src/startups/import/columns/mapping.ts';
import { noteText, questionText, readStoredLeftOut } from '../../../src/startups/import/columns/words.ts';
import { examineTable, toExaminationReport } from '../../../src/startups/import/examine.ts';
import { unitsOf } from '../../../src/startups/import/notation/notations.ts';
import { importTable, input, record } from './inputs.ts';

type Table = Parameters<typeof examineTable> extends [unknown, ...infer Others] ? Others : never;

/** What a table is, in the words of the command. */
const suggest = async (...[file, answers, options]: Table) =>
  toExaminationReport(await examineTable(standardFields, file, answers, options));
const check = (mapping: Mapping) => checkMapping(standardFields, mapping);

const defaults = { paymentProvider: 'stripe', activeSubscriptions: '0', onSale: 'false' };
const zero = { 'revenue.last30Days': '0', 'revenue.mrr': '0', 'revenue.total': '0', customers: '0' };

describe('a table with a mapping', () => {
  test('reports unknown columns and missing mapped ones once, in its header', async () => {
    const columns = { Firma: 'name', Branche: 'category' };
    const text = 'sep=;\nCompany;Branche;Notiz\nSöhne;ai;Café';
    const { errors } = await importTable('a.csv', text, { columns, defaults: { ...defaults, ...zero } });
    expect(errors.map((error) => error.replace(/, allowed.*/, ''))).toEqual(
      ['"Company"', '"Notiz"', 'no column "Firma"', 'no name'].map((got) => `2: header: got ${got}`),
    );
  });

  test('may have texts of its own for the values of any field, in any case, and for none', async () => {
    const head = 'name,revenue.last30Days,revenue.mrr,revenue.total,customers,paymentProvider,onSale,country';
    const text = `${head},askingPrice\nA,1,2,3,4,STRIPE inc.,Listed,uk,n/a\nB,1,2,3,4,Paddle,sold,Deutschland,5`;
    const paymentProvider = { 'Stripe Inc.': 'stripe' };
    const values = { paymentProvider, onSale: { listed: 'yes', sold: 'no' }, askingPrice: { 'n/a': '' } };
    const { errors, records } = await importTable('a.csv', text, { defaults, values });
    expect(errors).toEqual([]);
    expect(records).toMatchObject([
      { paymentProvider: 'stripe', onSale: true, country: 'GB', askingPrice: null },
      { paymentProvider: 'paddle', onSale: false, country: 'DE', askingPrice: 5 },
    ]);
  });

  test.each([
    ['a.csv', 'profitMarginLast30Days,visitorsLast30Days,onSale', '-0.250,-1,1'],
    ['a.json', '', '{"profitMarginLast30Days":-0.25,"visitorsLast30Days":-1,"onSale":1}'],
  ])('may have texts that look like numbers: %s', async (name, head, cells) => {
    const texts = {
      profitMarginLast30Days: { '-0.25': '' },
      visitorsLast30Days: { '-1': '' },
      onSale: { 1: 'true' },
    };
    const text =
      name === 'a.csv'
        ? `name,${head}\nA,${cells}\nB,24,7,yes`
        : JSON.stringify([
            { name: 'A', ...JSON.parse(cells) },
            { name: 'B', profitMarginLast30Days: 24, visitorsLast30Days: 7, onSale: true },
          ]);
    const { onSale: _, ...others } = { ...defaults, ...zero };
    const { errors, records } = await importTable(name, text, { defaults: others, values: texts });
    expect([errors, records]).toMatchObject([
      [],
      [
        { profitMarginLast30Days: null, visitorsLast30Days: null, onSale: true },
        { profitMarginLast30Days: 24, visitorsLast30Days: 7, onSale: true },
      ],
    ]);
    const shown = await suggest(input(name, text), { defaults: others, values: texts });
    expect(shown.problems).toEqual([]);
  });

  test('leaves out a column that is named like a field, and asks for a value that is still to be chosen', async () => {
    const text = 'name,revenue.last30Days,revenue.mrr,revenue.total,customers,slug\nA,1,2,3,many,?';
    const mapping: Mapping = { columns: { customers: '', slug: '' }, defaults };
    const open = await importTable('a.csv', text, mapping);
    expect(open.errors).toEqual([
      expect.stringMatching(/^1: header: got no customers.+--default customers=…$/),
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

describe('an own name beside columns with other names', () => {
  const head = 'name,askingPrice,MRR';
  const given = { ...defaults, ...zero };
  const columns = { MRR: 'revenue.mrr:dollars' };

  test.each<[string, string, string]>([
    ['a.csv', `${head}\nAlder,48000,900.10\nBirch,,5`, '2'],
    ['a.ndjson', '{"name":"Alder","askingPrice":48000,"MRR":900.1}', '1'],
  ])('has no unit that a mapping does not state: %s', async (name, text, line) => {
    const { 'revenue.mrr': _, ...others } = given;
    const open = await importTable(name, text, { columns, defaults: others });
    const [unit, ...otherUnits] = unitsOf('cents');
    expect(open.errors).toEqual([
      `${line}: askingPrice: got 48000, allowed a value whose unit the mapping states, as for "MRR"; ` +
        `add --map askingPrice=askingPrice:${unit} (or ${otherUnits.join(', ')})`,
    ]);
    const stated = { ...columns, askingPrice: 'askingPrice:dollars' };
    for (const mapping of [{ columns: stated }, { columns, notation: 'dollars' }]) {
      const { errors, records } = await importTable(name, text, { ...mapping, defaults: others });
      expect([errors, records[0]]).toMatchObject([[], { askingPrice: 4_800_000 }]);
    }
  });

  test('needs its unit in the mapping, for percentages as for amounts', () => {
    const bare = { columns: { MRR: 'revenue.mrr:dollars', askingPrice: 'askingPrice' } };
    expect(() => check(bare)).toThrow('"askingPrice" is mapped to askingPrice without the unit');
    expect(() => check({ ...bare, notation: 'dollars' })).not.toThrow();
    const growth = { columns: { Margin: 'profitMarginLast30Days:fraction', growth30d: 'growth30d' } };
    expect(() => check(growth)).toThrow('"growth30d" is mapped to growth30d without the unit');
  });

  test('is asked together with them, which one notation answers', async () => {
    const text = 'name,askingPrice,MRR,Total revenue\nAlder,48000,900.10,2000\n';
    const asked = await suggest(input('a.csv', text), { defaults: { ...defaults, ...zero } });
    const unit = questionText({ kind: 'unit', field: 'askingPrice', notations: [] });
    const question = `columns "askingPrice", "MRR" and "Total revenue" (${unit} Fractions of a cent are rounded by cents,point,round)`;
    expect(asked.questions).toEqual([question]);
    expect(() => check(asked.mapping)).toThrow(`The mapping has a question; answer with a value`);
    expect(() => check({ ...asked.mapping, notation: 'dollars' })).not.toThrow();
    for (const given of [{}, asked.mapping]) {
      const { questions, mapping } = await suggest(input('a.csv', text), {
        ...given,
        defaults: { ...defaults, ...zero },
        notation: 'dollars',
      });
      expect(questions).toEqual([]);
      const { errors, records } = await importTable('a.csv', text, mapping);
      expect([errors, records[0]]).toMatchObject([[], { askingPrice: 4_800_000 }]);
    }
  });
});

describe('a table with many columns', () => {
  const examined = async (columns: number, heading: (index: number) => string, rows = 1) => {
    const names = Array.from({ length: columns }, (_, index) => heading(index));
    const line = ['A', ...names.map((_, index) => 1_000 + index)].join();
    const text = `name,${names.join()}\n${`${line}\n`.repeat(rows)}`;
    return suggest(input('a.csv', text));
  };

  test.each([
    ['the same name', () => 'Revenue', 'Revenue #2'],
    ['alike names', (index: number) => `Revenue ${'!'.repeat((index % 9) + 1)}`, 'Revenue !'],
    ['long names', (index: number) => `Revenue ${String(index).padStart(190, '(')}`, ''],
  ])(
    'of %s asks in proportion to them, and names three of those that may be one field',
    async (_, heading, first) => {
      const [some, many] = [await examined(100, heading), await examined(400, heading)];
      for (const [examination, columns] of [
        [some, 100],
        [many, 400],
      ] as const) {
        const reasons = new Set(examination.columns.slice(1).map(({ reason }) => reason));
        expect([...reasons]).toEqual([
          expect.stringContaining(` and ${columns - 3} others may be it: which one?`),
        ]);
        expect([...reasons].join()).toContain(first);
        expect(() => check(examination.mapping)).toThrow(/^.{1,10000}$/s);
      }
      const size = (of: object) => JSON.stringify(of).length;
      expect(size(many)).toBeLessThan(4.5 * size(some));
      const [again] = [await suggest(input('a.csv', 'name\nA'), many.mapping)];
      expect(again.notes.join()).toMatch(
        /^The mapping's columns .{1,300} and 397 others are not in this file\.$/,
      );
    },
  );

  test('asks 50 rows that may be no startups at once', async () => {
    const rows = Array.from({ length: 80 }, (_, index) => `Note ${index},,\n`).join('');
    const { mapping, questions } = await suggest(input('a.csv', `name,MRR,x\nA,$1,2\n${rows}`));
    expect(Object.keys(mapping.rows ?? {})).toHaveLength(50);
    expect(questions).toContain('rows (30 more rows that may be no startup: asked next)');
  });
});

describe('a mapping', () => {
  test.each<[Mapping, string]>([
    [{ columns: { A: 'name', B: 'name' } }, 'The columns "A" and "B" are both mapped to name: map each'],
    [{ columns: { A: 'revenue.mmr' } }, 'did you mean "revenue.mrr"?'],
    [{ columns: { A: 'rank' } }, 'The column "A" is mapped to "rank", which is no field'],
    [{ defaults: { provider: 'stripe' } }, 'A default is given for "provider", which is no field'],
    [{ values: { category: { x: 'sass' } } }, 'did you mean "saas"?'],
    [{ defaults: { paymentProvider: 'cash' } }, 'The default of paymentProvider is "cash"; allowed: one of'],
    [{ values: { provider: {} } }, 'Values are given for "provider", which is no field'],
    [{ values: { onSale: { listed: '' } } }, 'The onSale "listed" is mapped to ""; allowed: true or false'],
  ])('is refused where it cannot be right: %j', (mapping, message) => {
    expect(() => check(mapping)).toThrow(message);
  });

  test.each([
    ['{"defaults":{"customers":0,"onSale":false}}', { customers: '0', onSale: 'false' }],
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
    const examine = (given: Mapping) => suggest(input('a.csv', text.join('\n')), given);
    const first = await examine(mapping);
    const texts = Object.keys(first.mapping.values?.category ?? {});
    expect([texts.length, first.questions.at(-1)]).toEqual([50, 'category (20 more texts: asked next)']);
    const category = Object.fromEntries(texts.map((one) => [one, 'ai']));
    const next = await examine({ ...first.mapping, values: { category } });
    expect(next.mapping.columns).toMatchObject({ category: 'category' });
    expect(next.questions.filter((one) => one.startsWith('category'))).toHaveLength(20);
    expect(next.mapping.values?.category).toMatchObject(category);
  });

  test('asks once about all cells with other money in a column that it names, but for those it answers', async () => {
    const text = 'Startup,MRR\nA,€900\nB,€800\nC,12\nD,€700';
    const columns = { MRR: 'revenue.mrr:dollars' };
    const asked = await suggest(input('a.csv', text), { columns });
    const euros =
      'column "MRR" (revenue.mrr: 3 values are EUR (line 2: "€900", line 3: "€800"): convert them to US';
    expect(asked.questions.filter((one) => one.includes('EUR'))).toEqual([expect.stringContaining(euros)]);
    const values = { 'revenue.mrr': { '€900': '970', '€800': '!', '€700': '!' } };
    const { mapping } = await suggest(input('a.csv', text), { columns, values });
    expect([mapping.columns, mapping.values]).toMatchObject([columns, values]);
  });

  test.each([
    [
      'MRR',
      ['pending', '1000'],
      [/1000 is \$10\.00/, /1000 is \$1,000,000/, /\$1,000,000,000/, /1000 is \$1,000\.00/],
    ],
    // Its texts are asked next.
    ['MRR', ['pending', 'soon'], ['']],
    ['MRR (EUR)', ['200'], [/200 is \$2\.00/, /\$200,000\.00/, /\$200,000,000/, /200 is \$200\.00/]],
    ['Growth 30 days', ['1,250'], [/is 1250%/, /is 1\.25%/, /is 125000%/, /is 125%/]],
    ['Growth 30 days (fraction)', ['1,250'], [/is 125000%/, /is 125%/]],
  ])('offers every notation that answers what %s asks about %j', async (heading, values, reads) => {
    const text = ['Startup', heading].join() + values.map((value) => `\nA,"${value}"`).join('');
    const { columns } = await suggest(input('a.csv', text));
    const found = columns[1]?.ways.map((way) => way.reads);
    const expected = reads.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one)));
    expect(found).toEqual(expect.arrayContaining(expected));
  });

  test('offers no notation for a column with other money, which stays so in any unit', async () => {
    const { columns } = await suggest(input('a.csv', 'Startup,MRR\nA,"€100"\nA,"200"'));
    expect(columns[1]?.ways).toEqual([]);
  });

  test('leaves a column out whose numbers are none of the texts that it is named like', async () => {
    const records = [12, 40].map((sector) => ({ name: `A${sector}`, sector }));
    const { columns } = await suggest(input('a.json', JSON.stringify(records)));
    expect(columns.map(({ name, state }) => [name, state])).toContainEqual(['sector', 'left out']);
  });

  test('names columns by their position where the heading is not enough', async () => {
    const head = 'name,revenue.last30Days,revenue.mrr,revenue.total,customers,';
    const read = (last: string, columns = {}) =>
      importTable('a.csv', `${head}\nA,1,2,3,4,${last}`, { defaults, columns });
    expect((await read('')).errors).toEqual([]);
    expect((await read('x')).errors).toEqual([
      '2: #6: got "x", allowed nothing without a heading; leave the column out with --map "#6="',
    ]);
    expect((await read('x', { '#6': 'founderName' })).records).toMatchObject([{ founderName: 'x' }]);
  });

  test('asks again what an answer with a value that is not allowed does not say', async () => {
    const text = 'Startup,Category\nA,AI/ML\nB,ai\nC,ai';
    const values = { category: { 'AI/ML': 'nonsense' } };
    const { mapping, questions } = await suggest(input('a.csv', text), { values });
    expect(mapping.values).toEqual({ category: { 'AI/ML': '?' } });
    expect(questions).toContain('category "AI/ML" (what it means)');
    expect(() => checkValues(standardFields, { values }, true)).toThrow(
      'is mapped to "nonsense"; allowed: one of ai,',
    );
  });
});

test('only a row of a table that seems to be no startup can be left out', async () => {
  const mapping = { columns: { Startup: 'name' }, defaults: { ...defaults, ...zero } };
  const read = (answer: string) =>
    importTable('a.csv', 'Startup,customers\nAlder,1\nTotal,1\n', {
      ...mapping,
      rows: { Alder: answer, Total: answer } as Mapping['rows'],
    });
  const { errors, records, skipped } = await read('leave out');
  expect(errors).toEqual([
    '2: row: got "Alder", allowed to leave out only a row that seems to be no startup, such as a sum; remove this row from the file',
  ]);
  expect([records, skipped]).toEqual([[], [{ kind: 'row left out', line: 3, row: 'Total' }]]);
  expect((await read('keep')).records).toHaveLength(2);
});

test('notes of rows that an answer leaves out are told from others', () => {
  const row = noteText({ kind: 'row left out', file: 'a.csv', line: 3, row: 'Total' });
  expect(readStoredLeftOut(row)).toBe('a.csv, line\u00a03: "Total"');
  const repeats = (['first', 'none'] as const).map((kept) =>
    readStoredLeftOut(noteText({ kind: 'repeats left out', name: 'Acme', repeats: 2, kept })),
  );
  expect(repeats).toEqual([
    '"Acme": 2 repeated records, the first is kept.',
    '"Acme": 2 repeated records, none is kept.',
  ]);
  expect(readStoredLeftOut('a.csv: 1 title row skipped: "left out"')).toBeUndefined();
});

describe('a JSON document', () => {
  const text = JSON.stringify(record({ revenue: { last30Days: 1, mrr: 0, total: 2 } }));

  test('with several lists names --path, which reads one of them', async () => {
    const [old, now] = [[record({ slug: 'old' })], [record({ slug: 'now' })]];
    const lists = JSON.stringify({ old, result: { now }, other: [{}] });
    for (const [path, slug] of [
      ['old', 'old'],
      ['result.now', 'now'],
    ] as const) {
      expect(await importTable('a.json', lists, { path })).toMatchObject({ errors: [], records: [{ slug }] });
    }
    const contents = { 'a.json': '[{}]', 'b.json': lists, 'a.csv': 'name\n', 'a.ndjson': '{}' };
    for (const [name, content] of Object.entries(contents)) {
      const { errors } = await importTable(name, content, { path: 'none' });
      const error = /^1: file: got .+, allowed an object with the list of --path$/;
      expect(errors).toEqual([expect.stringMatching(error)]);
    }
  });

  test('with more digits than a number keeps is never another amount', async () => {
    for (const notation of ['dollars', 'dollars,round']) {
      const read = (written: string) =>
        importTable('a.json', text.replace('"mrr":0', `"mrr":${written}`), { notation });
      for (const written of ['90071992547409.910000', '9.007199254740991e13', '"90071992547409.91"']) {
        expect((await read(written)).records[0]?.['revenue.mrr']).toBe(Number.MAX_SAFE_INTEGER);
      }
      expect((await read('90071992547409.915')).errors).toEqual([
        expect.stringMatching(/^1: revenue\.mrr: got "90071992547409\.915", allowed /),
      ]);
    }
    // A name is no figure: its digits are no text.
    const named = await importTable('a.json', text.replace('"ORBIT-LABS"', '12345678901234567890'));
    expect(named.errors).toEqual([expect.stringContaining('name: got 1234')]);
  });

  test.each([
    '"a":[{"b":12345678901234567890}]',
    '"a":[{"__proto__":{"polluted":12345678901234567890}}]',
    '"__proto__":{"polluted":12345678901234567890}',
    '"constructor":{"prototype":{"polluted":12345678901234567890}}',
  ])('changes nothing by %s', async (extra) => {
    const { errors } = await importTable('a.json', text.replace('{', `{${extra},`));
    expect(errors).toEqual([expect.stringMatching(/^1: (a|__proto__|constructor): /)]);
    expect({}).not.toHaveProperty('polluted');
  });

  test('must have every mapped key in some record', async () => {
    const errorsOf = async (name: string, content: object) =>
      (await importTable(name, JSON.stringify(content), { columns: { nope: 'visitorsLast30Days' } })).errors;
    const missing = ['1: record: got no key "nope", allowed records with every mapped key'];
    expect([await errorsOf('a.json', record()), await errorsOf('a.ndjson', record())]).toEqual([
      missing,
      missing,
    ]);
    expect(await errorsOf('a.ndjson', { ...record(), _errors: ['x'] })).toEqual([]);
    expect(await errorsOf('a.ndjson', { ...record(), nope: 1 })).toEqual([
      '1: visitorsLast30Days: got null, allowed each field once',
    ]);
  });
});
