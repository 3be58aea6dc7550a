import { Kind, print, type ValueNode } from 'graphql';
import { ALLOWED_DATE, ALLOWED_DAY, dayOf, isDay, readDate, writeInstant } from '../../../lib/text/days.ts';
import { builder } from '../builder.ts';

builder.scalarType('Cents', {
  description:
    'An amount of money in US cents: a JSON integer from 0 to 9007199254740991 (2^53 − 1), more than an Int holds.',
});

builder.scalarType('Date', {
  description: 'A calendar day in UTC as YYYY-MM-DD, such as 2024-05-01.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/local-date.html',
  serialize: (instant) => dayOf(instant as Date),
  ...parsedBy((text) => (isDay(text) ? text : undefined), ALLOWED_DAY),
});

builder.scalarType('DateTime', {
  description:
    'An instant as ISO 8601 in UTC with milliseconds, such as 2024-05-01T00:00:00.000Z. As an argument it ' +
    'may have any offset, and a date alone (2024-05-01) is midnight UTC; digits after the milliseconds are ' +
    'ignored.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  serialize: (instant) => writeInstant(instant as number),
  ...parsedBy(readDate, ALLOWED_DATE),
});

/** How a scalar parses its texts, from literals and from variables; graphql-js adds their location. */
function parsedBy<T>(read: (text: string) => T | undefined, allowed: string) {
  const parse = (given: unknown): T => {
    const value = typeof given === 'string' ? read(given) : undefined;
    if (value === undefined) {
      throw new TypeError(`got ${JSON.stringify(given)?.slice(0, 120)}, allowed: ${allowed}`);
    }
    return value;
  };
  return {
    parseValue: parse,
    parseLiteral: (node: ValueNode) => parse(node.kind === Kind.STRING ? node.value : print(node)),
  };
}
