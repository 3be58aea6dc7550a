import { SEARCH_LIMITS } from '../../../startups/requests/list-parameters.ts';
import { sampleBlock } from '../sample-block.tsx';
import { codeLink, type DocsData, type Section } from '../section.tsx';

export function search(data: DocsData): Section {
  return {
    id: 'search',
    title: 'Search',
    description: 'Find startups by words, with typing errors corrected.',
    text: (
      <>
        <p>
          The filter {codeLink('Query.startups.search', 'search')} finds startups by the words of their name,
          slug, handle on X and description. A word is a run of letters or digits; case and accents do not
          matter. Each word of the search must match the beginning of a word, so you can leave out the last
          letters. It combines with all other filters, orders and cursors.
        </p>
        <p>
          The default order of a search is <code>relevance</code>: matches in the name come before those in
          slug and handle, these before those in the description; whole words before beginnings of words; then
          startups with higher revenue.
        </p>
        <p>
          If no startup matches the words, whatever the other filters, one typing error is corrected in each
          word of five or more letters, and <code>meta.corrected</code> is true; REST omits it otherwise. A
          search has 1 to {SEARCH_LIMITS.characters} characters and at most {SEARCH_LIMITS.words} words.
        </p>
      </>
    ),
    code: sampleBlock(data, 'search'),
  };
}
