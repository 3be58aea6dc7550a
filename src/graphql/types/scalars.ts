import { builder } from '../builder.ts';

builder.scalarType('Cents', {
  description:
    'An amount of money in US cents: a JSON integer from 0 to 9007199254740991 (2^53 − 1), more than an Int holds.',
  serialize: (amount) => Number(amount),
});

builder.scalarType('DateTime', {
  description: 'An instant as ISO 8601 in UTC with milliseconds, such as 2024-05-01T00:00:00.000Z.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  serialize: (instant) => (instant as Date).toISOString(),
});
