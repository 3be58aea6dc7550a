import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OperatorError } from '../../../src/lib/errors.ts';
import { createFieldNames } from '../../../src/startups/import/columns/field-names.ts';
import { standardFields } from '../../../src/startups/import/columns/import-fields.ts';
import { openTable } from '../../../src/startups/import/rows/csv-rows.ts';
import { type InputError, UnreadableInput } from '../../../src/startups/import/rows/errors.ts';
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
async function end(name: string, content: string | Uint8Array): Promise<string[]> {
  const error = await read(name, content).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnreadableInput);
  return (error as UnreadableInput).errors.map(reported);
}

const quotes = 'the whole cell in quotes, and each quote inside it doubled';
const toUtf8 = 'UTF-8; for a file of Excel on Windows, use --encoding windows-1252';
const tooLong = `a record of at most ${MAX_RECORD_BYTES.toLocaleString('en')} bytes`;

const header =
  'name,slug,paymentProvider,revenue.last30Days,revenue.mrr,revenue.total,customers,activeSubscriptions,onSale';
const good = 'A,a,stripe,1,2,3,4,5,true';
const plain = {
  name: 'A',
  slug: 'a',
  paymentProvider: 'stripe',
  customers: 4,
  activeSubscriptions: 5,
  onSale: true,
  'revenue.last30Days': 1,
  'revenue.mrr': 2,
  'revenue.total': 3,
};

describe('the format', () => {
  const list = JSON.stringify([a, b], null, 1);
  const response = { data: [a, b], meta: { total: 2, page: 1, limit: 10, 'a"]': ['x'] } };
  test.each([
    ['a.ndjson', ndjson(a, b)],
    ['A.JSONL', ndjson(a, b)],
    ['a.json', ndjson(a, b)],
    ['-', `\ufeff${ndjson(a, b)}`],
    ['data', `\n\n ${ndjson(a, b)}`.trimEnd()],
    ['a.txt', ndjson(a, b).replaceAll('\n', '\r\n')],
    ['a.json', list],
    ['a.json', JSON.stringify([a, b])],
    ['-', `\ufeff\n\t${list}\n`],
    ['a.json', JSON.stringify(response)],
    ['-', ` \n${JSON.stringify(response, null, '\t')}\n\n`],
  ])('is known by extension, else by content: %s %j', async (name, content) => {
    for (const bytes of [Buffer.from(content), gzipSync(content)]) {
      for (const piece of [1, 7, 100_000]) {
        const items = await readAll(input(name, bytes, piece));
        expect(items.map((item) => 'value' in item && item.value)).toEqual([a, b]);
      }
    }
  });

  test('is the extension before .gz, and gzip is known by its bytes alone, of several members too', async () => {
    const csv = `${header}\n${good}\n`;
    for (const name of ['a.csv', 'a.CSV.GZ', 'a', '-']) {
      expect(await read(name, gzipSync(csv))).toEqual([[2, plain]]);
      expect(await read(name, csv)).toEqual([[2, plain]]);
    }
    const members = Buffer.concat([gzipSync(ndjson(a)), gzipSync(ndjson(b))]);
    expect((await read('a.gz', members)).length).toBe(2);
  });

  const saveAs = '; in Excel, save it as "CSV UTF-8"';
  test.each([
    ['UTF-16 text', Buffer.from(`\ufeff${ndjson(a)}`, 'utf16le'), saveAs],
    ['an Excel workbook or a ZIP archive', Buffer.from('PK\x03\x04rest'), saveAs],
    ['Zstandard data', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0]), ''],
  ])('is refused for %s, plain or inside gzip', async (kind, bytes, fix) => {
    const message = `1: file: got ${kind}, allowed NDJSON, a JSON array or CSV in UTF-8, plain or gzip${fix}`;
    expect(await end('a.ndjson', bytes)).toEqual([message]);
    expect(await end('-', gzipSync(bytes))).toEqual([message]);
  });
});

