import { expect, it } from 'vitest';
import { linePlot } from '../../../src/web/shared/charts.tsx';

const draw = (...dollars: number[]): string =>
  String(
    linePlot({
      id: 'line',
      points: dollars.map((value, index) => ({ day: `2026-11-${index + 10}`, value: value * 100 })),
      unit: 'cents',
      isClose: true,
    }),
  );
const scaleOf = (text: string): string[] =>
  [...(/class="scale".*?<\/p>/s.exec(text)?.[0] ?? '').matchAll(/<span>([^<]*)/g)].map(
    ([, label = '']) => label,
  );
/** The heights of a line, from 0 above to 100 below. */
const heightsOf = (text: string): number[] =>
  [...(/class="line" d="([^"]*)"/.exec(text)?.[1] ?? '').matchAll(/(?:M0 |V)([-\d.]+)/g)].map(([, y]) =>
    Number(y),
  );

it('has round numbers around the values on a close scale, so that small changes are seen', () => {
  const text = draw(2_700_000, 2_630_000, 2_705_000);
  expect(scaleOf(text)).toEqual(['$3M', '$2.5M', '$2M']);
  expect(heightsOf(text)).toEqual([30, 37, 29.5]);
  expect(scaleOf(draw(600, 605, 610))).toEqual(['$700', '$600', '$500']);
  expect(scaleOf(draw(0, 0))).toEqual(['$2', '$1', '0']);
});

it.each([[[1, 1_000]], [[999_999, 1_000_001]], [[0, 3]], [[47, 53]], [[9.7e12, 9.9e12]]])(
  'contains %j on a close scale',
  (values) => {
    for (const height of heightsOf(draw(...values))) {
      expect(height).toBeGreaterThanOrEqual(0);
      expect(height).toBeLessThanOrEqual(100);
    }
  },
);
