import fc from 'fast-check';
import { type GraphQLScalarType, parseConstValue } from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../../src/api/graphql/schema.ts';
import { runs } from '../../support/runs.ts';

const scalar = (name: string): GraphQLScalarType => schema.getType(name) as GraphQLScalarType;

it('DateTime and Date give every instant as toISOString does, and DateTime reads it again', () => {
  const instants = fc.date({
    min: new Date('0001-01-01'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });
  // The last millisecond of a day, and the first.
  const midnights = fc
    .tuple(instants, fc.constantFrom(0, -1))
    .map(([instant, ms]) => new Date(instant.setUTCHours(0, 0, 0, ms)))
    .filter((instant) => instant.getUTCFullYear() > 0);
  fc.assert(
    fc.property(fc.oneof(instants, midnights), (instant) => {
      const text = instant.toISOString();
      expect(scalar('DateTime').serialize(instant)).toBe(text);
      expect(scalar('DateTime').parseValue(text)).toEqual(instant);
      expect(scalar('Date').serialize(instant)).toBe(text.slice(0, 10));
    }),
    runs(1_000),
  );
});

it.each(['2024-05', '2024-05-01T12:00:00', 'yesterday', '', 5])('DateTime refuses %j', (value) => {
  const message = /^got .+, allowed: a date of the years 1 to 9999 \(2024-05-01\) or a date-time/;
  expect(() => scalar('DateTime').parseValue(value)).toThrow(message);
  const node = parseConstValue(JSON.stringify(value));
  expect(() => scalar('DateTime').parseLiteral(node)).toThrow(message);
});

it.each(['2025-02-29', '0000-12-31', '2024-13-01', '+12024-01-01', null])('Date refuses %j', (value) => {
  expect(() => scalar('Date').parseValue(value)).toThrow('allowed: a valid date as YYYY-MM-DD');
});
