import {
  type NamedStartupField,
  type StartupFieldPath,
  startupFieldList,
  startupFields,
} from '../../startups/fields.ts';
import { type StartupSort, startupSorts } from '../../startups/vocabulary.ts';

/** One column of numbers in the table of results. */
export interface ShownColumn {
  readonly field: NamedStartupField;
  /** Whether a bar compares its cells. */
  readonly hasBar: boolean;
  /** The orders by it; none where lists have none. */
  readonly sorts: { readonly descending: StartupSort; readonly ascending: StartupSort } | undefined;
}

const column = (path: StartupFieldPath, sortName?: string, hasBar = false): ShownColumn => ({
  field: { path, ...startupFields[path] },
  hasBar,
  sorts:
    sortName === undefined
      ? undefined
      : { descending: requireSort(`${sortName}-desc`), ascending: requireSort(`${sortName}-asc`) },
});

/** The columns of numbers, in order. */
export const columns: readonly ShownColumn[] = [
  column('revenue.last30Days', 'revenue', true),
  column('revenue.mrr', undefined, true),
  column('growth30d', 'growth', true),
  column('askingPrice', 'price', true),
  column('multiple', 'multiple'),
  column('rank'),
];

/** What stands in the first cell of a row. */
const headFields = ['name', 'slug', 'category', 'country', 'onSale'] as const;

/** Every field that the table shows: what the snippets beside it ask for. */
export const shownFields: readonly StartupFieldPath[] = [
  ...headFields,
  ...columns.map(({ field }) => field.path),
];

/** Every field of a startup's own page: those of the detail record. */
export const detailFields: readonly NamedStartupField[] = startupFieldList.filter(
  ({ shape }) => shape !== 'import',
);

/** The figures above the table, of all startups that match. */
export const figures = [
  { column: 'revenue', figure: 'median' },
  { column: 'revenue', figure: 'sum' },
  { column: 'mrr', figure: 'median' },
  { column: 'growth', figure: 'median' },
  { column: 'price', figure: 'median' },
] as const;

function requireSort(name: string): StartupSort {
  const sort = startupSorts.find((one) => one === name);
  if (sort === undefined) {
    throw new Error(`There is no order ${name}`);
  }
  return sort;
}
