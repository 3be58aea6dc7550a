import {
  type NamedStartupField,
  type StartupFieldPath,
  startupFieldList,
  startupFields,
} from '../../../startups/fields.ts';
import type { StartupSort } from '../../../startups/vocabulary.ts';

/** One column of the table of results that is a field. */
export interface ShownColumn {
  readonly field: NamedStartupField;
  /** Shorter than the field's own name, as columns are narrow. */
  readonly heading: string;
  readonly sorts: { readonly descending: StartupSort; readonly ascending: StartupSort };
}

/** What both an ascending and a descending order are by, such as revenue. */
type SortedBy<Sort> = Sort extends `${infer Name}-asc` ? Name : never;

const column = (path: StartupFieldPath, heading: string, by: SortedBy<StartupSort>): ShownColumn => ({
  field: { path, ...startupFields[path] },
  heading,
  sorts: { descending: `${by}-desc`, ascending: `${by}-asc` },
});

/** The column of names, before all others. */
export const nameColumn: ShownColumn = column('name', 'Startup', 'name');

/** The columns of numbers, in order. The rank is by total revenue. */
export const columns: readonly ShownColumn[] = [
  column('revenue.last30Days', 'Revenue 30d', 'revenue'),
  column('revenue.mrr', 'MRR', 'mrr'),
  column('growth30d', 'Growth 30d', 'growth'),
  column('askingPrice', 'Asking price', 'price'),
  column('multiple', 'Multiple', 'multiple'),
  column('rank', 'Rank', 'total'),
];

/** The columns of text before them. */
const textFields = ['name', 'slug', 'category', 'country', 'onSale'] as const;

/** Every field of the table, which the snippets beside it request. */
export const shownFields: readonly StartupFieldPath[] = [
  ...textFields,
  ...columns.map(({ field }) => field.path),
];

/** Every field of a startup's own page: those of the detail record. */
export const detailFields: readonly NamedStartupField[] = startupFieldList.filter(
  ({ shape }) => shape !== 'import',
);
