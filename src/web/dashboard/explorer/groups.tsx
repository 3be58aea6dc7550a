import type { FieldUnit } from '../../../startups/model/field-labels.ts';
import { figureLabel, figureUnit } from '../../../startups/model/figure-labels.ts';
import { groupings, leftOutOfGroups } from '../../../startups/model/vocabulary.ts';
import { readField, showValue } from '../../parts/startups/columns.tsx';
import { choiceLabel, parameterLabel } from '../../parts/startups/filters.ts';
import {
  changed,
  explorerPath,
  type Groups,
  withoutParameters,
  withView,
} from '../../parts/startups/query.ts';
import { type ResultColumn, resultsTable } from '../../parts/startups/results-table.tsx';
import { cellBar } from '../../shared/charts.tsx';
import type { Content } from '../../shared/jsx.ts';
import type { ShownGroup } from './list-documents.ts';

/** The figures of groups, in the order of their columns. */
const figures = [
  'count',
  'stats.revenue.sum',
  'stats.mrr.median',
  'stats.growth.median',
  'stats.revenue.median',
  'onSale',
  'stats.price.median',
  'stats.multiple.median',
];
const counted: Readonly<Record<string, string>> = { count: 'Startups', onSale: 'For sale' };

/** Groups of a page: all countries on one would occupy the event loop for 60 ms. */
const ON_PAGE = 100;

/** Figures of the startups of each value. A value leads to the list of its startups. */
export function groupView(groups: readonly ShownGroup[], shown: Groups, requested: URLSearchParams): Content {
  const { by, order } = shown;
  const columns = columnsOf(groups, shown, requested);
  const rows = inOrder(groups, columns, order);
  const pages = Math.max(1, Math.ceil(rows.length / ON_PAGE));
  const page = Math.min(pages, Number(requested.get('page') ?? 1));
  const link = (asked: Partial<Groups>): string =>
    explorerPath(withView(withoutParameters(requested, 'page'), 'groups', { by, order, ...asked }));
  const leftOut = leftOutOfGroups(by, groups.filter(({ value }) => value !== null).length);
  return [
    <nav class="chip-line groupings" aria-label="Group by">
      {groupings.map((one) => (
        <a
          class="badge"
          id={`by-${one}`}
          href={link({ by: one })}
          aria-current={one === by ? 'true' : undefined}
        >
          {parameterLabel(one)}
        </a>
      ))}
    </nav>,
    leftOut !== null && <p class="soft">Left out: {leftOut}.</p>,
    resultsTable({
      label: `Startups by ${parameterLabel(by).toLowerCase()}`,
      columns,
      rows: rows.slice((page - 1) * ON_PAGE, page * ON_PAGE),
      sort: order,
      link: (to) => link({ order: to }),
      file: { name: `startups-by-${by}.csv`, label: 'Download CSV', rows },
      pager: {
        page,
        pages,
        hasMore: page < pages,
        link: (to) => explorerPath(changed(withView(requested, 'groups', shown), 'page', `${to}`)),
      },
    }),
  ];
}

function columnsOf(
  groups: readonly ShownGroup[],
  { by }: Groups,
  requested: URLSearchParams,
): readonly ResultColumn<ShownGroup>[] {
  const most = Math.max(1, ...groups.map((group) => group.count));
  const list = withView(requested, 'table');
  const nameOf = ({ value }: ShownGroup): string => (value === null ? 'Unknown' : choiceLabel(by, value));
  return [
    {
      id: 'name',
      heading: parameterLabel(by),
      isText: true,
      sorts: { ascending: 'name-asc', descending: 'name-desc' },
      value: nameOf,
      cell: (group) =>
        group.value === null ? (
          <span class="soft">{nameOf(group)}</span>
        ) : (
          <a href={explorerPath(changed(list, by, group.value))}>{nameOf(group)}</a>
        ),
    },
    ...figures.map((path): ResultColumn<ShownGroup> => {
      const id = path.replace('stats.', '').replace('.', '-');
      const unit = (figureUnit(path) ?? 'count') as FieldUnit;
      const value = (group: ShownGroup): unknown => readField(group, path);
      return {
        id,
        heading: counted[path] ?? figureLabel(path) ?? path,
        unit,
        sorts: { ascending: `${id}-asc`, descending: `${id}-desc` },
        value,
        cell: (group) => [showValue(value(group), unit), path === 'count' && cellBar(group.count / most)],
      };
    }),
  ];
}

/** The groups in an order; what is unknown is last in each. An unknown order is that of the largest. */
function inOrder(
  groups: readonly ShownGroup[],
  columns: readonly ResultColumn<ShownGroup>[],
  order: string,
): readonly ShownGroup[] {
  const by = columns.find(({ id }) => order.startsWith(`${id}-`))?.value ?? (({ count }) => count);
  const rankOf = (group: ShownGroup): unknown => (group.value === null ? null : by(group));
  const way = order.endsWith('-desc') ? -1 : 1;
  return groups.toSorted((a, b) => {
    const [one, other] = [rankOf(a), rankOf(b)] as [number | null, number | null];
    return one === null || other === null
      ? Number(one === null) - Number(other === null)
      : way * (one < other ? -1 : Number(one > other));
  });
}
