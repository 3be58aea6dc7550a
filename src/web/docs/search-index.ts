import { findHeading, splitAnchor } from './anchors.ts';
import type { Section } from './section.ts';

/** An anchor of a page with what stands there; the first one of a page is the page itself. */
type Place = [anchor: string, name: string, text: string];

/** A line that readers do not see: none, a comment, the rule of a table, or the fence of a code block. */
const MARK = /^(?:\s*|<!--.*-->|[|:\- ]*---[|:\- ]*|```.*)$/;

/** A page as the search reads it. */
export type IndexedPage = readonly [slug: string, title: string, places: readonly Place[]];

/** Reads all text of a section, by the anchor at which it stands. */
export function indexSection({ slug, title, description, text }: Section): IndexedPage {
  let current: Place = ['', title, description];
  const places = [current];
  for (const line of text.split('\n').filter((one) => !MARK.test(one))) {
    const heading = findHeading(line);
    const [words, anchor] = splitAnchor(line);
    if (heading !== undefined) {
      current = [heading.anchor, plain(heading.title), ''];
      places.push(current);
    } else if (anchor !== undefined) {
      // A field or a value is called what its first code says.
      places.push([anchor, /`([^`]+)`/.exec(words)?.[1] ?? '', plain(words.replace(/^- /, ''))]);
    } else {
      current[2] += ` ${plain(words)}`;
    }
  }
  return [slug, title, places.map(([anchor, name, words]) => [anchor, name, words.trim()])];
}

/** A line of Markdown as a reader sees it; cells of a table and items of a list have a dot before them. */
const plain = (line: string): string =>
  line
    .replace(/\[((?:[^[\]]|\[[^\]]*\])*)\]\([^)]*\)/g, '$1')
    .replace(/[*`]+|\|$/g, '')
    .replace(/(?: *\|)+ *|^ *- /g, ' · ')
    .replace(/\s+/g, ' ')
    .trim();
