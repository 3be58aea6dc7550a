import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { countries, isCountry } from '../../src/startups/countries.ts';
import {
  type StartupFieldPath,
  startupFieldList,
  startupFields,
  storedStartupFields,
} from '../../src/startups/fields.ts';

describe('the fields of a startup', () => {
  test('are those of the interface, in its order, then those of the detail and of imports', () => {
    const inOrder =
      `name slug icon description website country foundedDate category paymentProvider targetAudience
      revenue.last30Days revenue.mrr revenue.total customers activeSubscriptions askingPrice
      profitMarginLast30Days growth30d growthMRR30d multiple rank visitorsLast30Days
      googleSearchImpressionsLast30Days revenuePerVisitor onSale firstListedForSaleAt xHandle
      teamSize fundingStatus active`.split(/\s+/);
    expect(startupFieldList.map(({ path }) => path)).toEqual(inOrder);
    const listed = startupFieldList
      .filter(({ shape }) => shape === 'list')
      .map(({ path }) => path.split('.')[0]);
    expect(new Set(listed).size).toBe(25);
    expect(
      startupFieldList.filter(({ shape }) => shape !== 'list').map(({ path, shape }) => [path, shape]),
    ).toEqual([
      ['teamSize', 'detail'],
      ['fundingStatus', 'detail'],
      ['active', 'import'],
    ]);
  });

  test('are nullable exactly where the interface says so', () => {
    const never = startupFieldList.filter(({ nullable }) => !nullable).map(({ path }) => path);
    expect(never).toEqual([
      'name',
      'slug',
      'paymentProvider',
      'revenue.last30Days',
      'revenue.mrr',
      'revenue.total',
      'customers',
      'activeSubscriptions',
      'onSale',
      'active',
    ] satisfies StartupFieldPath[]);
  });

  test('compute rank, multiple and revenue per visitor, and store the others', () => {
    const computed = startupFieldList.filter((field) => field.computed === true);
    expect(computed.map(({ path, column }) => [path, column])).toEqual([
      ['multiple', null],
      ['rank', null],
      ['revenuePerVisitor', null],
    ]);
    expect(storedStartupFields).toHaveLength(27);
  });

  test.each(startupFieldList)('describe $path in sentences, with its unit and what null means', (field) => {
    expect(field.description).toMatch(/^[A-Z'].*\.\)?$/s);
    expect(/\bNull (when|with|for)/.test(field.description)).toBe(field.nullable);
    if (field.kind === 'cents') {
      expect(field.description).toContain('US cents');
    }
    if (field.kind === 'percent') {
      expect(field.description).toContain('percentage');
    }
  });

  test('name the properties and columns of the database', () => {
    const schema = readFileSync('prisma/schema.prisma', 'utf8');
    const model = /model Startup \{([^}]*)\}/.exec(schema)?.[1] ?? '';
    for (const { property, column, nullable } of storedStartupFields) {
      const [, type, rest] = new RegExp(`^ *${property} +(\\S+)(.*)$`, 'm').exec(model) ?? [];
      expect(type, property).toBeDefined();
      expect(type?.endsWith('?'), property).toBe(nullable);
      expect(/@map\("(.*?)"\)/.exec(rest ?? '')?.[1] ?? property).toBe(column);
    }
  });

  test('can be looked up by their dotted path', () => {
    expect(startupFields['revenue.mrr'].property).toBe('revenueMrr');
  });
});

describe('countries', () => {
  test('are the 249 of ISO 3166-1, each once, in order', () => {
    expect(countries).toHaveLength(249);
    expect([...new Set(countries)].sort()).toEqual(countries);
    expect(countries.every((code) => /^[A-Z]{2}$/.test(code))).toBe(true);
  });

  test('know neither reserved, user-assigned nor lower-case codes', () => {
    expect(['DE', 'US', 'TW', 'AX'].map(isCountry)).toEqual([true, true, true, true]);
    expect(['UK', 'EU', 'XX', 'ZZ', 'de', ''].some(isCountry)).toBe(false);
  });
});
