/** Text of a page without its escapes. */
export function decoded(text: string): string {
  const characters: Record<string, string> = { quot: '"', lt: '<', gt: '>', amp: '&' };
  return text.replace(/&(?:#(\d+)|(quot|lt|gt|amp));/g, (_, code, name) =>
    code === undefined ? (characters[name] ?? '') : String.fromCharCode(Number(code)),
  );
}

/** The text of a page. */
export function textIn(html: string): string {
  return decoded(html.replace(/<[^>]*>/g, ''));
}
