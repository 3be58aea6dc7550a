import { nestFields, startupFieldList } from '../startups/fields.ts';

/**
 * All fields of a record but its rank, those of the list first, `revenue` nested, in the interface's order. The
 * rank, which changes with other records, is put in where they are put together.
 */
function selection(): string {
  const fields = startupFieldList.filter(({ shape, path }) => shape !== 'import' && path !== 'rank');
  return [...nestFields(fields.map(({ path }) => path))]
    .map(([name, below]) => (below.length === 0 ? name : `${name} { ${below.join(' ')} }`))
    .join(' ');
}

/** What the list endpoint executes; {@link RECORDS_DOCUMENT} gives the records of what it reads. */
export const LIST_DOCUMENT = `query RestStartups($filter: StartupFilter, $sort: StartupSort, $page: Int, $limit: Int) {
  startups(filter: $filter, sort: $sort, page: $page, limit: $limit) { meta { total page limit hasMore } }
}`;

/** Records, executed for those that have not been written before. */
export const RECORDS_DOCUMENT = `query RestRecords($slugs: [String!]!) {
  startupsBySlug(slugs: $slugs) { ${selection()} }
}`;
