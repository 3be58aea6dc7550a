/** The anchor of a heading or of an entry, at the end of its line: `## The body of an error {#Error}`. */
const ANCHOR = / \{#([^}]+)\}$/gm;

/** A line without its anchor, and the anchor if it has one. */
export function splitAnchor(line: string): [text: string, anchor: string | undefined] {
  return [line.replace(ANCHOR, ''), [...line.matchAll(ANCHOR)][0]?.[1]];
}

/** Markdown as other programs know it, without comments. */
export const plainMarkdown = (text: string): string =>
  text
    .replace(ANCHOR, '')
    .replace(/<!-- .* -->\n*/g, '')
    .trim();

/** A heading of a text. */
export interface Heading {
  readonly level: number;
  readonly title: string;
  readonly anchor: string;
}

/** A heading. If it states no anchor, it has the one that GitHub makes. */
export function headingOf(level: number, text: string): Heading {
  const [title, anchor = anchorOf(title)] = splitAnchor(text);
  return { level, title, anchor };
}

/** The heading in a line of Markdown. */
export function findHeading(line: string): Heading | undefined {
  const [, marks, text = ''] = /^(#{2,3}) (.+)$/.exec(line) ?? [];
  return marks === undefined ? undefined : headingOf(marks.length, text);
}

export const headingsOf = (text: string): Heading[] =>
  text.split('\n').flatMap((line) => findHeading(line) ?? []);

export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');
