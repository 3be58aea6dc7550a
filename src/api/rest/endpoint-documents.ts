import { parse, print } from 'graphql';
import { FACETS } from '../../startups/catalogue/query/facets.ts';
import { STAT_FIGURES, STATS } from '../../startups/catalogue/query/statistics.ts';
import { nestFields, type StartupFieldPath, startupFieldList } from '../../startups/model/fields.ts';
import type { OwnField, OwnPath } from '../../startups/model/own-fields.ts';
import { pointFigureList } from '../../startups/model/point-figures.ts';

/** The fields of a record of the list or of the detail endpoint, in the interface's order, `revenue` nested. */
export function shapeSelection(shape: 'list' | 'detail'): string {
  const fields = startupFieldList.filter((field) => field.shape === 'list' || field.shape === shape);
  return selectionOf(fields.map(({ path }) => path));
}

/** The declared fields of a record; nothing if there are none. */
export const ownSelection = (own: readonly OwnField[]): string =>
  own.length === 0 ? '' : ` own { ${own.map(({ name }) => name).join(' ')} }`;

/** Selects fields by their paths, `revenue` nested. */
export function selectionOf(paths: readonly (StartupFieldPath | OwnPath)[]): string {
  return selectFields(nestFields(paths));
}

/** Selects fields with the names below them. @param sourceOf the field that a name of the response is of. */
export function selectFields(
  fields: ReadonlyMap<string, readonly string[]>,
  sourceOf = (name: string): string => name,
): string {
  return [...fields]
    .map(([name, below]) => {
      const source = sourceOf(name);
      const field = source === name ? name : `${name}: ${source}`;
      return below.length === 0 ? field : `${field} { ${below.join(' ')} }`;
    })
    .join(' ');
}

/** A document as the tools of GraphQL format it, with long arguments on lines of their own, for narrow windows. */
export const formatted = (text: string): string =>
  print(parse(text)).replace(/^( *)(.*\w\()([^"]{36,})\) \{$/gm, (_, indent, start, list: string) =>
    [
      `${indent}${start}`,
      ...list.split(/, (?![^{[]*[}\]])/).map((one) => `${indent}  ${one}`),
      `${indent}) {`,
    ].join('\n'),
  );

/** A document that reads a page of a list. @param selected of each startup. */
export const listDocument = (selected: string): string =>
  `query RestStartups($filter: StartupFilter, $sort: StartupSort, $page: Int, $limit: Int) {
  startups(filter: $filter, sort: $sort, page: $page, limit: $limit) {
    page { ${selected} }
    meta { total page limit hasMore corrected }
  }
}`;

/** All statistics of a list. */
export const STATS_SELECTION = `stats { ${STATS.map((column) => `${column} { ${STAT_FIGURES.join(' ')} }`).join(' ')} }`;
const SUMMARY_SELECTION = `
    facets {
      ${FACETS.map((facet) => `${facet} { value count }`).join(' ')}
      ${STATS.map((column) => `${column} { from to count }`).join(' ')}
    }
    ${STATS_SELECTION}
    meta { total corrected }`;

/** The document of the summary of a list. */
export const SUMMARY_DOCUMENT = `query RestSummary($filter: StartupFilter) {
  startups(filter: $filter) {${SUMMARY_SELECTION}
  }
}`;

/** The document of the summary of a list with groups. */
export const GROUPED_SUMMARY_DOCUMENT = `query RestSummaryBy($filter: StartupFilter, $by: StartupGrouping!) {
  startups(filter: $filter) {${SUMMARY_SELECTION}
    groups(by: $by) { value count onSale ${STATS_SELECTION} }
  }
}`;

/** A document that reads changes. @param selected of each startup. */
export const changesDocument = (selected: string): string =>
  `query RestChanges($since: String, $limit: Int) {
  changes(since: $since, first: $limit) {
    edges { node { slug kind at startup { ${selected} } } }
    pageInfo { hasNextPage }
    next
  }
}`;

/** All that a point of a history has. */
export const POINT_SELECTION = `day ${selectionOf(pointFigureList.map(({ path }) => path))}`;

/** The history of a startup, with its variables. */
export const HISTORY_SELECTION = `history(from: $from, to: $to, last: $last, fill: $fill) {
      ${POINT_SELECTION}
    }`;
export const HISTORY_VARIABLES = '$from: Date, $to: Date, $last: Int, $fill: Boolean';