describe('records', () => {
  const oneLine = 'a JSON object on one line';
  const huge = (text: string): string => `{"text":"${text.repeat(MAX_RECORD_BYTES / text.length)}"}`;
  const whole = 'x'.repeat(MAX_RECORD_BYTES - '{"text":""}'.length);
  const long = Array.from({ length: 3_000 }, (_, index) => ({ slug: `s${index}`, text: 'x'.repeat(1_000) }));
  const odd = { slug: 'a', tags: [{ x: 1 }] };
  const deep = `{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}`;
  const spread = Buffer.from('{\n"slug": "M\xfcnchen"\n}\n', 'latin1');
  test.each<[title: string, name: string, content: string | Buffer, ...items: unknown[]]>([
    ['blank lines of NDJSON are counted', 'a.ndjson', `\n \r\n${ndjson(a)}\n${ndjson(b)}`, [3, a], [5, b]],
    [
      'lines that are no JSON objects are reported, and reading continues',
      'a.ndjson',
      `${ndjson(a)}{"slug":\n[1]\n42\nnull\n{"a":1} {"b":2}\n${ndjson(b)}{"slug":"c`,
      [1, a],
      `2: record: got "{\\"slug\\":", allowed ${oneLine}: this one is truncated`,
      `3: record: got […], allowed ${oneLine}`,
      `4: record: got 42, allowed ${oneLine}`,
      `5: record: got null, allowed ${oneLine}`,
      `6: record: got "{\\"a\\":1} {\\"b\\":2}", allowed ${oneLine}: this one is not valid JSON`,
      [7, b],
      `8: record: got "{\\"slug\\":\\"c", allowed ${oneLine}: this one is truncated`,
    ],
    [
      'lines that are not UTF-8 or contain NUL bytes are reported',
      'a.ndjson',
      Buffer.concat([
        Buffer.from(ndjson(a)),
        Buffer.from('{"text":"M\xfcnchen"}\n{"text":"\0"}\n', 'latin1'),
        Buffer.from(ndjson(b)),
        Buffer.from([0xe2, 0x82]),
      ]),
      [1, a],
      `2: record: got "{\\"text\\":\\"M�nchen\\"}", allowed ${toUtf8}`,
      '3: record: got "{\\"text\\":\\"\\u0000\\"}", allowed text without NUL bytes',
      [4, b],
      '5: record: got "�", allowed UTF-8; the file seems to be cut: it ends within a character',
    ],
    ['a document that is not UTF-8 is too', 'a.json', spread, expect.stringContaining(toUtf8)],
    [
      'a line that is too long is reported',
      'a.ndjson',
      `${ndjson(a)}${huge('x')}\n${ndjson(b)}`,
      [1, a],
      `2: record: got a longer one: "{\\"text\\":\\"${'x'.repeat(51)}…", allowed ${tooLong}`,
      [3, b],
    ],
    ['one just within the limit is read', 'a.ndjson', `{"text":"${whole}"}`, [1, { text: whole }]],
    [
      'elements of an array have the line on which they begin',
      'a.json',
      `[\n${JSON.stringify(a, null, 2)},\n\n ${JSON.stringify(b)} ]\n\n`,
      [2, a],
      [7, b],
    ],
    ['an array may be empty', 'a.json', ' [\n] '],
    [
      'elements that are no objects, and missing or superfluous commas, are reported',
      'a.json',
      `[1, "a]", [{}],\n{"a":1} {"b":2},,{"a"},\n${JSON.stringify(b)},]`,
      '1: record: got 1, allowed a JSON object',
      '1: record: got "a]", allowed a JSON object',
      '1: record: got […], allowed a JSON object',
      '2: record: got "{\\"a\\":1} {\\"b\\":2}", allowed a JSON object: this one is not valid JSON',
      '2: record: got nothing, allowed a JSON object',
      '2: record: got "{\\"a\\"}", allowed a JSON object: this one is not valid JSON',
      [3, b],
      '3: record: got nothing, allowed a JSON object',
    ],
    [
      'an element that is too long is reported',
      'a.json',
      `[${JSON.stringify(a)},\n${huge('],')},\n${JSON.stringify(b)}]`,
      [1, a],
      expect.stringMatching(/^2: record: got a longer one: "\{\\"text\\":\\"\],/),
      [3, b],
    ],
    [
      'those of a list in an object have their lines too',
      'a.json',
      `{\n"data":\n[\n${JSON.stringify(a)},\n\n${JSON.stringify(b)}]}`,
      [4, a],
      [6, b],
    ],
    ['a document may be one response', '-', JSON.stringify({ data: a }, null, 2), [1, a]],
    ['or one record', 'a.json', JSON.stringify(a, null, 2), [1, a]],
    ['an element may be a response', 'a.json', JSON.stringify([{ data: a }]), [1, a]],
    ['and so may a line', '-', ndjson({ data: a }, { data: b, _errors: ['x'] }), [1, a], [2, b]],
    ['a list in a record of a line is a value', '-', ndjson(odd, odd), [1, odd], [2, odd]],
    [
      'the first line may be invalid',
      'a.json',
      `{"slug":\n${ndjson(b)}`,
      `1: record: got "{\\"slug\\":", allowed ${oneLine}: this one is truncated`,
      [2, b],
    ],
    [
      'a list may be long',
      'a.json',
      JSON.stringify({ data: long, meta: {} }),
      ...long.map((one) => [1, one]),
    ],
    ['a value may have any depth', 'a.json', deep, expect.anything()],
  ])('%s', async (_title, name, content, ...items) => {
    for (const piece of content.length > 10_000 ? [64 * 1024] : [1, 7, 1_000]) {
      expect(await read(name, content, piece)).toEqual(items);
    }
  });

  const one = JSON.stringify({ data: [a], meta: {} });
  const many = JSON.stringify({ data: Array.from({ length: 60_000 }, () => a), meta: {} });
  const rest = 'only the end of the object after its list of records; of several lists, --path names one';
  const cut = 'record: got the end of the input, allowed the rest of the JSON array: it is truncated';
  test.each<[title: string, content: string, errors: unknown]>([
    ['truncated in an element', `[${JSON.stringify(a)},\n{"b":`, `2: ${cut}`],
    ['truncated after one', `[${JSON.stringify(a)}\n`, `2: ${cut}`],
    ['followed by another', '[{}]\n[{}]', '2: record: got "[{}]", allowed nothing after the JSON array'],
    ['no array', '"a"', '1: record: got "\\"", allowed a JSON array, or one JSON object on each line'],
    ['a list whose object is truncated', many.slice(0, -3), `1: record: got ",\\"meta\\":", allowed ${rest}`],
    ['a truncated list', many.slice(0, -20), `1: ${cut}`],
    [
      'a list in an object that continues',
      one.replace('{}', `"${'x'.repeat(1_000_000)}"`),
      expect.stringMatching(/^1: record: got ",\\"meta/),
    ],
    [
      'an object that is followed by something',
      `${JSON.stringify(a, null, 1)}\n{}`,
      expect.stringMatching(
        /^1: file: got an object that begins with "\{\\n .+Åland .+", allowed a JSON array of/,
      ),
    ],
    [
      'a long object in an object, which is not read',
      JSON.stringify({ result: { items: long } }, null, 2),
      expect.stringMatching(/^1: file: got an object that begins with "\{.*items.*…", allowed a JSON array/),
    ],
  ])('end with an error: %s', async (_title, content, error) => {
    expect(await end('a.json', content)).toEqual([error]);
  });

  test.each([
    { items: [a], others: [b] },
    { status: 'ok', result: { items: [a, b] } },
    { data: { nodes: [a] } },
  ])('in an object of another layout are refused with the layouts that are accepted: %#', async (value) => {
    const [item] = await readAll(input('a.json', JSON.stringify(value, null, 2)));
    const errors: InputError[] = [];
    createValidator(createFieldNames(standardFields))(
      (item as { value: Record<string, unknown> }).value,
      1,
      errors,
    );
    expect(errors.map(reported)).toEqual([
      expect.stringMatching(
        /^1: record: got an object with \w+.*, allowed an object with the fields of a.+--path/,
      ),
    ]);
  });
});

