import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFieldNames } from '../../../src/startups/import/columns/field-names.ts';
import { standardFields } from '../../../src/startups/import/columns/import-fields.ts';
import { errorMessage, type InputError, showValue } from '../../../src/startups/import/rows/errors.ts';
import { createValidator } from '../../../src/startups/import/values/validate.ts';
import { storedStartupFields } from '../../../src/startups/model/fields.ts';
import { categories, paymentProviders } from '../../../src/startups/model/vocabulary.ts';
import { sampleStartups } from '../../../src/startups/sample/sample.ts';
import { record } from './inputs.ts';

const validate = createValidator(createFieldNames(standardFields));
const validateRecord = (...of: Parameters<typeof validate>) => validate(...of).row;

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
  const tooLong = 'x'.repeat(1_001);
  const overflow = [2 ** 53, Number.POSITIVE_INFINITY];
  const urls = [
    'javascript:alert(1)',
    'ftp://a.example',
    'a.example',
    'https:a.example',
    'http://',
    ' https://a.example',
    'https://a.example/a b',
    'https://a.example/"onload=',
    'https://a.example:99999',
    `https://a.example/${'x'.repeat(2048)}`,
  ];
  const days = [
    '2023-02-29',
    '2023-04-31T00:00:00Z',
    '2023-01-01T10:00:00',
    '2023-01-01T24:00:00Z',
    '29.2.2023',
    '2023-13-01',
    '0000-01-01',
    '9999-12-31T23:59:59-01:00',
    '+012023-01-01',
    1_700_000_000_000,
  ];
  const lists = [
    7,
    ['React', 7],
    ['React', ' '],
    ['a,b'],
    ['a\0'],
    ['x'.repeat(101)],
    Array(51).fill('x'),
    'React,,Go',
  ];
  test.each<[field: string, allowed: string, values: unknown[]]>([
    ['name', name, [undefined, null, '', 'x'.repeat(201), 'a\0b', 'a\ud800b', 7]],
    ['slug', slug, ['Orbit', 'a--b', '-a', 'a\n', 'a'.repeat(101)]],
    ['description', 'text of 0 to 5000 characters, without NUL or lone surrogates, or null', [['x']]],
    ['website', url, urls],
    ['country', country, ['Germny', 'XK']],
    ['category', `one of ${categories.join(', ')}, or null; did you mean "saas"?`, ['sass']],
    ['category', `one of ${categories.join(', ')}, or null`, ['banking']],
    ['paymentProvider', `one of ${paymentProviders.join(', ')}; did you mean "stripe"?`, ['Strip']],
    ['teamSize', 'one of 1, 2-5, 6-10, 11-25, 26-50, 51+, or null; write it as text: "1"', [1]],
    [
      'teamSize',
      'one of 1, 2-5, 6-10, 11-25, 26-50, 51+, or null; for numbers of people, add --map teamSize=teamSize:people',
      [7],
    ],
    ['teamSize', 'one of 1, 2-5, 6-10, 11-25, 26-50, 51+, or null', ['many']],
    ['fundingStatus', 'one of bootstrapped, vc-funded, or null', ['']],
    ['customers', count, [-1, 2 ** 31, 1.5, '3']],
    ['askingPrice', `${cents}, or null`, overflow],
    ['profitMarginLast30Days', 'a number from 0 to 100, or null', [100.1, -0.1]],
    ['growth30d', 'a finite number, or null', [Number.NEGATIVE_INFINITY, '24 pct']],
    ['onSale', 'true or false', ['true', null]],
    ['active', 'true or false', [1]],
    ['isMerchantOfRecord', 'true or false, or null', ['no']],
    ['foundedDate', date, days],
    ['foundedDate', as('2023-01-01T10:00:00Z'), ['2023-01-01 10:00:00Z']],
    ['foundedDate', as('2023-03-15'), ['3/15/2023']],
    ['foundedDate', as('2023-01-01'), ['2023']],
    ['verifiedAt', `${date.slice(0, -', or null'.length)}, not in the future, or null`, ['9999-01-01']],
    ['xHandle', handle, ['@orbit', 'x'.repeat(31), '']],
    ['techStack', technologies, lists],
    ['cofounders', `${list}a handle of letters, digits and underscores, without @`, [['@ada']]],
    ['founderMessage', detail, [tooLong, '\ud800']],
    ['xFollowerCount', `${count}, or null`, [-1]],
    ['revenue', 'an object with last30Days, mrr, total', [null, [100, 50, 10], 100]],
  ])('reports %s: allowed %s', (field, allowed, values) => {
    for (const value of values) {
      const [error, ...others] = errorsOf(record({ [field]: value }));
      const got = `a.ndjson: line 3: ${field}: got ${showValue(value)}, allowed ${allowed}`;
      expect([error, others]).toEqual([got, []]);
    }
  });

  test('reports every error of a record, those inside revenue by their dotted path', () => {
    const revenue = { last30Days: -5, mrr: null, total: -1 };
    const invalid = record({ revenue, customers: null, country: 'XX' });
    expect(errorsOf(invalid)).toEqual([
      `a.ndjson: line 3: country: got "XX", allowed ${country}`,
      `a.ndjson: line 3: revenue.last30Days: got -5, allowed ${cents}`,
      `a.ndjson: line 3: revenue.mrr: got null, allowed ${cents}`,
      `a.ndjson: line 3: revenue.total: got -1, allowed ${cents}`,
      `a.ndjson: line 3: customers: got null, allowed ${count}`,
    ]);
  });

  const dollars = (write: string, orRound = '') =>
    `looks like dollars: write ${write}, or use --dollars${orRound}`;
  const orRound = ' (or --round, if it is cents)';
  test.each<[fix: string | undefined, values: unknown[]]>([
    [dollars('123456', orRound), [1234.56]],
    [dollars('10', orRound), [0.1]],
    [dollars('1999', orRound), [19.99]],
    [dollars('125000', orRound), ['1250.00']],
    [dollars('125000'), ['1,250.00', '1.250,00']],
    [dollars('123456780'), ['US$ 1,234,567.8']],
    [dollars('123456'), ['1234.56 usd']],
    [dollars('120000000'), ['$1.2M']],
    ['for amounts in dollars, use --dollars', ['50.000', '1,200', '$1,200', `$${'9'.repeat(15)}.99`]],
    ['it has a fraction of a cent: round it with --round, or for amounts in dollars, use', [1234.567]],
    [undefined, [-5, -5.5, '1200', 'many', '']],
  ])('explains an amount of cents that seems to be in dollars: %s', (fix, values) => {
    for (const askingPrice of values) {
      const [error = ''] = errorsOf(record({ askingPrice }));
      const plain = `a.ndjson: line 3: askingPrice: got ${showValue(askingPrice)}, allowed ${cents}, or null`;
      expect(error.startsWith(plain)).toBe(true);
      expect(error.slice(plain.length)).toEqual(fix === undefined ? '' : expect.stringContaining(fix));
    }
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
    const revenue = { last30Days: 1, mmr: 2, mrr: 2, total: 3 };
    expect(errorsOf({ ...record(), id: 1, webiste: 'https://a.example', revenue })).toEqual([
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
    const both = { ...others, revenue: { last30Days: 1, total: 3 }, 'revenue.mrr': 2 };
    expect(stored('revenue.mrr', both)).toBe(2);
    expect(errorsOf({ ...flat, 'revenue.mrr': undefined })).toEqual([
      `a.ndjson: line 3: revenue.mrr: got nothing, allowed ${cents}`,
    ]);
    expect(errorsOf({ ...others, revenue, 'revenue.mrr': 2 })).toEqual([
      'a.ndjson: line 3: revenue.mrr: got 2, allowed each field once',
    ]);
    // What is wrong with the whole is said once, and what follows from it is not said.
    const { slug: _, name: __, ...nameless } = record();
    expect(errorsOf(nameless)).toEqual([expect.stringContaining('line 3: name: got nothing')]);
    expect(errorsOf({ ...others, revenue: 5, 'revenue.mrr': 2 })).toEqual([
      'a.ndjson: line 3: revenue: got 5, allowed an object with last30Days, mrr, total',
    ]);
  });

  test('reports unknown names and values without control characters', () => {
    const got = 'line 3: "a\\u001b[2J\\u202e": got "\\u009b31m\\u2028", allowed only known fields';
    const invalid = { ...record(), 'a\u001b[2J\u202e': '\u009b31m\u2028' };
    expect(errorsOf(invalid)).toEqual([expect.stringContaining(got)]);
  });

  test('survives names and values of any size and depth', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(errorsOf(record({ name: deep }))).toEqual([`a.ndjson: line 3: name: got […], allowed ${name}`]);
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`field${index}`, index]));
    expect(errorsOf({ ...record(), ...wide, ['x'.repeat(500_000)]: 1 })).toHaveLength(20_001);
  });

  test('ignores computed and recorded fields, and the additions of a rejects file', () => {
    const computed = { rank: 'first', multiple: -1, revenuePerVisitor: {} };
    const recorded = { previousAskingPrice: 'x', askingPriceChangedAt: 7 };
    expect(errorsOf({ ...record(), ...computed, ...recorded, _errors: ['…'], _line: 'x' })).toEqual([]);
  });

  test('takes an absent or null nullable field as null, and an absent active as true', () => {
    const { slug, revenue, paymentProvider, customers, activeSubscriptions, onSale } = record();
    const required = { name: 'A', slug, revenue, paymentProvider, customers, activeSubscriptions, onSale };
    const given = new Map<string, unknown>([
      ['name', 'A'],
      ['slug', slug],
      ['paymentProvider', 'stripe'],
      ['revenue.last30Days', 10_000],
      ['revenue.mrr', 8_000],
      ['revenue.total', 100_000],
      ['customers', 10],
      ['activeSubscriptions', 5],
      ['onSale', false],
      ['active', true],
    ]);
    expect(validateRecord(required, 1, [])).toEqual(
      storedStartupFields.map(({ path }) => given.get(path) ?? null),
    );
    expect(stored('active', record({ active: null }))).toBe(true);
    expect(stored('active', record({ active: false }))).toBe(false);
  });

  test.each(
    Object.entries({
      '2024-05-01': '2024-05-01T00:00:00.000Z',
      '2024-02-29': '2024-02-29T00:00:00.000Z',
      '2024-05-01T12:30Z': '2024-05-01T12:30:00.000Z',
      '2024-05-01T12:30:15.1239999Z': '2024-05-01T12:30:15.123Z',
      '2024-05-01T23:59:59.9999+00:00': '2024-05-01T23:59:59.999Z',
      '2024-05-01T00:30:00-0530': '2024-05-01T06:00:00.000Z',
      '2024-05-01T00:30:00+05': '2024-04-30T19:30:00.000Z',
      '0099-03-01': '0099-03-01T00:00:00.000Z',
      '5.3.2021': '2021-03-05T00:00:00.000Z',
      '05.03.2021': '2021-03-05T00:00:00.000Z',
    }),
  )('reads the date %s as %s', (text, expected) => {
    expect(stored('foundedDate', record({ foundedDate: text }))).toBe(expected);
  });

  test.each<[path: string, values: unknown[]]>([
    ['askingPrice', [Number.MAX_SAFE_INTEGER]],
    ['customers', [2 ** 31 - 1]],
    ['growth30d', [-99.5, 1e300]],
    ['profitMarginLast30Days', [0, 100]],
    ['description', ['', '👩🏽‍🚀'.repeat(700)]],
    ['website', ['HTTPS://Bücher.example:8443/päth?q=1&r=[2]#top', 'http://[2001:db8::1]/']],
    ['xHandle', ['A_1']],
    ['name', ['\u0001 tab\tand\nline']],
  ])('keeps %s %j as it is', (path, values) => {
    expect(values.map((value) => stored(path, record({ [path]: value })))).toEqual(values);
  });

  test('takes lists as an array or as one text', () => {
    const read = (techStack: unknown) => stored('techStack', record({ techStack }));
    const odd = ['C++', '{a}', 'say "x"', '\\'];
    expect([[], '', 'React', ' React , Next.js', odd].map(read)).toEqual([
      null,
      undefined,
      '{"React"}',
      '{"React","Next.js"}',
      '{"C++","{a}","say \\"x\\"","\\\\"}',
    ]);
  });

  test('takes letters beyond ASCII in addresses, however many were read before', () => {
    const websites = Array.from(
      { length: 20_000 },
      (_, at) => `https://${at % 2 ? 'a' : 'bü'}${at}.example/`,
    );
    expect(websites.filter((website) => stored('website', record({ website })) !== website)).toEqual([]);
  });

  test('takes every sample record, as it is', () => {
    const literal = (list: string[]) => (list.length === 0 ? null : `{${list.map((one) => `"${one}"`)}}`);
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.nat(30), (seed, count) => {
        for (const sample of sampleStartups({ count, seed })) {
          const values = storedStartupFields.map(({ path }) =>
            path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], sample),
          );
          const expected = values.map((value) => (Array.isArray(value) ? literal(value) : (value ?? null)));
          expect(validateRecord(JSON.parse(JSON.stringify(sample)), 1, [])).toEqual(expected);
        }
      }),
    );
  });

  test('never throws, and gives a row or at least one error', () => {
    const paths = storedStartupFields.map(({ path }) => path);
    const key = fc.oneof(fc.constantFrom(...paths, 'revenue'), fc.string());
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue()), (value) => {
        errorsOf(value);
        errorsOf({ ...record(), ...value });
      }),
      { numRuns: 300 },
    );
  });

  test('finds a valid slug whatever else is wrong', () => {
    const slugOf = (value: Record<string, unknown>) => validate(value, 1, []).slug;
    expect(slugOf({ slug: 'a-b', name: 3 })).toBe('a-b');
    expect(slugOf({ slug: 'A' })).toBeUndefined();
    expect(slugOf({})).toBeUndefined();
  });
});
