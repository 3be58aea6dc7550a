import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OperatorError } from '../../../src/lib/errors.ts';
import { type InputError, UnreadableInput } from '../../../src/startups/import/errors.ts';
import { MAX_RECORD_BYTES } from '../../../src/startups/import/rows/lines.ts';
import { createValidator } from '../../../src/startups/import/values/validate.ts';
import { input, ndjson, readAll, reported, silentAfter } from './inputs.ts';

const a = { slug: 'a', text: 'Åland 日本 👩🏽‍🚀' };
const b = { slug: 'b', text: '' };

/** What is read: a record as its line and value, an error as its message. */
async function read(name: string, content: string | Uint8Array, piece?: number): Promise<unknown[]> {
  return (await readAll(input(name, content, piece))).map((item) =>
    'error' in item ? reported(item.error) : [item.line, item.value],
  );
}

/** The errors that end an input. */
async function end(name: string, content: string | Uint8Array, piece?: number): Promise<string[]> {
  const error = await read(name, content, piece).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnreadableInput);
  return (error as UnreadableInput).errors.map(reported);
}

const quotes = 'the whole cell in quotes, and each quote inside it doubled';
const tooLong = `a record of at most ${MAX_RECORD_BYTES.toLocaleString('en')} bytes`;

describe('the format', () => {
  const list = JSON.stringify([a, b], null, 1);
  test.each([
    ['a.ndjson', ndjson(a, b)],
    ['a.jsonl', ndjson(a, b)],
    ['A.NDJSON', ndjson(a, b)],
    ['a.json', ndjson(a, b)],
    ['-', ndjson(a, b)],
    ['data', `\n\n ${ndjson(a, b)}`.trimEnd()],
    ['a.txt', ndjson(a, b).replaceAll('\n', '\r\n')],
    ['a.json', list],
    ['a.json', JSON.stringify([a, b])],
    ['-', `\n\t${list}\n`],
    ['-', `\ufeff${list}`],
    ['a.ndjson', `\ufeff${ndjson(a, b)}`],
  ])('is known by extension, else by content: %s %j', async (name, content) => {
    for (const bytes of [Buffer.from(content), gzipSync(content)]) {
      for (const piece of [1, 7, 100_000]) {
        expect(
          (await readAll(input(name, bytes, piece))).map((item) => 'value' in item && item.value),
        ).toEqual([a, b]);
      }
    }
  });

  test('is the extension before .gz, and gzip is known by its bytes alone', async () => {
    const csv = `${header}\nA,a,stripe,1,2,3,4,5,true\n`;
    for (const name of ['a.csv', 'a.csv.gz', 'a.CSV.GZ', 'a', '-']) {
      expect(await read(name, gzipSync(csv))).toHaveLength(1);
      expect(await read(name, csv)).toHaveLength(1);
    }
  });

  test('may be several gzip members one after another', async () => {
    const bytes = Buffer.concat([gzipSync(ndjson(a)), gzipSync(ndjson(b))]);
    expect(await read('a.gz', bytes)).toEqual([
      [1, a],
      [2, b],
    ]);
  });

  const saveAs = '; in Excel, save it as "CSV UTF-8"';
  test.each([
    ['UTF-16 text', Buffer.from(`\ufeff${ndjson(a)}`, 'utf16le'), saveAs],
    ['an Excel workbook or a ZIP archive', Buffer.from('PK\x03\x04rest'), saveAs],
    ['an Excel workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), saveAs],
    ['Zstandard data', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0]), ''],
  ])('is refused for %s, plain or inside gzip', async (kind, bytes, fix) => {
    const message = `1: file: got ${kind}, allowed NDJSON, a JSON array or CSV in UTF-8, plain or gzip${fix}`;
    expect(await end('a.ndjson', bytes)).toEqual([message]);
    expect(await end('-', gzipSync(bytes))).toEqual([message]);
  });
});

