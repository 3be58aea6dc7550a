import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorMessage, type InputError } from '../../../src/startups/import/errors.ts';
import { createValidator, findSlug } from '../../../src/startups/import/values/validate.ts';
import { storedStartupFields } from '../../../src/startups/model/fields.ts';
import { categories, paymentProviders } from '../../../src/startups/model/vocabulary.ts';
import { sampleStartups } from '../../../src/startups/sample/sample.ts';
import { record } from './inputs.ts';

const validateRecord = createValidator();

/** The messages for a record, as they are told. */
function errorsOf(value: Record<string, unknown>): string[] {
  const errors: InputError[] = [];
  const row = validateRecord(value, 3, errors);
  expect(row === undefined).toBe(errors.length > 0);
  return errors.map((error) => errorMessage('a.ndjson', error));
}

/** The stored value of one field. */
function stored(path: string, value: Record<string, unknown>): unknown {
  return validateRecord(value, 1, [])?.[storedStartupFields.findIndex((field) => field.path === path)];
}

const date =
  'a date of the years 1 to 9999 (2024-05-01) or a date-time with its offset (2024-05-01T12:00:00Z), ISO 8601, or null';
const as = (day: string) => `${date}; write ${day}, or give its column the notation date`;
const country = 'an ISO 3166-1 alpha-2 code such as DE, or the name in English, German or French, or null';
const url = 'an http or https URL of at most 2048 characters, or null';
const count = 'an integer from 0 to 2147483647';
const cents = 'an integer number of cents from 0 to 9007199254740991';
const name = 'text of 1 to 200 characters, without NUL or lone surrogates';
const slug = 'lower-case letters and digits in words joined by single dashes, at most 100';
const handle = '1 to 30 letters, digits and underscores, without @, or null';
const list = 'a list of at most 50 values without commas, each ';
const technologies = `${list}a text of 1 to 100 characters`;
const detail = 'text of 0 to 1000 characters, without NUL or lone surrogates, or null';

