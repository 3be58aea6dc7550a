import { statisticLabel } from '../../../startups/model/figure-labels.ts';
import { type Grouping, groupings } from '../../../startups/model/vocabulary.ts';
import { cellBar } from '../../shared/charts.tsx';
import { Pager } from '../../shared/components.tsx';
import { count, money, times } from '../../shared/figures.tsx';
import type { Content } from '../../shared/jsx.ts';
import { csvLink, csvOf, inUnit, withUnit } from './csv.tsx';
import { change, NONE } from './fields.tsx';
import { choiceLabel, parameterLabel } from './labels.tsx';
import {
  explorerPath,
  type GroupFigure,
  type GroupOrder,
  type Groups,
  groupFigures,
  LARGEST_FIRST,
  withoutParameters,
  withParameter,
  withView,
} from './query.ts';
import type { ShownGroup } from './requests.ts';
import { type ResultColumn, resultsTable } from './results-table.tsx';

interface FigureColumn {
  readonly heading: string;
  readonly unit: 'count' | 'cents' | 'percent' | 'ratio';
  readonly of: (group: ShownGroup) => number | null;
}

const figures: Readonly<Record<GroupFigure, FigureColumn>> = {
  count: { heading: 'Startups', unit: 'count', of: (group) => group.count },
  'on-sale': { heading: 'For sale', unit: 'count', of: ({ onSale }) => onSale },
  'revenue-sum': {
    heading: statisticLabel('revenue', 'sum'),
    unit: 'cents',
    of: ({ stats }) => stats.revenue.sum,
  },
  'revenue-median': {
    heading: statisticLabel('revenue', 'median'),
    unit: 'cents',
    of: ({ stats }) => stats.revenue.median,
  },
  'mrr-median': {
    heading: statisticLabel('mrr', 'median'),
    unit: 'cents',
    of: ({ stats }) => stats.mrr.median,
  },
  'growth-median': {
    heading: statisticLabel('growth', 'median'),
    unit: 'percent',
    of: ({ stats }) => stats.growth.median,
  },
  'price-median': {
    heading: statisticLabel('price', 'median'),
    unit: 'cents',
    of: ({ stats }) => stats.price.median,
  },
  'multiple-median': {
    heading: statisticLabel('multiple', 'median'),
    unit: 'ratio',
    of: ({ stats }) => stats.multiple.median,
  },
};

const show: Readonly<Record<FigureColumn['unit'], (value: number) => Content>> = {
  count,
  cents: money,
  percent: change,
  ratio: times,
};

/** Groups of a page: all countries on one would occupy the event loop for 60 ms. */
const ON_PAGE = 100;

/** What the order of groups is, in words. */
export function groupsHeading({ by, order }: Groups): string {
  const [name, isDescending] = partsOf(order);
  const first =
    order === LARGEST_FIRST
      ? 'the largest first'
      : name === 'name'
        ? `in ${isDescending ? 'reverse ' : ''}alphabetical order`
        : `${isDescending ? 'highest' : 'lowest'} ${figures[name].heading.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())} first`;
  return `By ${parameterLabel(by).toLowerCase()}, ${first}`;
}

const partsOf = (order: GroupOrder): [name: GroupFigure | 'name', isDescending: boolean] => [
  order.replace(/-(asc|desc)$/, '') as GroupFigure | 'name',
  order.endsWith('-desc'),
];

/** Figures of the startups of each value. A value leads to the list of its startups. */
export function groupView(groups: readonly ShownGroup[], shown: Groups, requested: URLSearchParams): Content {
  const { by, order } = shown;
  const rows = inOrder(groups, shown);
  const pages = Math.max(1, Math.ceil(rows.length / ON_PAGE));
  const page = Math.min(pages, Number(requested.get('page') ?? 1));
  const query = withoutParameters(requested, 'page');
  const name = parameterLabel(by).toLowerCase();
  return (
    <>
      <nav class="actions groupings" aria-label="Group by">
        {groupings.map((one) => (
          <a
            class="badge"
            id={`by-${one}`}
            href={explorerPath(withView(query, 'groups', { by: one, order }))}
            aria-current={one === by ? 'true' : undefined}
          >
            {parameterLabel(one)}
          </a>
        ))}
      </nav>
      {resultsTable<ShownGroup, GroupOrder>({
        label: `Startups by ${name}`,
        caption: `${groupsHeading(shown)}.`,
        kind: 'rows',
        columns: columnsOf(groups, by, query),
        rows: rows.slice((page - 1) * ON_PAGE, page * ON_PAGE),
        sort: order,
        link: (to) => explorerPath(withView(query, 'groups', { by, order: to })),
      })}
      <p class="actions below">{csvLink(`startups-by-${by}.csv`, groupsCsv(rows, by))}</p>
      <Pager
        page={page}
        hasMore={page < pages}
        pages={pages}
        label="Pages of groups"
        link={(to) =>
          explorerPath(withParameter(withView(query, 'groups', { by, order }), 'page', String(to)))
        }
      />
    </>
  );
}

function columnsOf(
  groups: readonly ShownGroup[],
  by: Grouping,
  query: URLSearchParams,
): readonly ResultColumn<ShownGroup, GroupOrder>[] {
  const most = Math.max(1, ...groups.map((group) => group.count));
  const list = withoutParameters(withView(query, 'table'), 'page');
  return [
    {
      id: 'name',
      heading: parameterLabel(by),
      isText: true,
      sorts: { ascending: 'name-asc', descending: 'name-desc' },
      cell: ({ value }) =>
        value === null ? (
          <span class="soft">Unknown</span>
        ) : (
          <a href={explorerPath(withParameter(list, by, value))}>{choiceLabel(by, value)}</a>
        ),
    },
    ...groupFigures.map((id): ResultColumn<ShownGroup, GroupOrder> => {
      const { heading, unit, of } = figures[id];
      const cell = (group: ShownGroup): Content => {
        const value = of(group);
        return value === null ? NONE : show[unit](value);
      };
      return {
        id,
        heading,
        sorts: { ascending: `${id}-asc`, descending: `${id}-desc` },
        hasCell: (group) => of(group) !== null,
        cell: (group) => (
          <>
            {id === 'count' && cellBar(group.count / most)}
            {cell(group)}
          </>
        ),
      };
    }),
  ];
}

/** The groups in an order; what is unknown is last in each. */
function inOrder(groups: readonly ShownGroup[], { by, order }: Groups): readonly ShownGroup[] {
  const [name, isDescending] = partsOf(order);
  const rankOf = (group: ShownGroup): number | string | null =>
    group.value === null ? null : name === 'name' ? choiceLabel(by, group.value) : figures[name].of(group);
  const way = isDescending ? -1 : 1;
  return groups.toSorted((a, b) => {
    const [one, other] = [rankOf(a), rankOf(b)];
    return one === null || other === null
      ? Number(one === null) - Number(other === null)
      : way * (one < other ? -1 : Number(one > other));
  });
}

/** As the table shows them, amounts in dollars. */
function groupsCsv(groups: readonly ShownGroup[], by: Grouping): string {
  return csvOf([
    [parameterLabel(by), ...groupFigures.map((id) => withUnit(figures[id].heading, figures[id].unit))],
    ...groups.map((group) => [
      group.value === null ? 'Unknown' : choiceLabel(by, group.value),
      ...groupFigures.map((id) => inUnit(figures[id].of(group), figures[id].unit)),
    ]),
  ]);
}