describe('NDJSON', () => {
  test('counts blank lines and leaves them out', async () => {
    expect(await read('a.ndjson', `\n \r\n${ndjson(a)}\n\n${ndjson(b)}`)).toEqual([
      [3, a],
      [6, b],
    ]);
  });

  test('reports lines that are not JSON objects and continues', async () => {
    const text = `${ndjson(a)}{"slug":\n[1]\n42\nnull\n{"a":1} {"b":2}\n${ndjson(b)}{"slug":"c`;
    expect(await read('a.ndjson', text)).toEqual([
      [1, a],
      '2: record: got "{\\"slug\\":", allowed a JSON object on one line: this one is truncated',
      '3: record: got […], allowed a JSON object on one line',
      '4: record: got 42, allowed a JSON object on one line',
      '5: record: got null, allowed a JSON object on one line',
      '6: record: got "{\\"a\\":1} {\\"b\\":2}", allowed a JSON object on one line: this one is not valid JSON',
      [7, b],
      '8: record: got "{\\"slug\\":\\"c", allowed a JSON object on one line: this one is truncated',
    ]);
  });

  test('reports lines that are not UTF-8 or contain NUL bytes and continues', async () => {
    const bytes = Buffer.concat([
      Buffer.from(ndjson(a)),
      Buffer.from('{"text":"M\xfcnchen"}\n', 'latin1'),
      Buffer.from('{"text":"\0"}\n'),
      Buffer.from(ndjson(b)),
      Buffer.from([0xe2, 0x82]),
    ]);
    for (const piece of [1, 5, 1000]) {
      expect(await read('a.ndjson', bytes, piece)).toEqual([
        [1, a],
        '2: record: got "{\\"text\\":\\"M�nchen\\"}", allowed UTF-8; for a file of Excel on Windows, use --encoding windows-1252',
        '3: record: got "{\\"text\\":\\"\\u0000\\"}", allowed text without NUL bytes',
        [4, b],
        '5: record: got "�", allowed UTF-8; for a file of Excel on Windows, use --encoding windows-1252',
      ]);
    }
  });

  test('reports a huge line and continues after it', async () => {
    const huge = `{"text":"${'x'.repeat(MAX_RECORD_BYTES)}"}\n`;
    for (const piece of [1000, 64 * 1024, 8 * MAX_RECORD_BYTES]) {
      expect(await read('a.ndjson', ndjson(a) + huge + ndjson(b), piece)).toEqual([
        [1, a],
        `2: record: got a longer one: "{\\"text\\":\\"${'x'.repeat(51)}…", allowed ${tooLong}`,
        [3, b],
      ]);
    }
  });

  test('takes a record just within the limit', async () => {
    const text = 'x'.repeat(MAX_RECORD_BYTES - '{"text":""}'.length);
    expect(await read('a.ndjson', `${ndjson(a)}{"text":"${text}"}`)).toEqual([
      [1, a],
      [2, { text }],
    ]);
  });

  test('gives up on a line without an end', async () => {
    const { source, taken } = endless(Buffer.alloc(64 * 1024, 'x'));
    const failure = await readAll({ name: 'a.ndjson', open: () => source }).catch((error: unknown) => error);
    expect((failure as UnreadableInput).errors.map(reported)).toEqual([
      `1: record: got "${'x'.repeat(60)}…" without an end, allowed ${tooLong}`,
    ]);
    expect(taken()).toBeLessThan(20 * MAX_RECORD_BYTES);
  });
});

