/** A number with what it counts, such as `1 startup` or `1,200 startups`. */
export function amount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