describe('CSV', () => {
  const semicolons = (text: string): string => text.replace(/,(?! )/g, ';');
  const bars = (text: string): string => text.replace(/,(?! )/g, '|');
  const tabs = (text: string): string => text.replace(/,(?! )/g, '\t');
  const described = `${header},description\n${good},"one, two; ;\tthree"\n${good}`;
  const both = [
    [2, { ...plain, description: 'one, two; ;\tthree' }],
    '3: record: got 9 cells, allowed 10 cells',
  ];
  const titles = `Startups of May, all\n\n"name; of the export",,,\n${header}\n${good}`;
  const closed = (line: number) => `is the quote that was opened in line ${line} closed?`;
  const words = ['true', 'Yes', 'y', 'WAHR', 'ja', 'FALSE', 'no', 'N', 'falsch', 'Nein'];
  const noNumbers = { 'revenue.last30Days': '0x1', 'revenue.total': '+3', activeSubscriptions: '05' };
  const letters = 'a,b,c,d,e,f,g,h,i,j,k,l';
  test.each<[title: string, content: string | Buffer, ...items: unknown[]]>([
    [
      'numbers, booleans, quoted cells and empty ones are read by their fields',
      [
        `${header},growth30d,description,teamSize,rank`,
        'A,a,stripe,1,2,3,4,5,TRUE,-2.5e1,"one, ""two""\r\nthree",51+,7\r',
        '',
        '"A",a,"stripe",1,2,3,4,5,true,,"",1,',
      ].join('\n'),
      [2, { ...plain, growth30d: -25, description: 'one, "two"\r\nthree', teamSize: '51+' }],
      [5, { ...plain, teamSize: '1' }],
    ],
    ['cells may be separated by semicolons', semicolons(described), ...both],
    ['cells may be separated by bars', bars(described), ...both],
    [
      'bars inside of cells separate none',
      `${header},description\n${good},${letters.replaceAll(',', '|').repeat(3)}\n`,
      [2, { ...plain, description: letters.replaceAll(',', '|').repeat(3) }],
    ],
    ['a sep= line of bars is skipped', bars(`sep=,\r\n${header}\n${good}`), [3, plain]],
    ['or by tabs', tabs(described), ...both],
    ['a sep= line is skipped', semicolons(`sep=,\r\n${header}\n${good}`), [3, plain]],
    ['title rows are skipped', titles, [5, plain]],
    ['with another separator too', semicolons(titles), [5, plain]],
    ['empty rows are left out', `${header}\n${good}\n,,,,,,,,\n"",\n,,,,,,,,\n`, [2, plain]],
    [
      'the header decides the separator, whatever the rows have',
      `${semicolons(`${header},description\n${good},`)}${letters}\n`,
      [2, { ...plain, description: letters }],
    ],
    [
      'cells that are no number or boolean stay text, which the validation rejects',
      `${header}\nA,a,stripe,0x1, 2,+3,1e999,05,maybe`,
      [2, { ...plain, ...noNumbers, customers: Number.POSITIVE_INFINITY, onSale: 'maybe' }],
    ],
    [
      'the words for yes and no of English and German spreadsheets are known',
      [header, ...words.map((word) => `A,a,stripe,1,2,3,4,5,${word}`)].join('\n'),
      ...words.map((_, at) => [at + 2, { ...plain, onSale: at < 5 }]),
    ],
    [
      'rows with stray quotes, too few or too many cells are reported, and reading continues',
      [header, 'A 5" disk,a', '"A"b,a', 'A,a', `${good},`, good].join('\n'),
      `2: record: got "A 5\\" disk,a", allowed ${quotes}`,
      `3: record: got "\\"A\\"b,a", allowed ${quotes}`,
      '4: record: got 2 cells, allowed 9 cells',
      '5: record: got 10 cells, allowed 9 cells; text with a comma needs quotes, and a number needs a decimal point',
      [6, plain],
    ],
    [
      'the line of an unclosed quote that joins rows is named, where a later quote is misplaced or cells are missing',
      [header, '"B,b', 'C,"c"', good, '"B,b', 'C,c",d', good].join('\n'),
      `2: record: got "C,\\"c\\"", allowed ${quotes}; ${closed(2)}`,
      [4, plain],
      `5: record: got 2 cells, allowed 9 cells; ${closed(5)}`,
      [7, plain],
    ],
    [
      'lines that are not UTF-8 are reported',
      Buffer.from(`${header}\nM\xfcnchen,a,stripe,1,2,3,4,5,true\n`, 'latin1'),
      `2: record: got "M�nchen,a,stripe,1,2,3,4,5,true", allowed ${toUtf8}`,
    ],
  ])('%s', async (_title, content, ...items) => {
    for (const piece of [1, 7, 1_000]) {
      expect(await read('a.csv', content, piece)).toEqual(items);
    }
  });

  const known = 'allowed only known fields, separated by commas, semicolons, tabs or bars (|)';
  const required =
    'allowed a header with every required field; to set a field that no column has, add --default';
  const unclosed = `2: record: got a quote that is never closed, in "\\"A,a,stripe", allowed ${quotes}`;
  const asks = (name: string, field?: string): [string, string, ...unknown[]] => [
    `the unknown column ${name}`,
    `${name}\n`,
    `1: header: got "${name}", ${known}${field ? `; did you mean "${field}"?` : ''}`,
    expect.anything(),
  ];
  test.each<[title: string, content: string, ...errors: unknown[]]>([
    asks('Asking Price', 'askingPrice'),
    asks('growth'),
    [
      'all errors of a header',
      'name,slug,slug,revenue,curstomers,onSale,revenue.mrr,revenue.total\n',
      ...['slug #2', 'slug #3'].map(
        (one) =>
          `1: header: got "${one}", allowed each field once; say what it is: --map "${one}=slug", or nothing after = to leave it out`,
      ),
      `1: header: got "revenue", ${known}`,
      `1: header: got "curstomers", ${known}; did you mean "customers"?`,
      `1: header: got no paymentProvider, revenue.last30Days, customers, activeSubscriptions, ${required} paymentProvider=…`,
    ],
    [
      'the first row with most cells where no header follows',
      `Title\n${'a,b\n'.repeat(30)}`,
      `2: header: got "a", ${known}`,
      expect.anything(),
      expect.anything(),
    ],
    [
      'a header that is missing above cells of several lines',
      'Company\n"A\nA"\n',
      `1: header: got "Company", ${known}`,
      expect.anything(),
    ],
    ['an unclosed cell', `${header}\n"A,a,stripe\nB,b`, unclosed],
    [
      'a cell that is closed after more than a record may have',
      `${header}\n"A,a,stripe\nB,b\n${'x,\n'.repeat(MAX_RECORD_BYTES)}"`,
      unclosed,
    ],
    [
      'one after a cell of several lines',
      `${header}\n"A\nA",a,"stripe\nB,b`,
      `3: record: got a quote that is never closed, in "A\\",a,\\"stripe", allowed ${quotes}`,
    ],
    [
      'one in the header',
      'name,"slug,paymentProvider\nA,a,stripe\nB,b\n',
      `1: record: got a quote that is never closed, in "name,\\"slug,paymentProvider", allowed ${quotes}`,
    ],
    [
      'one in the header that a later quote closes',
      'name,"slug,paymentProvider\n"A,a,stripe\nB,"b"\n',
      `1: record: got "\\"A,a,stripe", allowed ${quotes}; ${closed(1)}`,
    ],
  ])('ends with an error: %s', async (_title, content, ...errors) => {
    expect(await end('a.csv', content)).toEqual(errors);
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
            cells.map((text) => text || undefined),
          );
        },
      ),
    );
  });
});

