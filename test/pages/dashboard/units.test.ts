import { expect, it } from 'vitest';
import {
  boundFields,
  readTyped,
  showTyped,
  showWithUnit,
} from '../../../src/pages/dashboard/explorer/units.ts';

const unitOf = (parameter: string) => {
  const field = boundFields.get(parameter);
  if (field === undefined) {
    throw new Error(`${parameter} is no bound`);
  }
  return field.unit;
};
const [dollars, percent] = [unitOf('minPrice'), unitOf('minGrowth')];

it.each([
  ['1200', '120000', '1,200'],
  ['1,200.5', '120050', '1,200.50'],
  ['$90,071,992,547,409.91', '9007199254740991', '90,071,992,547,409.91'],
  ['-$5', '-500', '-5'],
  ['-5', '-500', '-5'],
  ['0.001', '0.1', '0.001'],
  ['007', '700', '7'],
  ['1,20', undefined, undefined],
  ['1,2000', undefined, undefined],
  ['5k', undefined, undefined],
  ['1e3', undefined, undefined],
  ['.5', undefined, undefined],
  ['1 200', undefined, undefined],
  ['9'.repeat(21), undefined, undefined],
])('%s dollars are %s cents exactly, shown as %s', (text, cents, shown) => {
  expect(readTyped(text, dollars)).toBe(cents);
  if (cents !== undefined) {
    expect(showTyped(cents, dollars)).toBe(shown);
  }
});

it.each([
  ['12.5', '0.125', '12.5'],
  ['12.5 %', '0.125', '12.5'],
  ['-100%', '-1', '-100'],
  ['0.1', '0.001', '0.1'],
  ['1,000', '10', '1,000'],
  ['ten', undefined, undefined],
])('%s percent are the fraction %s exactly, shown as %s', (text, fraction, shown) => {
  expect(readTyped(text, percent)).toBe(fraction);
  if (fraction !== undefined) {
    expect(showTyped(fraction, percent)).toBe(shown);
  }
});

it('names the unit, and leaves text that is not a number unchanged', () => {
  expect(showWithUnit('-120050', dollars)).toBe('-$1,200.50');
  expect(showWithUnit('0.125', percent)).toBe('12.5 %');
  expect(showTyped('1e3', dollars)).toBe('1e3');
});
