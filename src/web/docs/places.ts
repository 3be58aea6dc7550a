import { posix } from 'node:path';
import { errorStatuses } from '../../lib/errors.ts';
import type { Steps } from '../../lib/loop/time-slices.ts';
import { anchorOf, type GeneratedParts, pathOf, type Section } from './contents.ts';

/** The anchor of a heading or of an entry, at the end of its line: `## The body of an error {#Error}`. */
const ANCHOR = / \{#([^}]+)\}$/gm;
/** A part of a document that follows from the code. */
const GENERATED = /(?<=<!-- ([\w-]+) -->\n)[\s\S]*?(?=<!-- \/\1 -->)/g;
/** What documents name that has a place here: paths of pages, and error codes. */
const NAMED = new RegExp(
  `(?<!\\[)\`(/(?:dashboard(?:/keys|/explorer)?|docs(?:/schema)?|graphql|openapi\\.json|schema\\.graphql|policy|` +
    `llms\\.txt)|${Object.keys(errorStatuses).join('|')})\``,
  'g',
);
/** A link: its label, which may contain code, and its target. */
const LINK = /\[((?:`[^`]*`|[^\]`])+)\]\(([^)\s]+)\)/g;
/** A line that readers do not see: none, a comment, or the rule of a table. */
const MARK = /^(?:\s*|<!--.*-->|[|:\- ]*---[|:\- ]*)$/;
/** An entry: its name, its facts and its description. Colons in code end nothing. */
export const ENTRY = /^(`[^`]+`)((?:`[^`]*`|[^`:]|:(?! ))*)(?:: (.*))?$/s;

/** The programs that documents show, by their path in the package; below the same path on a server. */
export const exampleFiles: readonly string[] = ['examples/mirror.mjs', 'examples/crawl.mjs'];

/** A document with its generated parts, by name, as `docs/` has it. */
export function withGenerated(text: string, generated: GeneratedParts): string {
  return text.replace(GENERATED, (part, name) => {
    const written = generated[name]?.();
    return written === undefined ? part : `\n${written}\n\n`;
  });
}

/** A document as this server shows it, without its title, and with links from what it names. */
export function servedDocument(text: string, origin: string, generated: GeneratedParts): string {
  const linked = text
    .replace(/^# .*\n/, '')
    .replace(NAMED, (name, to) => `[${name}](${to.startsWith('/') ? to : `#${to}`})`);
  return withGenerated(linked, generated).replaceAll('https://api.example.com', origin);
}

/** Markdown as other programs know it, without anchors and comments. */
export const plainMarkdown = (text: string): string =>
  text
    .replace(ANCHOR, '')
    .replace(/<!-- .* -->\n*/g, '')
    .trim();

/** A line without its anchor, and the anchor if it has one. */
export function splitAnchor(line: string): [text: string, anchor: string | undefined] {
  return [line.replace(ANCHOR, ''), [...line.matchAll(ANCHOR)][0]?.[1]];
}

/** The title and the anchor of a heading. If it states no anchor, it has the one that GitHub makes. */
export function headingOf(text: string): readonly [title: string, anchor: string] {
  const [title, anchor = anchorOf(title)] = splitAnchor(text);
  return [title, anchor];
}

/** An anchor of a page with what stands there: its sentences, and its tables and code. The first is the page itself. */
type Place = [anchor: string, name: string, text: string, rest: string];

/** All text of a section, by the anchor at which it stands. */
export function placesIn({
  title,
  description,
  text,
}: Pick<Section, 'title' | 'description' | 'text'>): readonly Place[] {
  let current: Place = ['', title, description, ''];
  let isCode = false;
  const places = [current];
  for (const line of text.split('\n').filter((one) => !MARK.test(one))) {
    const isFence = /^ *```/.test(line);
    isCode = isCode !== isFence;
    const [, heading] = /^#{2,3} (.+)$/.exec(line) ?? [];
    const [words, anchor] = splitAnchor(line);
    if (heading !== undefined) {
      const [title, to] = headingOf(heading);
      current = [to, plain(title), '', ''];
      places.push(current);
    } else if (anchor !== undefined) {
      const [, name = '', facts = words, meaning = ''] = ENTRY.exec(words.replace(/^- /, '')) ?? [];
      places.push([anchor, plain(name), plain(meaning), plain(facts)]);
    } else if (!isFence) {
      current[isCode || line.startsWith('|') ? 3 : 2] += ` ${plain(words)}`;
    }
  }
  return places.map(([anchor, name, ...words]) => [anchor, name, words[0].trim(), words[1].trim()]);
}

/** A line of Markdown as a reader sees it; cells of a table and items of a list have a dot before them. */
const plain = (line: string): string =>
  line
    .replace(/\[((?:[^[\]]|\[[^\]]*\])*)\]\([^)]*\)/g, '$1')
    .replace(/[*`]+|\|$/g, '')
    .replace(/(?: *\|)+ *|^ *- /g, ' · ')
    .replace(/\s+/g, ' ')
    .trim();

/** Addresses by what links name: anchors, such as `#Startup`, and documents with their headings. */
type Addresses = ReadonlyMap<string, string>;

/** Finds what links can lead to. */
export function* addressesOf(sections: readonly Section[]): Steps<Addresses> {
  const addresses = new Map([
    ['docs/policy.md', '/policy'],
    ['#Startup', '/docs/startup-record'],
    ['schema.graphql', '/schema.graphql'],
    ...exampleFiles.map((file): [string, string] => [file, `/${file}`]),
    ...sections.map((section): [string, string] => [`#${section.slug}`, pathOf(section)]),
  ]);
  for (const section of sections) {
    const { file = '' } = section;
    for (const [anchor] of placesIn(section)) {
      const hash = anchor === '' ? '' : `#${anchor}`;
      addresses.set(file + hash, pathOf(section) + hash);
      // Of an anchor that two pages have, the first.
      addresses.set(hash, addresses.get(hash) ?? pathOf(section) + hash);
    }
    yield;
  }
  return addresses;
}

/** The text of a section with links to pages. Of a link to what is not served, the label is left. */
export function resolveLinks(section: Section, addresses: Addresses): string {
  const own = new RegExp(`^${pathOf(section)}(?=#)`);
  return section.text.replace(LINK, (_, label, target) => {
    const address = addressOf(target, section, addresses);
    return address === undefined ? label : `[${label}](${address.replace(own, '')})`;
  });
}

function addressOf(target: string, { file = '' }: Section, addresses: Addresses): string | undefined {
  if (/^(?:https?:\/)?\//.test(target)) {
    return target;
  }
  return target.startsWith('#')
    ? (addresses.get(file + target) ?? addresses.get(target))
    : addresses.get(posix.join(posix.dirname(file), target));
}
