import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { countries, findCountry, isCountry } from '../../../src/startups/model/countries.ts';
import { startupFieldList, storedStartupFields, tableFields } from '../../../src/startups/model/fields.ts';

describe('the fields of a startup', () => {
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
    // What the database writes itself is no field.
    const own = ['id', 'sample', 'revision', 'createdAt', 'updatedAt', 'restoredRevision'];
    const properties = [...model.matchAll(/^ *([a-z]\w*) /gm)].map(([, name = '']) => name);
    expect(properties.sort()).toEqual([...tableFields.map(({ property }) => property), ...own].sort());
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

  test('are found by their codes and names in English and German, in any case', () => {
    const names = ['Germany', 'deutschland', ' ÖSTERREICH ', 'de', 'UK', 'usa', 'Trinidad & Tobago'];
    expect(names.map(findCountry)).toEqual(['DE', 'DE', 'AT', 'DE', 'GB', 'US', 'TT']);
    expect(['', '-', 'Europe', 'XX', '__proto__'].map(findCountry)).toEqual(Array(5).fill(undefined));
    for (const code of countries) {
      expect(findCountry(new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? '')).toBe(code);
    }
  });
});