describe('a JSON array', () => {
  test('gives each element under the line on which it begins', async () => {
    const text = `[\n${JSON.stringify(a, null, 2)},\n\n ${JSON.stringify(b)} ]\n\n`;
    expect(await read('a.json', text)).toEqual([
      [2, a],
      [7, b],
    ]);
  });

  test('may be empty', async () => {
    expect(await read('a.json', ' [\n] ')).toEqual([]);
  });

  test('reports elements that are not objects, and missing or superfluous commas, and continues', async () => {
    const text = `[1, "a]", [{}],\n{"a":1} {"b":2},,{"a"},\n${JSON.stringify(b)},]`;
    expect(await read('a.json', text)).toEqual([
      '1: record: got 1, allowed a JSON object',
      '1: record: got "a]", allowed a JSON object',
      '1: record: got […], allowed a JSON object',
      '2: record: got "{\\"a\\":1} {\\"b\\":2}", allowed a JSON object: this one is not valid JSON',
      '2: record: got nothing, allowed a JSON object',
      '2: record: got "{\\"a\\"}", allowed a JSON object: this one is not valid JSON',
      [3, b],
      '3: record: got nothing, allowed a JSON object',
    ]);
  });

  test('reports an element that is too long and continues after it', async () => {
    const huge = `{"text":"${'],'.repeat(MAX_RECORD_BYTES / 2)}"}`;
    expect(await read('a.json', `[${JSON.stringify(a)},\n${huge},\n${JSON.stringify(b)}]`)).toEqual([
      [1, a],
      `2: record: got a longer one: "{\\"text\\":\\"${'],'.repeat(25)}]…", allowed ${tooLong}`,
      [3, b],
    ]);
  });

  test('ends with an error where it is truncated, followed by something, or none', async () => {
    const cut = '2: record: got the end of the input, allowed the rest of the JSON array: it is truncated';
    expect(await end('a.json', `[${JSON.stringify(a)},\n{"b":`)).toEqual([cut]);
    expect(await end('a.json', `[${JSON.stringify(a)}\n`)).toEqual([cut]);
    expect(await end('a.json', '[{}]\n[{}]')).toEqual([
      '2: record: got "[{}]", allowed nothing after the JSON array',
    ]);
    expect(await end('a.json', '"a"')).toEqual([
      '1: record: got "\\"", allowed a JSON array, or one JSON object on each line',
    ]);
  });
});

describe('a response of REST', () => {
  const list = { data: [a, b], meta: { total: 2, page: 1, limit: 10, hasMore: false } };
  test.each([
    ['a.json', JSON.stringify(list)],
    ['-', JSON.stringify(list, null, 2)],
    ['a.json', `\n ${JSON.stringify({ data: [a, b], meta: { 'a"]': ['x'] } })}\n\n`],
    ['a.json', JSON.stringify({ data: [a, b] }, null, '\t')],
  ])('gives the records of its data: %s %j', async (name, content) => {
    for (const piece of [1, 7, 100_000]) {
      const items = await readAll(input(name, content, piece));
      expect(items.map((item) => 'value' in item && item.value)).toEqual([a, b]);
    }
  });

  test('gives each record under its line', async () => {
    expect(await read('a.json', `{\n"data":\n[\n${JSON.stringify(a)},\n\n${JSON.stringify(b)}]}`, 3)).toEqual(
      [
        [4, a],
        [6, b],
      ],
    );
  });

  test.each([
    ['a.json', JSON.stringify({ data: a })],
    ['-', JSON.stringify({ data: a }, null, 2)],
    ['a.ndjson', JSON.stringify({ data: a })],
    ['a.ndjson', JSON.stringify({ data: a, _errors: ['x'] })],
    ['a.json', JSON.stringify(a, null, 2)],
    ['a.json', JSON.stringify([{ data: a }])],
  ])('may be of one record: %s %j', async (name, content) => {
    expect(await read(name, content)).toEqual([[1, a]]);
  });

  test('of one record is rejected if it is not UTF-8', async () => {
    const bytes = Buffer.from('{\n"slug": "M\xfcnchen"\n}\n', 'latin1');
    expect(await read('a.json', bytes)).toEqual([
      '1: record: got "{\\n\\"slug\\": \\"M�nchen\\"\\n}\\n", allowed UTF-8; for a file of Excel on Windows, use --encoding windows-1252',
    ]);
  });

  test('has a line of its own for each detail', async () => {
    const text = ndjson({ data: a }, { data: b });
    expect(await read('-', text)).toEqual([
      [1, a],
      [2, b],
    ]);
  });

  test('is of any length', async () => {
    const records = Array.from({ length: 3_000 }, (_, index) => ({
      slug: `s${index}`,
      text: 'x'.repeat(1_000),
    }));
    expect(await read('a.json', JSON.stringify({ data: records, meta: {} }))).toHaveLength(3_000);
  });

  test('ends with an error where it is truncated or followed by something', async () => {
    const one = JSON.stringify({ data: [a], meta: {} });
    for (const cut of [one.slice(0, 20), one.slice(0, -3)]) {
      expect(await read('a.json', cut)).toEqual([
        expect.stringMatching(/this one is (truncated|not valid JSON)$/),
      ]);
    }
    const many = JSON.stringify({ data: Array.from({ length: 60_000 }, () => a), meta: {} });
    const rest = 'only the end of the object after its list of records; of several lists, --path names one';
    expect(await end('a.json', many.slice(0, -3))).toEqual([
      `1: record: got ",\\"meta\\":", allowed ${rest}`,
    ]);
    expect(await end('a.json', many.slice(0, -20))).toEqual([
      '1: record: got the end of the input, allowed the rest of the JSON array: it is truncated',
    ]);
    const long = `{"data":[${JSON.stringify(a)}],"meta":"${'x'.repeat(1_000_000)}"}`;
    expect(await end('a.json', long)).toEqual([expect.stringMatching(/^1: record: got ",\\"meta/)]);
    expect(await end('a.json', `${JSON.stringify(a, null, 1)}\n{}`)).toEqual([
      expect.stringMatching(
        /^1: file: got an object that begins with "\{\\n .+Åland .+", allowed a JSON array of/,
      ),
    ]);
  });
});

