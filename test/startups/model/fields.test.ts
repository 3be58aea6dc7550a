import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { countries, findCountry, isCountry } from '../../../src/startups/model/countries.ts';
import { startupFieldList, storedStartupFields, tableFields } from '../../../src/startups/model/fields.ts';
import { pointColumns, pointFigureList, priceColumns } from '../../../src/startups/model/point-figures.ts';

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
    const own = ['id', 'sample', 'revision', 'createdAt', 'updatedAt', 'restoredRevision', 'own'];
    const properties = [...model.matchAll(/^ *([a-z]\w*) /gm)].map(([, name = '']) => name);
    expect(properties.sort()).toEqual([...tableFields.map(({ property }) => property), ...own].sort());
  });
});

describe('the figures of history', () => {
  const schema = readFileSync('prisma/schema.prisma', 'utf8');
  const model = /model StartupPoint \{([^}]*)\}/.exec(schema)?.[1] ?? '';

  test('are the properties of a point in the database', () => {
    const shown = model.split('\n').filter((line) => !line.includes('@ignore'));
    const properties = [...shown.join('\n').matchAll(/^ *([a-z]\w*) /gm)].map(([, name = '']) => name);
    const figures = pointFigureList.map(({ property }) => property);
    expect(properties.sort()).toEqual([...figures, 'startupId', 'day'].sort());
  });

  test('are the columns that the trigger of points writes, and writes again within a day', () => {
    const migrations = readdirSync('prisma/migrations')
      .sort()
      .flatMap((name) => {
        const sql = `prisma/migrations/${name}/migration.sql`;
        return existsSync(sql) ? readFileSync(sql, 'utf8') : [];
      });
    const [trigger = ''] = migrations
      .flatMap((sql) => /FUNCTION revgate_record_points\(\)[\s\S]*?\$\$;/.exec(sql)?.[0] ?? [])
      .slice(-1);
    const columns = [...pointColumns, ...priceColumns].sort();
    const [, written = ''] = /INSERT INTO startup_points \(([^)]*)\)/.exec(trigger) ?? [];
    expect(
      written
        .split(',')
        .map((name) => name.trim())
        .sort(),
    ).toEqual(['startup_id', 'day', ...columns].sort());
    const again = [...trigger.matchAll(/(\w+) = excluded\.(\w+)/g)].map(([, to, from]) => [to, from]);
    expect(again.sort()).toEqual(columns.map((name) => [name, name]));
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
