import { Kind, print } from 'graphql';
import { ALLOWED_INSTANT, readInstant } from '../../startups/instant.ts';
import { builder } from '../builder.ts';

builder.scalarType('Cents', {
  description:
    'An amount of money in US cents: a JSON integer from 0 to 9007199254740991 (2^53 − 1), more than an Int holds.',
  serialize: (amount) => Number(amount),
});

builder.scalarType('DateTime', {
  description:
    'An instant as ISO 8601 in UTC with milliseconds, such as 2024-05-01T00:00:00.000Z. As an argument it may have any offset.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  serialize: (instant) => (instant as Date).toISOString(),
  parseValue: (value) => parseDateTime(value),
  parseLiteral: (node) => parseDateTime(node.kind === Kind.STRING ? node.value : print(node)),
});

/** Of a literal and of a variable alike; graphql-js adds where it stands. */
function parseDateTime(value: unknown): Date {
  const instant = typeof value === 'string' ? readInstant(value) : undefined;
  if (instant === undefined) {
    throw new TypeError(`got ${JSON.stringify(value)?.slice(0, 120)}, allowed: ${ALLOWED_INSTANT}`);
  }
  return instant;
}
