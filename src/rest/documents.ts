import type { StartupFieldKind } from '../startups/fields.ts';
import { nestFields, startupFieldList, startupFields } from '../startups/fields.ts';

/** The selection of the fields up to a shape, `revenue` nested, in the interface's order. */
function selection(shapes: readonly ('list' | 'detail')[]): string {
  const fields = startupFieldList.filter(({ shape }) => (shapes as readonly string[]).includes(shape));
  return [...nestFields(fields.map(({ path }) => path))]
    .map(([name, below]) => (below.length === 0 ? name : `${name} { ${below.join(' ')} }`))
    .join(' ');
}

/** What the list endpoint executes; {@link RECORDS_DOCUMENT} gives the records of what it reads. */
export const LIST_DOCUMENT = `query RestStartups($filter: StartupFilter, $sort: StartupSort, $page: Int, $limit: Int) {
  startups(filter: $filter, sort: $sort, page: $page, limit: $limit) { meta { total page limit hasMore } }
}`;

/** The records of a list, executed for those that have not been rendered before. */
export const RECORDS_DOCUMENT = `query RestRecords($slugs: [String!]!) {
  startupsBySlug(slugs: $slugs) { ${selection(['list'])} }
}`;

/** What the detail endpoint executes. */
export const DETAIL_DOCUMENT = `query RestStartup($slug: String!) {
  startup(slug: $slug) { ${selection(['list', 'detail'])} }
}`;

/** Fields whose values have another spelling in GraphQL. */
export const choiceFields: string[] = Object.entries(startupFields)
  .filter(([, field]) => (field.kind as StartupFieldKind) === 'choice')
  .map(([path]) => path);
