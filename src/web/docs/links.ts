import { posix } from 'node:path';
import { headingsOf } from './anchors.ts';
import type { IndexedPage } from './search-index.ts';
import { pathOf, type Section } from './section.ts';

/** A link: its label, which may contain code, and its target. */
const LINK = /\[((?:`[^`]*`|[^\]`])+)\]\(([^)\s]+)\)/g;

/** The programs that documents show, by their path in the package; below the same path on a server. */
export const exampleFiles: readonly string[] = ['examples/mirror.mjs', 'examples/crawl.mjs'];

/** The addresses that links lead to: of anchors, such as `#Startup`, and of headings of documents, such as `docs/use/search.md#folded-letters`. */
type Places = ReadonlyMap<string, string>;

/** Finds all places. */
export function placesOf(sections: readonly Section[], indexed: readonly IndexedPage[]): Places {
  const places = new Map([
    ['docs/policy.md', '/policy'],
    ['schema.graphql', '/schema.graphql'],
    ...exampleFiles.map((file): [string, string] => [file, `/${file}`]),
  ]);
  for (const section of sections) {
    const { id, slug, file, text } = section;
    const path = pathOf(section);
    places.set(`#${id}`, path).set(`#${slug}`, path);
    if (file !== undefined) {
      places.set(file, path);
      for (const { anchor } of headingsOf(text)) {
        places.set(`${file}#${anchor}`, `${path}#${anchor}`);
      }
    }
  }
  // Of an anchor that two pages have, the first.
  for (const [slug, , entries] of indexed) {
    for (const [anchor] of entries) {
      places.set(`#${anchor}`, places.get(`#${anchor}`) ?? `${pathOf({ slug })}#${anchor}`);
    }
  }
  return places;
}

/** The text of a section with links to pages. Of a link to what is not served, the label is left. */
export function resolveLinks(section: Section, places: Places): string {
  const { text, file } = section;
  return text.replace(LINK, (_, label, target) => {
    const address = addressOf(target, file, places);
    return address === undefined
      ? label
      : `[${label}](${address.replace(new RegExp(`^${pathOf(section)}(?=#)`), '')})`;
  });
}

function addressOf(target: string, file: string | undefined, places: Places): string | undefined {
  if (/^(?:https?:\/)?\//.test(target)) {
    return target;
  }
  if (file === undefined) {
    return places.get(target);
  }
  return target.startsWith('#')
    ? (places.get(file + target) ?? places.get(target))
    : places.get(posix.join(posix.dirname(file), target));
}
