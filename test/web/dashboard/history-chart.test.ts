import { expect, it } from 'vitest';
import { drawnSeries, historyChart, type StartupDay } from '../../../src/web/dashboard/history-chart.tsx';

const point = (day: string, dollars: number, more: Partial<StartupDay> = {}): StartupDay => ({
  day,
  customers: 3,
  activeSubscriptions: 2,
  revenue: { last30Days: dollars * 100, mrr: 100, total: Number.MAX_SAFE_INTEGER },
  askingPrice: null,
  onSale: false,
  ...more,
});

const draw = (...points: StartupDay[]): string => String(historyChart(points, drawnSeries(points)));
const lineIn = (text: string): string | undefined => /class="line" d="([^"]*)"/.exec(text)?.[1];
const rowsIn = (text: string): string[][] =>
  [...text.matchAll(/<tr><th scope="row">.*?<\/tr>/g)].map(([row]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = '']) => cell.replace(/<[^>]*>/g, '')),
  );

it('draws each day as a step as high as its revenue', () => {
  const text = draw(point('2026-11-19', 0), point('2026-11-20', 50), point('2026-11-21', 100));
  expect(text).toContain('viewBox="0 0 30 100"');
  expect(lineIn(text)).toBe('M0 100H10V50H20V0H30');
  expect(text).toContain('$0 on 2026-11-19, $100 on 2026-11-21.');
  expect(text).toMatch(/<span>2026-11-19<\/span><span>2026-11-20<\/span><span>2026-11-21<\/span>/);
});

it('draws each figure that is known on all of its days, with the value of each day for a script', () => {
  const text = draw(
    point('2026-11-19', 5, { askingPrice: 100_00 }),
    point('2026-11-20', 6, { customers: 1_234 }),
    point('2026-11-21', 7, { askingPrice: 200_00 }),
  );
  expect([...text.matchAll(/id="series-(\w+)"/g)].map(([, name]) => name)).toEqual([
    'revenue',
    'mrr',
    'customers',
  ]);
  expect(text.match(/data-start="2026-11-19"/g)).toHaveLength(3);
  expect(text.replaceAll('&quot;', '"')).toContain('data-values="["3","1,234","3"]"');
  expect(text).toContain('+40%</data> in 2 days');
});

it('draws a price since it was first known, and none that was withdrawn', () => {
  const priced = { askingPrice: 100_00 };
  const figures = (...points: StartupDay[]) => drawnSeries(points).map(({ name }) => name);
  expect(figures(point('2026-11-20', 5), point('2026-11-21', 5, priced))).toContain('price');
  expect(figures(point('2026-11-20', 5, priced), point('2026-11-21', 5))).not.toContain('price');
});

it('has the days on which a figure changed in a table, the last first', () => {
  const text = draw(
    point('2026-11-17', 5),
    point('2026-11-18', 5),
    point('2026-11-19', 5, { onSale: true, askingPrice: 700_00 }),
    point('2026-11-20', 5, { onSale: true, askingPrice: 700_00 }),
    point('2026-11-21', 6, { customers: 1_234 }),
  );
  expect(rowsIn(text)).toEqual([
    ['2026-11-21', '$6', '$1', '$90.1T', '1,234', '2', '–', 'no'],
    ['2026-11-19', '$5', '$1', '$90.1T', '3', '2', '$700', 'yes'],
    ['2026-11-17', '$5', '$1', '$90.1T', '3', '2', '–', 'no'],
  ]);
});

it('draws a single day, days without revenue, and none', () => {
  expect(lineIn(draw(point('2026-11-21', 7)))).toMatch(/^M0 [\d.]+H10$/);
  expect(lineIn(draw(point('2026-11-20', 0), point('2026-11-21', 0)))).toBe('M0 100H10V100H20');
  expect(draw()).toContain('There are no figures for these days.');
});

it('shows the date of a single point once', () => {
  const [ticks = ''] = /<p class="ticks".*?<\/p>/.exec(draw(point('2026-11-19', 1))) ?? [];
  expect(ticks.match(/2026-11-19/g)).toHaveLength(1);
});
