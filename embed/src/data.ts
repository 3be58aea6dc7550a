type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where lists usually are. */
const NAMES = ['page', 'nodes', 'edges', 'history', 'market'];

/** The first list of records in a result: `page`, `nodes` or `edges` of a list, days, or whatever is there. */
export function findRows(value: unknown): Fields[] | undefined {
  if (Array.isArray(value)) {
    const rows = value.filter(isObject);
    return rows.map((row) => (isObject(row.node) ? row.node : row));
  }
  if (!isObject(value)) {
    return undefined;
  }
  const usual = NAMES.map((name) => value[name]);
  for (const child of [...usual, ...Object.values(value)]) {
    const rows = findRows(child);
    if (rows !== undefined) {
      return rows;
    }
  }
  return undefined;
}

/** The paths of all values of a record that are no lists. */
export function leavesOf(value: Fields, path = ''): string[] {
  return Object.entries(value).flatMap(([name, child]) =>
    isObject(child) ? leavesOf(child, `${path}${name}.`) : Array.isArray(child) ? [] : [path + name],
  );
}

/** The only field of a result, or all of them. */
export function rootOf(data: unknown): Fields {
  const [only, ...others] = isObject(data) ? Object.values(data) : [];
  return others.length === 0 && isObject(only) ? only : isObject(data) ? data : {};
}