describe('records nested in another object', () => {
  const layouts =
    'a JSON array of records (as the whole input, or as the only list of an object; of several lists, --path names one), or one JSON object on each line';

  test('are refused with the layouts that are accepted', async () => {
    for (const value of [
      { items: [a], others: [b] },
      { status: 'ok', result: { items: [a, b] } },
      { data: { nodes: [a] } },
    ]) {
      for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
        const [item] = await readAll(input('a.json', text));
        const errors: InputError[] = [];
        createValidator()((item as { value: Record<string, unknown> }).value, 1, errors);
        expect(errors.map(reported)).toEqual([
          expect.stringMatching(
            /^1: record: got an object with \w+.*, allowed an object with the fields of a/,
          ),
        ]);
        expect(errors[0]?.allowed).toContain(layouts);
      }
    }
  });

  test('are refused without being read if they are long', async () => {
    const items = Array.from({ length: 3_000 }, () => ({ text: 'x'.repeat(1_000) }));
    for (const indent of [0, 2]) {
      expect(await end('a.json', JSON.stringify({ result: { items } }, null, indent))).toEqual([
        expect.stringMatching(
          /^1: file: got an object that begins with "\{.*items.*…", allowed a JSON array/,
        ),
      ]);
    }
  });

  test('are no matter if each line is a record', async () => {
    const odd = { slug: 'a', tags: [{ x: 1 }] };
    expect(await read('-', ndjson(odd, odd))).toEqual([
      [1, odd],
      [2, odd],
    ]);
    expect(await read('a.json', `{"slug":\n${ndjson(b)}`)).toEqual([
      '1: record: got "{\\"slug\\":", allowed a JSON object on one line: this one is truncated',
      [2, b],
    ]);
  });

  test('survive any depth', async () => {
    const deep = `{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}`;
    expect(await read('a.json', deep)).toHaveLength(1);
  });
});

const header =
  'name,slug,paymentProvider,revenue.last30Days,revenue.mrr,revenue.total,customers,activeSubscriptions,onSale';

