/** A name of a column as people see it: without white space around it, line breaks and repeated spaces. */
export function plainName(name: string): string {
  return name.replace(/\s+/g, ' ').trim();
}

/** The names of columns: that of a heading, with its position where another has the same one, or `#3` without one. */
export function nameColumns(headings: readonly string[]): string[] {
  const names = headings.map(plainName);
  // A record cannot have `__proto__` as a key of its own.
  const counts = new Map<string, number>([
    ['', 2],
    ['__proto__', 1],
  ]);
  for (const name of names) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return names.map((name, index) => (counts.get(name) === 1 ? name : `${name} #${index + 1}`.trim()));
}
