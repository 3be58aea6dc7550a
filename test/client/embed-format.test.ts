import { expect, it } from 'vitest';
import { show } from '../../embed/src/format.ts';

const DAY_MS = 86_400_000;
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

it.each([
  [ago(90_000), '1 minute ago', false],
  [ago(47.5 * 3_600_000), '47 hours ago', false],
  [ago(3.5 * DAY_MS), '3 days ago', false],
  [ago(30.5 * DAY_MS), '30 days ago', true],
  [ago(400.5 * DAY_MS), '400 days ago', true],
])('the component shows %s, when figures were verified, as %s', (at, text, isOld) => {
  expect(show('verifiedAt', at)).toEqual({ text, isOld });
  expect(show('startup.verifiedAt', null)).toEqual({ text: '–' });
  expect(show('founderName', ' ')).toEqual({ text: '–' });
});

it.each([
  ['growth30d', 24.25, '+24.3%'],
  ['growth30d', -24.25, '−24.3%'],
  ['stats.growth.median', -3, '−3%'],
  ['profitMarginLast30Days', 40, '40%'],
  ['revenue.mrr', -4_200_00, '−$4,200'],
  ['revenue.mrr', 42, '$0.42'],
  // From a million on as in the explorer; rounded, it can be just below.
  ['askingPrice', 818_110_000, '$8.2M'],
  ['askingPrice', 99_999_950, '$1M'],
  ['askingPrice', 99_999_949, '$999,999'],
  ['multiple', 2.44, '2.4×'],
])('the component shows %s %d as the dashboard does: %s', (path, value, text) => {
  expect(show(path, value)).toEqual({ text });
});