describe('the validation of a record', () => {
  test.each<[field: string, value: unknown, got: string, allowed: string]>([
    ['name', undefined, 'nothing', name],
    ['name', null, 'null', name],
    ['name', '', '""', name],
    ['name', 'x'.repeat(201), `"${'x'.repeat(60)}…"`, name],
    ['name', 'a\0b', '"a\\u0000b"', name],
    ['name', 'a\ud800b', '"a\\ud800b"', name],
    ['name', 7, '7', name],
    ['slug', 'Orbit', '"Orbit"', slug],
    ['slug', 'a--b', '"a--b"', slug],
    ['slug', '-a', '"-a"', slug],
    ['slug', 'a\n', '"a\\n"', slug],
    ['slug', 'a'.repeat(101), `"${'a'.repeat(60)}…"`, slug],
    ['description', ['x'], '[…]', 'text of 0 to 5000 characters, without NUL or lone surrogates, or null'],
    ['website', 'javascript:alert(1)', '"javascript:alert(1)"', url],
    ['website', 'ftp://a.example', '"ftp://a.example"', url],
    ['website', 'a.example', '"a.example"', url],
    ['website', 'https:a.example', '"https:a.example"', url],
    ['website', 'http://', '"http://"', url],
    ['website', ' https://a.example', '" https://a.example"', url],
    ['website', 'https://a.example/a b', '"https://a.example/a b"', url],
    ['website', 'https://a.example/"onload=', '"https://a.example/\\"onload="', url],
    ['website', 'https://a.example:99999', '"https://a.example:99999"', url],
    ['icon', `https://a.example/${'x'.repeat(2048)}`, `"https://a.example/${'x'.repeat(42)}…"`, url],
    ['country', 'Germny', '"Germny"', country],
    ['country', 'XK', '"XK"', country],
    ['category', 'sass', '"sass"', `one of ${categories.join(', ')}, or null; did you mean "saas"?`],
    ['category', 'banking', '"banking"', `one of ${categories.join(', ')}, or null`],
    ['paymentProvider', 'Strip', '"Strip"', `one of ${paymentProviders.join(', ')}; did you mean "stripe"?`],
    ['targetAudience', 'B2X', '"B2X"', 'one of b2b, b2c, both, or null'],
    ['teamSize', 1, '1', 'one of 1, 2-5, 6-10, 11-25, 26-50, 51+, or null; write it as text: "1"'],
    ['teamSize', 7, '7', 'one of 1, 2-5, 6-10, 11-25, 26-50, 51+, or null'],
    ['fundingStatus', '', '""', 'one of bootstrapped, vc-funded, or null'],
    ['customers', -1, '-1', count],
    ['customers', 2 ** 31, '2147483648', count],
    ['customers', 1.5, '1.5', count],
    ['customers', '3', '"3"', count],
    ['askingPrice', 2 ** 53, '9007199254740992', `${cents}, or null`],
    ['askingPrice', Number.POSITIVE_INFINITY, 'Infinity', `${cents}, or null`],
    ['profitMarginLast30Days', 100.1, '100.1', 'a number from 0 to 100, or null'],
    ['profitMarginLast30Days', -0.1, '-0.1', 'a number from 0 to 100, or null'],
    ['growth30d', Number.NEGATIVE_INFINITY, '-Infinity', 'a finite number, or null'],
    ['growth30d', '24 pct', '"24 pct"', 'a finite number, or null'],
    ['onSale', 'true', '"true"', 'true or false'],
    ['onSale', null, 'null', 'true or false'],
    ['active', 1, '1', 'true or false'],
    ['foundedDate', '2023-02-29', '"2023-02-29"', date],
    ['foundedDate', '2023-04-31T00:00:00Z', '"2023-04-31T00:00:00Z"', date],
    ['foundedDate', '2023-01-01T10:00:00', '"2023-01-01T10:00:00"', date],
    ['foundedDate', '2023-01-01T24:00:00Z', '"2023-01-01T24:00:00Z"', date],
    ['foundedDate', '2023-01-01 10:00:00Z', '"2023-01-01 10:00:00Z"', as('2023-01-01T10:00:00Z')],
    ['foundedDate', '29.2.2023', '"29.2.2023"', date],
    ['foundedDate', '3/15/2023', '"3/15/2023"', as('2023-03-15')],
    ['foundedDate', '2023-13-01', '"2023-13-01"', date],
    ['foundedDate', '0000-01-01', '"0000-01-01"', date],
    ['foundedDate', '9999-12-31T23:59:59-01:00', '"9999-12-31T23:59:59-01:00"', date],
    ['foundedDate', '+012023-01-01', '"+012023-01-01"', date],
    ['foundedDate', '2023', '"2023"', as('2023-01-01')],
    ['foundedDate', 1_700_000_000_000, '1700000000000', date],
    ['xHandle', '@orbit', '"@orbit"', handle],
    ['xHandle', 'x'.repeat(31), `"${'x'.repeat(31)}"`, handle],
    ['xHandle', '', '""', handle],
    [
      'verifiedAt',
      '9999-01-01',
      '"9999-01-01"',
      `${date.slice(0, -', or null'.length)}, not in the future, or null`,
    ],
    ['techStack', 7, '7', technologies],
    ['techStack', ['React', 7], '[…]', technologies],
    ['techStack', ['React', ' '], '[…]', technologies],
    ['techStack', ['a,b'], '[…]', technologies],
    ['techStack', ['a\0'], '[…]', technologies],
    ['techStack', ['x'.repeat(101)], '[…]', technologies],
    ['techStack', Array(51).fill('x'), '[…]', technologies],
    ['techStack', 'React,,Go', '"React,,Go"', technologies],
    ['cofounders', ['@ada'], '[…]', `${list}a handle of letters, digits and underscores, without @`],
    ['founderMessage', 'x'.repeat(1001), `"${'x'.repeat(60)}…"`, detail],
    ['targetPersona', '\ud800', '"\\ud800"', detail],
    ['xFollowerCount', -1, '-1', `${count}, or null`],
    ['isMerchantOfRecord', 'no', '"no"', 'true or false, or null'],
    ['revenue', undefined, 'nothing', 'an object with last30Days, mrr, total'],
    ['revenue', [100, 50, 10], '[…]', 'an object with last30Days, mrr, total'],
    ['revenue', 100, '100', 'an object with last30Days, mrr, total'],
  ])('reports %s: %j', (field, value, got, allowed) => {
    expect(errorsOf(record({ [field]: value }))).toEqual([
      `a.ndjson: line 3: ${field}: got ${got}, allowed ${allowed}`,
    ]);
  });

  test('reports every error of a record, those inside revenue by their dotted path', () => {
    const invalid = record({
      revenue: { last30Days: -5, mrr: null, total: 0.5 },
      customers: null,
      country: 'XX',
    });
    expect(errorsOf(invalid)).toEqual([
      'a.ndjson: line 3: country: got "XX", allowed an ISO 3166-1 alpha-2 code such as DE, or the name in English, German or French, or null',
      `a.ndjson: line 3: revenue.last30Days: got -5, allowed ${cents}`,
      `a.ndjson: line 3: revenue.mrr: got null, allowed ${cents}`,
      `a.ndjson: line 3: revenue.total: got 0.5, allowed ${cents}; 0.5 looks like dollars: write 50, or use --dollars (or --round, if it is cents)`,
      `a.ndjson: line 3: customers: got null, allowed ${count}`,
    ]);
  });

  const ambiguous = 'amounts are whole cents without separators: for amounts in dollars, use --dollars';
  test.each<[value: unknown, fix: string | undefined]>([
    [1234.56, '1234.56 looks like dollars: write 123456, or use --dollars (or --round, if it is cents)'],
    [0.1, '0.1 looks like dollars: write 10, or use --dollars (or --round, if it is cents)'],
    [19.99, '19.99 looks like dollars: write 1999, or use --dollars (or --round, if it is cents)'],
    ['1250.00', '1250.00 looks like dollars: write 125000, or use --dollars (or --round, if it is cents)'],
    ['1,250.00', '1,250.00 looks like dollars: write 125000, or use --dollars'],
    ['1.250,00', '1.250,00 looks like dollars: write 125000, or use --dollars'],
    ['US$ 1,234,567.8', 'US$ 1,234,567.8 looks like dollars: write 123456780, or use --dollars'],
    ['1234.56 usd', '1234.56 usd looks like dollars: write 123456, or use --dollars'],
    ['50.000', ambiguous],
    ['1,200', ambiguous],
    ['$1,200', ambiguous],
    [
      1234.567,
      'it has a fraction of a cent: round it with --round, or for amounts in dollars, use --dollars',
    ],
    ['$1.2M', '$1.2M looks like dollars: write 120000000, or use --dollars'],
    [`$${'9'.repeat(15)}.99`, ambiguous],
    [-5, undefined],
    [-5.5, undefined],
    ['1200', undefined],
    ['many', undefined],
    ['', undefined],
  ])('explains an amount %j of cents that seems to be in dollars: %j', (askingPrice, fix) => {
    const shown = typeof askingPrice === 'string' ? JSON.stringify(askingPrice) : askingPrice;
    expect(errorsOf(record({ askingPrice }))).toEqual([
      `a.ndjson: line 3: askingPrice: got ${shown}, allowed ${cents}, or null${fix === undefined ? '' : `; ${fix}`}`,
    ]);
  });

  test.each([
    ['growth30d', '12,5', '12.5'],
    ['profitMarginLast30Days', '1.234,5', '1234.5'],
    ['growth30d', '-1,234', '-1234 or -1.234'],
    ['customers', '12,5', '12.5'],
  ])('names what %s %j can mean', (field, value, meant) => {
    const [error = '', ...others] = errorsOf(record({ [field]: value }));
    expect(others).toEqual([]);
    expect(error).toMatch(new RegExp(`^a\\.ndjson: line 3: ${field}: got "${value}", allowed `));
    expect(error.endsWith(`; write ${meant}, or say how numbers are written with --decimal`)).toBe(true);
  });

  test('reports unknown fields with the nearest known name, if one is close', () => {
    const invalid = {
      ...record(),
      id: 1,
      webiste: 'https://a.example',
      revenue: { last30Days: 1, mmr: 2, mrr: 2, total: 3 },
    };
    expect(errorsOf(invalid)).toEqual([
      'a.ndjson: line 3: id: got 1, allowed only known fields',
      'a.ndjson: line 3: webiste: got "https://a.example", allowed only known fields; did you mean "website"?',
      'a.ndjson: line 3: revenue.mmr: got 2, allowed only known fields; did you mean "revenue.mrr"?',
    ]);
    const hidden = JSON.parse(`{"__proto__":{},"constructor":1,${JSON.stringify(record()).slice(1)}`);
    expect(errorsOf(hidden)).toHaveLength(2);
  });

  test('takes revenue by flat keys such as revenue.mrr, as in CSV, and each field only once', () => {
    const { revenue, ...others } = record();
    const flat = { ...others, 'revenue.last30Days': 1, 'revenue.mrr': 2, 'revenue.total': 3 };
    expect(stored('revenue.mrr', flat)).toBe(2);
    expect(stored('revenue.mrr', { ...others, revenue: { last30Days: 1, total: 3 }, 'revenue.mrr': 2 })).toBe(
      2,
    );
    expect(errorsOf({ ...flat, 'revenue.mrr': undefined })).toEqual([
      `a.ndjson: line 3: revenue.mrr: got nothing, allowed ${cents}`,
    ]);
    expect(errorsOf({ ...others, revenue, 'revenue.mrr': 2 })).toEqual([
      'a.ndjson: line 3: revenue.mrr: got 2, allowed each field once',
    ]);
  });

  test('reports unknown names and values without control characters', () => {
    const [message] = errorsOf({ ...record(), 'a\u001b[2J\u202e': '\u009b31m\u2028' });
    expect(message).toContain(
      'line 3: "a\\u001b[2J\\u202e": got "\\u009b31m\\u2028", allowed only known fields',
    );
  });

  test('survives names and values of any size and depth', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(errorsOf(record({ name: deep }))).toEqual([`a.ndjson: line 3: name: got […], allowed ${name}`]);
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`field${index}`, index]));
    expect(errorsOf({ ...record(), ...wide, ['x'.repeat(500_000)]: 1 })).toHaveLength(20_001);
  });

  test('ignores computed and recorded fields, and the additions of a rejects file', () => {
    const recorded = { previousAskingPrice: 'x', askingPriceChangedAt: 7 };
    const more = {
      ...recorded,
      rank: 'first',
      multiple: -1,
      revenuePerVisitor: {},
      _errors: ['…'],
      _line: 'x',
    };
    expect(errorsOf({ ...record(), ...more })).toEqual([]);
  });

  test('takes an absent or null nullable field as null, and an absent active as true', () => {
    const { slug, revenue, paymentProvider, customers, activeSubscriptions, onSale } = record();
    const row = validateRecord(
      { name: 'A', slug, revenue, paymentProvider, customers, activeSubscriptions, onSale },
      1,
      [],
    );
    expect(row).toEqual([
      ...['A', slug, null, null, null, null, null, null, 'stripe', null, 10_000, 8_000, 100_000, 10, 5],
      ...[null, null, null, null, null, null, false, null, null, null, null],
      ...[null, null, null, null, null, null, null, null, null, null, null, true],
    ]);
    expect(stored('active', record({ active: null }))).toBe(true);
    expect(stored('active', record({ active: false }))).toBe(false);
  });

  test.each([
    ['2024-05-01', '2024-05-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2024-05-01T12:30:15Z', '2024-05-01T12:30:15.000Z'],
    ['2024-05-01T12:30Z', '2024-05-01T12:30:00.000Z'],
    ['2024-05-01T12:30:15.1239999Z', '2024-05-01T12:30:15.123Z'],
    ['2024-05-01T23:59:59.9999+00:00', '2024-05-01T23:59:59.999Z'],
    ['2024-05-01T00:30:00+02:00', '2024-04-30T22:30:00.000Z'],
    ['2024-05-01T00:30:00-0530', '2024-05-01T06:00:00.000Z'],
    ['2024-05-01T00:30:00+05', '2024-04-30T19:30:00.000Z'],
    ['0099-03-01', '0099-03-01T00:00:00.000Z'],
  ])('reads the date %s as %s', (text, expected) => {
    expect(stored('foundedDate', record({ foundedDate: text }))).toBe(expected);
  });

  test.each([
    ['askingPrice', Number.MAX_SAFE_INTEGER],
    ['customers', 2 ** 31 - 1],
    ['growth30d', -99.5],
    ['growthMRR30d', 1e300],
    ['profitMarginLast30Days', 0],
    ['profitMarginLast30Days', 100],
    ['description', ''],
    ['description', '👩🏽‍🚀'.repeat(700)],
    ['website', 'HTTPS://Bücher.example:8443/päth?q=1&r=[2]#top'],
    ['website', 'http://[2001:db8::1]/'],
    ['xHandle', 'A_1'],
    ['name', '\u0001 tab\tand\nline'],
  ])('keeps %s %j as it is', (path, value) => {
    expect(stored(path, record({ [path]: value }))).toBe(value);
  });

  test.each([
    [[], null],
    ['', undefined],
    ['React', '{"React"}'],
    [' React , Next.js', '{"React","Next.js"}'],
    [['C++', '{a}', 'say "x"', '\\'], '{"C++","{a}","say \\"x\\"","\\\\"}'],
  ])('takes the list %j as %j', (given, expected) => {
    expect(stored('techStack', record({ techStack: given }))).toBe(expected);
  });

  test('takes a day with points, as spreadsheets write it', () => {
    const day = stored('foundedDate', record({ foundedDate: '2021-03-05' }));
    expect(day).toBeDefined();
    expect(stored('foundedDate', record({ foundedDate: '5.3.2021' }))).toBe(day);
    expect(stored('foundedDate', record({ foundedDate: '05.03.2021' }))).toBe(day);
  });

  test('takes letters beyond ASCII in addresses, however many were read before', () => {
    const website = 'https://bücher.example/';
    for (let read = 0; read < 20_000; read += 1) {
      stored('website', record({ website: `https://a${read}.example/` }));
    }
    expect(stored('website', record({ website }))).toBe(website);
  });

  test('takes every sample record, as it is', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.nat(30), (seed, count) => {
        for (const sample of sampleStartups({ count, seed })) {
          const literal = (list: string[]) =>
            list.length === 0 ? null : `{${list.map((one) => `"${one}"`)}}`;
          const values = storedStartupFields.map(({ path }) =>
            path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], sample),
          );
          expect(validateRecord(JSON.parse(JSON.stringify(sample)), 1, [])).toEqual(
            values.map((value) => (Array.isArray(value) ? literal(value) : value)),
          );
        }
      }),
    );
  });

  test('never throws, and gives a row or at least one error', () => {
    const key = fc.oneof(
      fc.constantFrom(...storedStartupFields.map(({ path }) => path), 'revenue'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue()), (value) => {
        errorsOf(value);
        errorsOf({ ...record(), ...value });
      }),
      { numRuns: 300 },
    );
  });

  test('finds a valid slug whatever else is wrong', () => {
    expect(findSlug({ slug: 'a-b', name: 3 })).toBe('a-b');
    expect(findSlug({ slug: 'A' })).toBeUndefined();
    expect(findSlug({})).toBeUndefined();
  });
});
