import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { suggestMapping } from '../../../src/startups/import/suggest-mapping.ts';
import { expectCheap } from '../../support/cost.ts';
import { input } from './inputs.ts';

const german = [
  'Meine Startups;;;;;;;;;',
  'Firma;Umsatz 30 Tage;Umsatz/Monat;Gesamtumsatz;Kunden;Abos;Marge;Branche;Webseite;Notiz',
  'Müller & Söhne;1.250,00 $;1.250,50;1.000.000,00 $;1.250;300;12,5 %;Fintec;https://m.example;Café',
  'Grün;2.500;2.400,00;30.000,00;80;70;22 %;Künstliche;https://g.example;',
].join('\r\n');

describe('a suggested mapping', () => {
  test('of a German table in Windows-1252 says what its columns, numbers and categories are', async () => {
    const { mapping, columns, missing, notes, unknownTexts, records, read, rejected, messages } =
      await suggestMapping(input('a.csv.gz', gzipSync(Buffer.from(german, 'latin1'))));
    expect(mapping).toMatchObject({
      columns: {
        Firma: 'name',
        'Umsatz 30 Tage': 'revenue.last30Days',
        'Umsatz/Monat': 'revenue.mrr',
        Gesamtumsatz: 'revenue.total',
        Kunden: 'customers',
        Abos: 'activeSubscriptions',
        Marge: 'profitMarginLast30Days',
        Branche: 'category',
        Webseite: 'website',
      },
      defaults: { paymentProvider: '', onSale: '' },
      values: { category: { Fintec: 'fintech' } },
      dollars: true,
      decimal: 'comma',
      ignoreUnknown: true,
      encoding: 'windows-1252',
      confidence: { Firma: 0.95 },
    });
    expect(columns.at(-1)).toEqual({ name: 'Notiz', field: null, confidence: 0, examples: ['Café'] });
    expect(missing).toEqual(['paymentProvider', 'onSale']);
    expect(notes).toEqual([]);
    expect(unknownTexts).toEqual({ category: [{ text: 'Künstliche', records: 1 }] });
    expect(records).toHaveLength(1);
    expect(records[0]).toContainEqual({ path: 'revenue.total', text: '$1,000,000.00' });
    expect(records[0]).toContainEqual({ path: 'profitMarginLast30Days', text: '12.5 %' });
    expect(records[0]).toContainEqual({ path: 'paymentProvider', text: '?' });
    expect([read, rejected, messages.length]).toEqual([2, 1, 1]);
  });

  test('of an English table knows fractions, and the order of words', async () => {
    const { mapping, records } = await suggestMapping(
      input(
        'a.csv',
        'Company,Monthly revenue (USD),Revenue (30d),Total Revenue,Price,Growth\nAcme,"$1,250.00",1300,45000,"$62,400",0.24',
      ),
    );
    expect(mapping).toMatchObject({
      columns: {
        'Monthly revenue (USD)': 'revenue.mrr',
        'Revenue (30d)': 'revenue.last30Days',
        'Total Revenue': 'revenue.total',
        Price: 'askingPrice',
      },
      dollars: true,
      decimal: 'point',
      percentAsFraction: true,
    });
    expect(records[0]).toContainEqual({ path: 'growth30d', text: '24 %' });
    expect(records[0]).toContainEqual({ path: 'multiple', text: '4.0' });
  });

  test('makes up no value that no column has', async () => {
    const { mapping, missing, records } = await suggestMapping(
      input('a.csv', 'Company,Price,Location\nAcme,"$62,400",Deutschland'),
    );
    expect(missing).toEqual([
      ...['paymentProvider', 'revenue.last30Days', 'revenue.mrr', 'revenue.total'],
      ...['customers', 'activeSubscriptions', 'onSale'],
    ]);
    expect(mapping.defaults).toEqual(Object.fromEntries(missing.map((path) => [path, ''])));
    expect(records).toEqual([
      [
        { path: 'name', text: 'Acme' },
        { path: 'slug', text: 'acme' },
        { path: 'country', text: 'DE' },
        ...missing.slice(0, 6).map((path) => ({ path, text: '?' })),
        { path: 'askingPrice', text: '$62,400.00' },
        { path: 'onSale', text: '?' },
        { path: 'active', text: 'yes' },
      ],
    ]);
  });

  test('leaves out a column that has the name of a field, but not its values', async () => {
    const { mapping } = await suggestMapping(
      input('a.csv', 'name,customers,Kunden\nA,"Big, bigger",5\nB,none,6'),
    );
    expect(mapping.columns).toEqual({ customers: '', Kunden: 'customers' });
  });

  test('of a table with line breaks in cells knows what says nothing, and what it does not know', async () => {
    const text = 'Title\nCompany,About,MRR,Price,Founded\nA,"one\ntwo",-,n/a,2020\nB,x,$5,k. A.,2021-01-01';
    const { mapping, unknownTexts, read } = await suggestMapping(input('a.csv', text));
    expect(read).toBe(2);
    expect(mapping.values).toEqual({ askingPrice: { 'n/a': '', 'k. A.': '' } });
    expect(unknownTexts).toEqual({
      'revenue.mrr': [{ text: '-', records: 1 }],
      foundedDate: [{ text: '2020', records: 1 }],
    });
    const cents = 'Company,MRR (cents),Price (cents)\nA,500,n/a';
    expect((await suggestMapping(input('a.csv', cents))).mapping.dollars).toBeUndefined();
  });

  test('of records changes nothing', async () => {
    const one = { slug: 'a', name: 'A', paymentProvider: 'stripe', onSale: true, customers: 1 };
    const record = { ...one, activeSubscriptions: 1, revenue: { last30Days: 1, mrr: 2, total: 3 } };
    const { mapping, notes, rejected } = await suggestMapping(input('a.json', JSON.stringify([record])));
    expect({ ...mapping, confidence: {} }).toEqual({ columns: {}, confidence: {} });
    expect([notes, rejected]).toEqual([[], 0]);
  });

  test('never sends two columns to one field, nor one of several columns of the same name', async () => {
    const text = 'Company,Startup,MRR,mrr,Notes,Notes\nA,B,$1,$2,x,y';
    const { mapping, columns } = await suggestMapping(input('a.csv', text));
    const fields = Object.values(mapping.columns ?? {});
    expect(new Set(fields).size).toBe(fields.length);
    expect(columns.filter(({ field }) => field === 'name')).toHaveLength(1);
    expect(columns.filter(({ name, field }) => name === 'Notes' && field !== null)).toEqual([]);
  });

  test('reads the beginning of an input without end', async () => {
    let sent = 0;
    const row = `${'x'.repeat(70)},1\n`;
    const open = () =>
      new Readable({
        read() {
          sent += 1;
          this.push(sent === 1 ? 'Company,Customers\n' : row.repeat(1_000));
        },
      });
    const { mapping, missing, notes, read } = await suggestMapping({ name: 'a.csv', open });
    expect(mapping.columns).toEqual({ Company: 'name', Customers: 'customers' });
    expect(sent).toBeLessThan(200);
    expect(read).toBeGreaterThan(1_000);
    expect(notes).toEqual([]);
    expect(missing).toHaveLength(6);
  });

  test('takes a time that grows with the width of a table, not with its square', async () => {
    const table = (width: number) => {
      const names = Array.from({ length: width }, (_, index) => `category ${index}`).join(',');
      return input('a.csv', `${names}\n${`${names}\n`.repeat(20)}`);
    };
    await expectCheap(
      () => suggestMapping(table(400)),
      () => suggestMapping(table(50)),
      16,
    );
  });

  test('refuses what is no table', async () => {
    await expect(suggestMapping(input('a.xlsx', 'PK\x03\x04....'))).rejects.toThrow(
      'a.xlsx: line 1: file: got an Excel',
    );
    await expect(suggestMapping(input('a.csv', ''))).rejects.toThrow('a.csv: line 1: record: got nothing');
  });
});