describe('CSV', () => {
  const plain = {
    name: 'A',
    slug: 'a',
    paymentProvider: 'stripe',
    'revenue.last30Days': 1,
    'revenue.mrr': 2,
    'revenue.total': 3,
    customers: 4,
    activeSubscriptions: 5,
    onSale: true,
  };

  test('reads numbers, booleans, quoted cells and empty ones by their fields', async () => {
    const text = [
      `${header},growth30d,description,teamSize,rank`,
      'A,a,stripe,1,2,3,4,5,TRUE,-2.5e1,"one, ""two""\r\nthree",51+,7\r',
      '',
      '"A",a,"stripe",1,2,3,4,5,true,,"",1,',
    ].join('\n');
    expect(await read('a.csv', text, 5)).toEqual([
      [2, { ...plain, growth30d: -25, description: 'one, "two"\r\nthree', teamSize: '51+' }],
      [5, { ...plain, growth30d: null, description: null, teamSize: '1' }],
    ]);
  });

  test.each([
    ['a sep= line', `sep=;\r\n${header}\nA,a,stripe,1,2,3,4,5,true`, 3],
    ['a quoted sep= line', `"sep=;"\n${header}\nA,a,stripe,1,2,3,4,5,true`, 3],
    [
      'title rows',
      `Startups of May, all\n\n"name; of the export",,,\n${header}\nA,a,stripe,1,2,3,4,5,true`,
      5,
    ],
    ['empty rows at the end', `${header}\nA,a,stripe,1,2,3,4,5,true\n,,,,,,,,\n"",\n,,,,,,,,\n`, 2],
  ])('is read with %s', async (_name, text, line) => {
    const semicolons = text.replace(/,(?! )/g, ';');
    for (const [content, piece] of [
      [semicolons, 1],
      [semicolons, 1_000],
      ...(text.startsWith('sep') || text.startsWith('"sep') ? [] : [[text, 7] as const]),
    ] as const) {
      expect(await read('a.csv', content, piece)).toEqual([[line, plain]]);
    }
  });

  test('takes the header of a file whose header has commas in its names only if they are the separator', async () => {
    const rows = `${header.replaceAll(',', ';')};description\nA;a;stripe;1;2;3;4;5;true;a,b,c,d,e,f,g,h,i,j,k,l\n`;
    expect(await read('a.csv', rows)).toEqual([[2, { ...plain, description: 'a,b,c,d,e,f,g,h,i,j,k,l' }]]);
  });

  test('reports the first row where no header follows', async () => {
    const many = 'a,b\n'.repeat(30);
    for (const text of ['a,b\nc,d\n', many]) {
      const errors = await end('a.csv', `Title\n${text}`);
      expect(errors[0]).toMatch(/^1: header: got "Title", allowed only known fields/);
    }
  });

  test('leaves cells that are not a number or boolean as text, which the validation rejects', async () => {
    const [row] = (await read('a.csv', `${header}\nA,a,stripe,0x1, 2,+3,1e999,05,maybe`)) as [
      number,
      object,
    ][];
    expect(row?.[1]).toEqual({
      ...plain,
      'revenue.last30Days': '0x1',
      'revenue.mrr': 2,
      'revenue.total': '+3',
      customers: Number.POSITIVE_INFINITY,
      activeSubscriptions: '05',
      onSale: 'maybe',
    });
  });

  test('reads the words for yes and no of English and German spreadsheets', async () => {
    const words = ['true', 'Yes', 'y', 'WAHR', 'ja', 'FALSE', 'no', 'N', 'falsch', 'Nein'];
    const lines = words.map((word) => `A,a,stripe,1,2,3,4,5,${word}`).join('\n');
    const rows = (await read('a.csv', `${header}\n${lines}`)) as [number, { onSale: unknown }][];
    expect(rows.map(([, { onSale }]) => onSale)).toEqual(words.map((_, at) => at < 5));
  });

  test('reports all errors of its header', async () => {
    expect(
      await end('a.csv', 'name,slug,slug,revenue,curstomers,onSale,revenue.mrr,revenue.total\n'),
    ).toEqual([
      '1: header: got "slug", allowed each field once',
      '1: header: got "revenue", allowed only known fields, separated by commas, semicolons or tabs',
      '1: header: got "curstomers", allowed only known fields, separated by commas, semicolons or tabs; did you mean "customers"?',
      '1: header: got no paymentProvider, revenue.last30Days, customers, activeSubscriptions, allowed a header with every required field; to set a field that no column has, add --default paymentProvider=…',
    ]);
  });

  test('reports rows with stray quotes, too few or too many cells, and continues', async () => {
    const good = 'A,a,stripe,1,2,3,4,5,true';
    const text = [header, 'A 5" disk,a', '"A"b,a', 'A,a', `${good},`, good].join('\n');
    expect(await read('a.csv', text)).toEqual([
      `2: record: got "A 5\\" disk,a", allowed ${quotes}`,
      `3: record: got "\\"A\\"b,a", allowed ${quotes}`,
      '4: record: got 2 cells, allowed 9 cells',
      '5: record: got 10 cells, allowed 9 cells; text with a comma needs quotes, and a number needs a decimal point',
      [6, plain],
    ]);
  });

  test('ends with an error at an unclosed quoted cell', async () => {
    const lines = `${header}\n"A,a,stripe\nB,b`;
    const error = `2: record: got a quote that is never closed, in "\\"A,a,stripe", allowed ${quotes}`;
    expect(await end('a.csv', lines)).toEqual([error]);
    expect(await end('a.csv', `${lines}\n${'x,\n'.repeat(MAX_RECORD_BYTES)}`)).toEqual([error]);
    // A cell of several lines before it.
    expect(await end('a.csv', `${header}\n"A\nA",a,"stripe\nB,b`)).toEqual([
      `3: record: got a quote that is never closed, in "A\\",a,\\"stripe", allowed ${quotes}`,
    ]);
  });

  test('names the line of an unclosed quote in the header', async () => {
    const text = 'name,"slug,paymentProvider\n';
    expect(await end('a.csv', `${text}A,a,stripe\nB,b\n`)).toEqual([
      `1: record: got a quote that is never closed, in "name,\\"slug,paymentProvider", allowed ${quotes}`,
    ]);
    expect(await end('a.csv', `${text}"A,a,stripe\nB,"b"\n`)).toEqual([
      `1: record: got "\\"A,a,stripe", allowed ${quotes}; is the quote that was opened in line 1 closed?`,
    ]);
  });

  test('says that a header is missing, above cells of several lines too', async () => {
    expect(await end('a.csv', 'Company,Text\n"A\nA",a\n')).toEqual(await end('a.csv', 'Company,Text\nA,a\n'));
  });

  test('names the line of an unclosed quote that joins rows', async () => {
    const good = 'A,a,stripe,1,2,3,4,5,true';
    const fix = 'is the quote that was opened in line 2 closed?';
    expect(await read('a.csv', [header, '"B,b', 'C,"c"', good].join('\n'))).toEqual([
      `2: record: got "C,\\"c\\"", allowed ${quotes}; ${fix}`,
      [4, plain],
    ]);
    expect(await read('a.csv', [header, '"B,b', 'C,c",d', good].join('\n'))).toEqual([
      `2: record: got 2 cells, allowed 9 cells; ${fix}`,
      [4, plain],
    ]);
  });

  test('reports lines that are not UTF-8', async () => {
    const bytes = Buffer.from(`${header}\nM\xfcnchen,a,stripe,1,2,3,4,5,true\n`, 'latin1');
    expect(await read('a.csv', bytes)).toEqual([
      '2: record: got "M�nchen,a,stripe,1,2,3,4,5,true", allowed UTF-8; for a file of Excel on Windows, use --encoding windows-1252',
    ]);
  });

  test.each([
    ['semicolons', ';'],
    ['tabs', '\t'],
  ])('is recognized when it is separated by %s', async (_name, separator) => {
    const text = [
      `${header},description`,
      `A,a,stripe,1,2,3,4,5,true,"one, two; ${separator}three"`,
      `A,a,stripe,1,2,3,4,5,true`,
    ].map((line) => line.replace(/,(?! )/g, separator));
    for (const name of ['a.csv', 'a.tsv', '-']) {
      expect(await read(name, text.join('\n'))).toEqual([
        [2, { ...plain, description: `one, two; ${separator}three` }],
        '3: record: got 9 cells, allowed 10 cells',
      ]);
    }
  });

  test.each([
    ['revenue_mrr', 'revenue.mrr'],
    ['Asking Price', 'askingPrice'],
    ['price', 'askingPrice'],
    ['provider', 'paymentProvider'],
    ['growth', undefined],
    ['ip', undefined],
  ])('suggests for the unknown column %s the field %s', async (name, field) => {
    const suggestion = field === undefined ? '' : `; did you mean "${field}"?`;
    const [error] = await end('a.csv', `${name}\n`);
    expect(error).toBe(
      `1: header: got "${name}", allowed only known fields, separated by commas, semicolons or tabs${suggestion}`,
    );
  });

  test('reads any text that is quoted as in RFC 4180', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', 'é', ' ') });
    await fc.assert(
      fc.asyncProperty(
        fc.array(cell, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 20 }),
        async (cells, piece) => {
          const rows = cells.map((text) => `"${text.replaceAll('"', '""')}",a,stripe,1,2,3,4,5,true`);
          const items = await readAll(input('a.csv', [header, ...rows].join('\r\n'), piece));
          expect(items.map((item) => 'value' in item && item.value.name)).toEqual(
            cells.map((text) => text || null),
          );
        },
      ),
    );
  });
});

