import fc from 'fast-check';
import { expect, it } from 'vitest';
import { writeInstant } from '../../src/startups/days.ts';
import { readDate } from '../../src/startups/instant.ts';
import { runs } from '../support/runs.ts';

const instants = fc.oneof(
  fc.integer({ min: Date.parse('0001-01-01T00:00:00Z'), max: Date.parse('9999-12-31T23:59:59.999Z') }),
  // The last millisecond of a day, and the first.
  fc
    .integer({ min: -100_000, max: 100_000 })
    .chain((day) => fc.constantFrom(0, -1, 1).map((ms) => day * 86_400_000 + ms)),
);

it('writes an instant as Date does, and reads it again', () => {
  fc.assert(
    fc.property(instants, (instant) => {
      const text = writeInstant(instant);
      expect(text).toBe(new Date(instant).toISOString());
      expect(readDate(text)?.getTime()).toBe(instant);
    }),
    runs(1_000),
  );
});
