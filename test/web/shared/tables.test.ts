import { describe, expect, it } from 'vitest';
import { type Column, ListTable, Table } from '../../../src/web/shared/components.tsx';

const columns: readonly Column<string>[] = [
  ['Name', (row) => row],
  ['State', () => 'Active'],
  ['Requests', () => 7, 'number'],
  ['File', () => 'startups.csv', 'line'],
  ['Holder', () => 'ada@example.com', 'named line'],
  ['Last used', () => 'Never', 'aside'],
];
const table = { caption: 'Keys', columns, rows: ['Billing'] } as const;
/** The headings that cells have on a phone. */
const labelsOf = (html: unknown): string[] =>
  [...String(html).matchAll(/data-label="([^"]*)"/g)].map(([, label = '']) => label);

describe('a table', () => {
  it('of entries names all figures and short texts, and those lines that say so', () => {
    expect(labelsOf(Table({ ...table, layout: 'entries' }))).toEqual(['State', 'Requests', 'Holder']);
  });

  it('of sentences names those lines only', () => {
    expect(labelsOf(Table({ ...table, layout: 'sentence' }))).toEqual(['Holder']);
  });

  it('that scrolls has its headings in sight', () => {
    const html = String(Table({ ...table, layout: 'scroll', box: 'Keys in numbers' }));
    expect(html).toMatch(
      /^<div class="scroll" tabindex="0" role="group" aria-label="Keys in numbers"><table>/,
    );
    expect(labelsOf(html)).toEqual(['Holder']);
  });

  it('names each row by its first column, if it has a caption', () => {
    const html = String(ListTable({ ...table, layout: 'entries' }));
    expect(html).toContain('<th scope="row">Billing</th>');
    expect(String(Table({ layout: 'entries', columns, rows: ['Billing'] }))).not.toContain('scope="row"');
  });

  it('says at each cell where it stands', () => {
    const places = [...String(Table({ ...table, layout: 'entries' })).matchAll(/<td(?: class="([^"]*)")?/g)];
    expect(places.map(([, place]) => place)).toEqual([undefined, 'number', 'line', 'named line', 'aside']);
  });
});