describe('hostile and broken inputs', () => {
  test('truncated or damaged gzip data is an error with the line reached', async () => {
    const packed = gzipSync(
      ndjson(...Array.from({ length: 5000 }, (_, index) => ({ slug: `s${index * 7919}` }))),
    );
    const [cut] = await end('a.ndjson.gz', packed.subarray(0, packed.length - 20));
    expect(cut).toMatch(/^[\d]{3,}: file: got truncated gzip data, allowed complete gzip data$/);
    const damaged = Buffer.from(packed);
    damaged.fill(0x55, packed.length / 2, packed.length / 2 + 50);
    expect((await end('a.ndjson.gz', damaged))[0]).toMatch(/: file: got damaged gzip data, allowed complete/);
  });

  test('a gzip bomb is rejected, with one line or many', async () => {
    const zeros = gzipSync(Buffer.alloc(64 * MAX_RECORD_BYTES));
    expect((await end('-', zeros))[0]).toMatch(
      /^1: record: got .* without an end, allowed a record of at most/,
    );
    const blanks = gzipSync(Buffer.alloc(128 * MAX_RECORD_BYTES, `${' '.repeat(50_000)}\n`));
    expect((await end('-', blanks))[0]).toMatch(
      /: file: got gzip data that expands to more than 200 times its size, allowed gzip/,
    );
  });

  test('binary data causes errors, never a crash', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 2000 }),
        fc.constantFrom('-', 'a.json', 'a.csv', 'a.ndjson'),
        async (bytes, name) => {
          const items = await readAll(input(name, bytes)).catch((error: unknown) => error);
          expect(Array.isArray(items) || items instanceof UnreadableInput).toBe(true);
        },
      ),
    );
  });

  test('a source that fails is reported by its name', async () => {
    const failing = (name: string) => ({
      name,
      open: () =>
        Readable.from(
          (async function* (): AsyncGenerator<Buffer> {
            yield Buffer.from('{"a":1}\n');
            throw Object.assign(new Error('no'), { code: 'EIO' });
          })(),
        ),
    });
    await expect(readAll(failing('a.ndjson'))).rejects.toThrow(
      new OperatorError('Cannot read a.ndjson (EIO).'),
    );
    await expect(readAll(failing('-'))).rejects.toThrow('Cannot read <stdin> (EIO).');
  });

  test('a silent source is abandoned at once after a stop', async () => {
    const stop = new AbortController();
    const silent = silentAfter(ndjson(a), () => stop.abort());
    const reading = readAll({ name: '-', open: () => silent }, { signal: stop.signal });
    await expect(reading).rejects.toThrow('This operation was aborted');
    expect(silent.destroyed).toBe(true);
  });

  test('a silent gzip source is abandoned at once too', async () => {
    const stop = new AbortController();
    const silent = silentAfter(gzipSync(ndjson(a)).subarray(0, 12), () => stop.abort());
    const reading = readAll({ name: '-', open: () => silent }, { signal: stop.signal });
    await expect(reading).rejects.toThrow('This operation was aborted');
  });
});

/** A source that never ends, and how much of it was taken. */
function endless(piece: Buffer): { source: Readable; taken: () => number } {
  let taken = 0;
  function* pieces(): Generator<Buffer> {
    for (;;) {
      taken += piece.length;
      yield piece;
    }
  }
  return { taken: () => taken, source: Readable.from(pieces()) };
}
