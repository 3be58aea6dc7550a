/** Escapes a text for a LIKE pattern: Prisma's `contains` and `startsWith` do not. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