describe('hostile and broken inputs', () => {
  test('truncated or damaged gzip data is an error with the line reached', async () => {
    const packed = gzipSync(ndjson(...Array.from({ length: 5000 }, (_, at) => ({ slug: `s${at * 7919}` }))));
    const damaged = Buffer.from(packed).fill(0x55, packed.length / 2, packed.length / 2 + 50);
    for (const [what, bytes] of Object.entries({ truncated: packed.subarray(0, -20), damaged })) {
      const error = new RegExp(`^\\d{3,}: file: got ${what} gzip data, allowed complete gzip data`);
      expect(await end('a.ndjson.gz', bytes)).toEqual([expect.stringMatching(error)]);
    }
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
    async function* pieces(): AsyncGenerator<Buffer> {
      yield Buffer.from('{"a":1}\n');
      throw Object.assign(new Error('no'), { code: 'EIO' });
    }
    const reading = readAll({ name: '-', open: () => Readable.from(pieces()) });
    await expect(reading).rejects.toThrow(new OperatorError('Cannot read <stdin> (EIO).'));
  });

  test.each([
    ['', ndjson(a)],
    ['gzip ', gzipSync(ndjson(a)).subarray(0, 12)],
  ])('a silent %ssource is abandoned at once after a stop', async (_kind, content) => {
    const stop = new AbortController();
    const silent = silentAfter(content, () => stop.abort());
    const reading = readAll({ name: '-', open: () => silent }, { signal: stop.signal });
    await expect(reading).rejects.toThrow('This operation was aborted');
    expect(silent.destroyed).toBe(true);
  });

  test('a line without an end is given up', async () => {
    let taken = 0;
    function* pieces(): Generator<Buffer> {
      for (const piece = Buffer.alloc(64 * 1024, 'x'); ; taken += piece.length) {
        yield piece;
      }
    }
    const reading = readAll({ name: 'a.ndjson', open: () => Readable.from(pieces()) });
    const failure = (await reading.catch((error: unknown) => error)) as UnreadableInput;
    expect(failure.errors.map(reported)).toEqual([
      `1: record: got "${'x'.repeat(60)}…" without an end, allowed ${tooLong}`,
    ]);
    expect(taken).toBeLessThan(20 * MAX_RECORD_BYTES);
  });
});

test('a table is opened at its header, and what follows is read when it is asked for', async () => {
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
