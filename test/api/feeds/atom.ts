import { SaxesParser } from 'saxes';
import { expect } from 'vitest';

const ATOM = 'http://www.w3.org/2005/Atom';
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** An element of a feed. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** Reads XML strictly: it must be well-formed, with declared namespaces and allowed characters only. */
export function parseXml(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    expect(uri).toBe(ATOM);
    const values = Object.entries(attributes).map(([name, { value }]) => [name, value]);
    const element = { name: local, attributes: Object.fromEntries(values), children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    (open.at(-1) as Element).text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return root.children[0] as Element;
}

export const all = ({ children }: Element, name: string): Element[] =>
  children.filter((child) => child.name === name);
export const textOf = (element: Element, name: string): string | undefined => all(element, name)[0]?.text;

/** Reads a feed, and checks it by the rules of RFC 4287 and the warnings of the W3C's validator that concern it. */
export function readFeed(xml: string): Element {
  const feed = parseXml(xml);
  expect(feed.name).toBe('feed');
  const self = all(feed, 'link').filter(({ attributes }) => attributes.rel === 'self');
  expect(self).toHaveLength(1);
  expect(all(feed, 'author').map((author) => textOf(author, 'name'))).toEqual([expect.stringMatching(/./)]);
  const entries = all(feed, 'entry');
  for (const element of [feed, ...entries]) {
    for (const name of ['id', 'title', 'updated']) {
      expect(all(element, name), name).toMatchObject([{ text: expect.stringMatching(/./) }]);
    }
    // An absolute IRI, in the form in which it is compared.
    expect(textOf(element, 'id')).toMatch(
      /^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    );
    expect(textOf(element, 'updated')).toMatch(DATE);
    for (const { attributes } of all(element, 'link')) {
      expect(new URL(attributes.href ?? '').protocol).toMatch(/^https?:$/);
      expect(['self', 'alternate']).toContain(attributes.rel);
    }
    expect(all(element, 'link').length).toBeLessThanOrEqual(1);
  }
  for (const entry of entries) {
    // Without a link to it, an entry has its content.
    expect(all(entry, 'content').map(({ attributes }) => attributes)).toEqual([{ type: 'text' }]);
    expect(all(entry, 'published')).toMatchObject([{ text: expect.stringMatching(DATE) }]);
    const known = ['id', 'title', 'published', 'updated', 'link', 'content'];
    expect(
      entry.children.filter(({ name, children }) => !known.includes(name) || children.length > 0),
    ).toEqual([]);
  }
  const ids = [feed, ...entries].map((element) => textOf(element, 'id'));
  expect(new Set(ids).size).toBe(ids.length);
  return feed;
}
