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

/** The rows of the table with a caption, as texts. */
export function rowsOf(text: string, caption: string): string[][] {
  const [, table = ''] =
    new RegExp(`<caption[^>]*>${caption}[\\s\\S]*?<tbody>([\\s\\S]*?)</tbody>`).exec(text) ?? [];
  return [...table.matchAll(/<tr[^>]*>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[dh][^>]*>([\s\S]*?)<\/t[dh]>/g)].map(([, cell = '']) =>
      cell.replace(/<[^>]+>/g, '').trim(),
    ),
  );
}
