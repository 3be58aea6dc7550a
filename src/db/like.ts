/** A text as part of a LIKE pattern that stands for itself: Prisma's `contains` and `startsWith` leave that out. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
