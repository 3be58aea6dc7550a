import { shortLabelOf } from '../../startups/model/field-labels.ts';
import type { StartupFieldPath } from '../../startups/model/fields.ts';
import { cellOf } from '../dashboard/explorer/columns.tsx';
import { EXPLORER_PATH } from '../dashboard/explorer/query.ts';
import { type ShownStartup, selectionOf } from '../dashboard/explorer/requests.ts';
import { ListTable, Tabs } from '../shared/components.tsx';
import type { Html } from '../shared/jsx.ts';

/** The orders in which the first page lists startups, by their names in its address. */
const orders = {
  deals: { label: 'Best deals', args: 'filter: { onSale: true }, sort: BEST_DEAL' },
  largest: { label: 'Largest', args: 'sort: REVENUE_DESC' },
  newest: { label: 'Newest', args: 'sort: CREATED_DESC' },
} as const;
export type RowOrder = keyof typeof orders;

/** The order that the address of the page names, or the first one. */
export const rowOrderOf = (text: string | undefined): RowOrder =>
  text !== undefined && Object.hasOwn(orders, text) ? (text as RowOrder) : 'deals';

const shownFields: readonly StartupFieldPath[] = [
  'category',
  'revenue.last30Days',
  'growth30d',
  'askingPrice',
  'multiple',
];

/** What the list reads: ten startups. */
export const rowsDocument = (order: RowOrder): string =>
  `{ startups(${orders[order].args}) { page { ${selectionOf(['name', 'slug', 'previousAskingPrice', ...shownFields]).join(' ')} } } }`;

/** Ten startups to read without an account. A name leads to signing in, and then to its page. @param now ms since 1970. */
export function startupRows(rows: readonly ShownStartup[], order: RowOrder, now: number): Html {
  return (
    <section id="startups" aria-labelledby="ten">
      <h2 id="ten">Startups</h2>
      <Tabs
        label="Order"
        tabs={Object.entries(orders).map(([name, { label }]) => ({
          path: `/?order=${name}#startups`,
          label,
          isCurrent: name === order,
        }))}
      />
      {rows.length === 0 ? (
        <p class="soft">No startup is for sale.</p>
      ) : (
        <ListTable
          caption={orders[order].label}
          isCaptionHidden
          isCompact
          columns={[
            ['Startup', ({ name, slug }) => <a href={`${EXPLORER_PATH}/${slug}`}>{name}</a>],
            ...shownFields.map(
              (path) =>
                [
                  shortLabelOf(path),
                  (row: ShownStartup) => cellOf(path)(row, now),
                  path === 'category' ? 'text' : 'number',
                ] as const,
            ),
          ]}
          rows={rows}
        />
      )}
    </section>
  );
}
