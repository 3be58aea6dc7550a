import type { Content } from '../shared/jsx.ts';
import { childrenOf, isElement, textOf } from './markdown-text.ts';
import { type Section, slugOf } from './section.tsx';

/** An anchor of a page with what stands there; the first one of a page is the page itself. */
type Entry = [anchor: string, name: string, text: string];

/** A page as the search reads it. */
export type IndexedPage = readonly [slug: string, title: string, entries: readonly Entry[]];

/** What says nothing of its own: samples, and marks for a screen. */
const OMITTED = /\b(?:anchor|hidden|sample)\b/;
/** Elements whose text belongs to the words around them. */
const INLINE = /^(?:a|code|strong)$/;

/** Reads all text of a section, by the anchor at which it stands. */
export function indexSection(section: Section): IndexedPage {
  let current: Entry = ['', section.title, `${section.description} `];
  const entries = [current];
  const begin = (anchor: unknown, name: string): void => {
    current = [String(anchor), name, ''];
    entries.push(current);
  };
  const read = (view: Content): void => {
    if (Array.isArray(view)) {
      view.forEach(read);
    } else if (!isElement(view)) {
      current[2] += typeof view === 'boolean' ? '' : String(view ?? '');
    } else if (!OMITTED.test(String(view.props.class ?? '')) && view.tag !== 'button') {
      const { tag, props } = view;
      const outer = current;
      if (/^h\d$/.test(String(tag))) {
        begin(props.id, textOf(childrenOf(view)).replace(/\s*#$/, ''));
        return;
      }
      const hasAnchor = props.id !== undefined && typeof tag === 'string' && tag !== 'code';
      if (hasAnchor) {
        begin(props.id, '');
      }
      if (tag === 'code' && current[1] === '') {
        // A field or a value is called what its first code says.
        current[1] = textOf(view);
      }
      read(childrenOf(view));
      if (!INLINE.test(String(tag))) {
        current[2] += ' ';
      }
      if (hasAnchor) {
        current = outer;
      }
    }
  };
  read(section.text);
  return [
    slugOf(section),
    section.title,
    entries.map(([anchor, name, text]) => [anchor, name, text.replace(/\s+/g, ' ').trim()]),
  ];
}
