type Values = { readonly [name: string]: unknown };

/** No type of an argument nests values more deeply. */
const DEPTH = 8;

/**
 * Values of JSON whose objects inherit nothing. graphql-js reads the fields of input objects without asking whether they are
 * their own, and a declared field can be called constructor.
 */
export function withoutPrototypes(values: Values, depth = DEPTH): Values {
  return Object.assign(
    Object.create(null),
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plain(value, depth - 1)])),
  );
}

function plain(value: unknown, depth: number): unknown {
  if (depth === 0 || typeof value !== 'object' || value === null) {
    return value;
  }
  return Array.isArray(value)
    ? value.map((item) => plain(item, depth - 1))
    : withoutPrototypes(value as Values, depth);
}
