import fc from 'fast-check';
import type { GraphQLScalarType } from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';

const scalar = (name: string): GraphQLScalarType => schema.getType(name) as GraphQLScalarType;

it.each([
  ['2024-05-01', '2024-05-01T00:00:00.000Z'],
  ['2024-05-01T00:00:00Z', '2024-05-01T00:00:00.000Z'],
  ['2024-05-01T02:30:00.1234567+02:30', '2024-05-01T00:00:00.123Z'],
  ['2024-02-29T23:59-01:00', '2024-03-01T00:59:00.000Z'],
])('DateTime takes %s as %s', (text, instant) => {
  expect(scalar('DateTime').parseValue(text)).toEqual(new Date(instant));
});

it.each(['2024-05', '2024-05-01T00:00:00', '2024-02-30T00:00:00Z', 'yesterday', '', 1714521600, null])(
  'DateTime refuses %j',
  (value) => {
    expect(() => scalar('DateTime').parseValue(value)).toThrow('allowed: a date of the years 1 to 9999');
  },
);

it('DateTime and Date give every instant as toISOString does', () => {
  const instants = fc.date({
    min: new Date('0001-01-01'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });
  const midnights = instants.map((instant) => new Date(instant.setUTCHours(0, 0, 0, 0)));
  fc.assert(
    fc.property(fc.oneof(instants, midnights), (instant) => {
      expect(scalar('DateTime').serialize(instant)).toBe(instant.toISOString());
      expect(scalar('Date').serialize(instant)).toBe(instant.toISOString().slice(0, 10));
    }),
  );
});

it.each(['2024-02-29', '0001-01-01', '9999-12-31'])('Date takes and gives %s', (day) => {
  expect(scalar('Date').parseValue(day)).toBe(day);
  expect(scalar('Date').serialize(new Date(`${day}T00:00:00Z`))).toBe(day);
});

it.each([
  '2025-02-29',
  '0000-12-31',
  '2024-1-1',
  '2024-13-01',
  '2024-01-01T00:00:00Z',
  '+12024-01-01',
  20240101,
  null,
])('Date refuses %j', (value) => {
  expect(() => scalar('Date').parseValue(value)).toThrow('allowed: a valid date as YYYY-MM-DD');
});
