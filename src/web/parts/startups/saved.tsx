import { SAVED_PATH } from '../../shared/paths.ts';

/** How many startups stand side by side, at most. */
export const COMPARE_MAX = 4;

/** The parameter of the saved startups with the startups that stand side by side. */
export const COMPARED = 'compare';

/** The view of the saved startups in which some startups stand side by side. */
export const comparePath = (slugs: readonly string[]): string =>
  `${SAVED_PATH}?${COMPARED}=${slugs.join(',')}`;

/** Says that startups are not there. */
export const notListed = (slugs: readonly string[]): string =>
  `No startup is listed as ${slugs.map((slug) => `“${slug}”`).join(' or ')}. ${slugs.length > 1 ? 'They' : 'It'} may have been removed.`;
