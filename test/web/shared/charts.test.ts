import { expect, it } from 'vitest';
import {
  drawnSeries,
  historyChart,
  type StartupDay,
} from '../../../src/web/parts/startups/history-chart.tsx';
import { linePlot, sparkline } from '../../../src/web/shared/charts.tsx';
import { rowsOf } from '../../support/html.ts';

const point = (day: string, dollars: number, more: Partial<StartupDay> = {}): StartupDay => ({
  day: `2026-11-${day}`,
  customers: 3,
  activeSubscriptions: 2,
  revenue: { last30Days: dollars * 100, mrr: 100, total: Number.MAX_SAFE_INTEGER },
  askingPrice: null,
  onSale: false,
  ...more,
});
const draw = (...points: StartupDay[]): string => String(historyChart(points, drawnSeries(points)));
const lineIn = (text: string): string | undefined => /class="line" d="([^"]*)"/.exec(text)?.[1];

it('draws each day as a step as high as its revenue, from the second day on, and says it in words', () => {
  const text = draw(point('19', 0), point('20', 50), point('21', 100));
  expect(text).toContain('viewBox="0 0 30 100"');
  expect(lineIn(text)).toBe('M0 100H10V50H20V0H30');
  expect(text).toContain('$0 on 2026-11-19, $100 on 2026-11-21.');
  expect(text).toMatch(/<span>Nov 19<\/span><span>Nov 20<\/span><span>Nov 21<\/span>/);
  const single = draw(point('21', 7));
  expect(single).toContain('$7</data>');
  expect(single).toContain('History starts on 2026-11-21. A chart appears with the second day.');
  expect(lineIn(single)).toBeUndefined();
  // A figure that is known since the last of several days.
  expect(draw(point('20', 7), point('21', 7, { askingPrice: 100 }))).toMatch(/class="line" d="M0 [\d.]+H10"/);
  expect(lineIn(draw(point('20', 0), point('21', 0)))).toBe('M0 100H10V100H20');
  expect(draw()).toContain('There are no figures for these days.');
});

it('draws each figure that is known on all days since its first, with the value of each day for a script', () => {
  const text = draw(
    point('19', 5, { askingPrice: 100_00 }),
    point('20', 6, { customers: 1_234 }),
    point('21', 7, { askingPrice: 200_00 }),
  );
  expect(text.match(/data-start="2026-11-19"/g)).toHaveLength(3);
  expect(text.replaceAll('&quot;', '"')).toContain('data-values="["3","1,234","3"]"');
  expect(text).toContain('+40%</data> in 2 days');
  const names = (...points: StartupDay[]) => drawnSeries(points).map(({ name }) => name);
  const priced = { askingPrice: 100_00 };
  expect(names(point('20', 5), point('21', 5, priced))).toEqual(['revenue', 'mrr', 'customers', 'price']);
  expect(names(point('20', 5, priced), point('21', 5))).toEqual(['revenue', 'mrr', 'customers']);
});

it('has the days on which a figure changed in a table, the last first', () => {
  const sold = { onSale: true, askingPrice: 700_00 };
  const text = draw(
    point('17', 5),
    point('18', 5),
    point('19', 5, sold),
    point('20', 5, sold),
    point('21', 6, { customers: 1_234 }),
  );
  expect(rowsOf(text, 'In UTC')).toEqual([
    ['2026-11-21', '$6', '$1', '$90.1T', '1,234', '2', '–', 'No'],
    ['2026-11-19', '$5', '$1', '$90.1T', '3', '2', '$700', 'Yes'],
    ['2026-11-17', '$5', '$1', '$90.1T', '3', '2', '–', 'No'],
  ]);
});

/** The texts of a close scale, and the heights of its line, from 0 above to 100 below. */
function closely(...dollars: number[]) {
  const points = dollars.map((value, index) => ({ day: `2026-11-${index + 10}`, value: value * 100 }));
  const text = String(linePlot({ id: 'line', points, unit: 'cents', isClose: true }));
  const [scale = ''] = /class="scale".*?<\/p>/s.exec(text) ?? [];
  return {
    scale: [...scale.matchAll(/<span>([^<]*)/g)].map(([, label]) => label),
    heights: [...(lineIn(text) ?? '').matchAll(/(?:M0 |V)([-\d.]+)/g)].map(([, y]) => Number(y)),
  };
}

it('has round numbers around the values on a close scale, so that small changes are seen', () => {
  expect(closely(2_700_000, 2_630_000, 2_705_000)).toEqual({
    scale: ['$3M', '$2.5M', '$2M'],
    heights: [30, 37, 29.5],
  });
  expect(closely(600, 605, 610).scale).toEqual(['$700', '$600', '$500']);
  expect(closely(0, 0).scale).toEqual(['$2', '$1', '$0']);
  for (const values of [
    [1, 1_000],
    [999_999, 1_000_001],
    [0, 3],
    [47, 53],
    [9.7e12, 9.9e12],
  ]) {
    for (const height of closely(...values).heights) {
      expect(height >= 0 && height <= 100, values.join()).toBe(true);
    }
  }
});

it.each([
  ['rises to its last day', [0, 100], '0 20L80 0'],
  ['stays on its last days as it was', [0, 100, 100, 100], '0 20L26.7 0L80 0'],
  ['returns on its last day', [0, 100, 0], '0 20L40 0L80 20'],
  ['never changes', [50, 50, 50], '0 10L80 10'],
])('a small line that %s is drawn up to it', (_what, values, path) => {
  expect(String(sparkline(values, 'a summary'))).toContain(`<path d="M${path}"`);
});
