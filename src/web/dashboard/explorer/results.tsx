import { statisticLabel } from '../../../startups/model/figure-labels.ts';
import type { StartupSort } from '../../../startups/model/vocabulary.ts';
import { sparkline } from '../../shared/charts.tsx';
import { buttonLink, EmptyState, type Figure, Figures } from '../../shared/components.tsx';
import { count, money, moneyText } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { change } from './fields.tsx';
import { sortLabel } from './form.tsx';
import { groupsHeading, groupView } from './groups.tsx';
import { type ListData, TREND_DAYS } from './list-documents.ts';
import {
  EXPLORER_PATH,
  explorerPath,
  type Groups,
  type View,
  views,
  withoutParameters,
  withView,
} from './query.ts';
import type { ShownList } from './requests.ts';
import { type Point, scatter } from './scatter.tsx';
import { rangeText, type ShownTable, startupsText, startupTable } from './table.tsx';

interface Results extends ShownTable {
  /** Its days, if the list is the market or a category. */
  readonly market: ListData['market'];
  /** What a chart shows. */
  readonly points: readonly Point[];
  readonly view: View;
  readonly groups: Groups;
}

/** A list in its view, below figures of all that match. */
export function results(shown: Results): Content {
  const { list, query, view, groups, sort } = shown;
  const { meta } = list;
  if (isEmpty(shown)) {
    return nothing(meta, query);
  }
  return (
    <>
      {growthHint(query)}
      {meta.corrected && (
        <p>
          No startup matches “{query.get('search')}” exactly; these match with one typing error in a word.
        </p>
      )}
      {summary(shown)}
      {view === 'table'
        ? startupTable(shown)
        : view === 'chart'
          ? chart(shown)
          : groupView(list.groups ?? [], groups, query)}
      {view === 'table' && sort === 'best-deal' && (
        <p class="hint">
          Best deals: the lowest price ÷ yearly profit, adjusted for growth; a margin of 50% where unknown.
        </p>
      )}
    </>
  );
}

const isEmpty = ({ list: { page = [], meta }, view }: Results): boolean =>
  meta.total === 0 || (view === 'table' && page.length === 0);

/** The line above results: what they are, and their views. Empty if there are none. */
export function resultsHeading(shown: Results): {
  readonly heading: Content;
  readonly links: Content;
} {
  const { list, sort, query, view, groups } = shown;
  const { page = [], meta } = list;
  return isEmpty(shown)
    ? { heading: null, links: null }
    : {
        heading: (
          <>
            <h2>{headingOf(view, sort, groups)}</h2>
            <p class="shown">{view === 'table' ? rangeText(page, meta) : startupsText(meta.total)}</p>
          </>
        ),
        links: viewLinks(view, query),
      };
}

/** In place of results. */
function nothing({ total, page }: ShownList['meta'], query: URLSearchParams): Content {
  return total === 0
    ? [
        empty('No startup matches all of these filters', EXPLORER_PATH, 'Show all startups'),
        growthHint(query),
      ]
    : empty(`There is no page ${count(page)}`, explorerPath(withoutParameters(query, 'page')), 'First page');
}

const viewLabels: Readonly<Record<View, string>> = { table: 'Table', chart: 'Chart', groups: 'Groups' };

/** The views of the same list. */
function viewLinks(view: View, query: URLSearchParams): Html {
  const list = withoutParameters(query, 'page');
  return (
    <nav class="views" aria-label="View">
      {views.map((one) => (
        <a
          id={`view-${one}`}
          href={explorerPath(withView(list, one))}
          aria-current={one === view ? 'true' : undefined}
        >
          {viewLabels[one]}
        </a>
      ))}
    </nav>
  );
}

function chart({ list, points }: Results): Content {
  const { count: total } = list.stats.multiple;
  return total === 0 ? (
    <EmptyState title="No startup of this list has a price and revenue" />
  ) : (
    scatter(points, total)
  );
}

/** What an order puts first, or what another view shows. */
function headingOf(view: View, sort: StartupSort, groups: Groups): string {
  return view === 'chart'
    ? 'Asking price by revenue'
    : view === 'groups'
      ? groupsHeading(groups)
      : sortLabel(sort);
}

/** Growth of more than 300 % is rare: somebody has probably sent a percentage to a parameter that takes a fraction. */
const UNLIKELY_GROWTH = 3;

function growthHint(query: URLSearchParams): Content {
  const growth = Number(query.get('minGrowth'));
  return (
    growth > UNLIKELY_GROWTH && (
      <p class="hint">
        The filter asks for growth of {count(growth * 100)} % or more. In the API, <code>minGrowth</code> is a
        fraction: write 0.24, not 24, for 24 %.
      </p>
    )
  );
}

function empty(text: string, path: string, label: string): Html {
  return (
    <EmptyState title={text}>
      <p>{buttonLink(path, label, 'second')}</p>
    </EmptyState>
  );
}

function summary({ list, market }: Results): Html {
  const { revenue, mrr, growth, price } = list.stats;
  const amount = (cents: number | null): Content => (cents === null ? '–' : money(cents));
  const figures: readonly Figure[] = [
    [statisticLabel('revenue', 'sum'), amount(revenue.sum)],
    [statisticLabel('revenue', 'median'), amount(revenue.median)],
    [statisticLabel('mrr', 'median'), amount(mrr.median)],
    [statisticLabel('growth', 'median'), growth.median === null ? '–' : change(growth.median)],
    [statisticLabel('price', 'median'), amount(price.median)],
  ];
  // What is of this page only stands after all that is of the list.
  const place = isOfList(list, market) ? 1 : figures.length;
  return (
    <Figures className="line-of-figures" figures={figures.toSpliced(place, 0, ...trend(list, market))} />
  );
}

/** Whether days are those of all that match, not only of the page. */
const isOfList = ({ page = [], meta }: ShownList, market: ListData['market']): boolean =>
  market !== undefined || meta.total === page.length;

/**
 * The MRR of a list on each of the last days: of the market or a category as it is stored, otherwise of the startups that
 * the page shows. To add it up for any list would read up to 60 points of each startup.
 */
function trend(list: ShownList, market: ListData['market']): Figure[] {
  const { page = [] } = list;
  const sums = new Map<string, number>();
  for (const { day, revenue } of page.flatMap(({ history = [] }) => history)) {
    sums.set(day, (sums.get(day) ?? 0) + revenue.mrr);
  }
  const ofMarket = market?.slice(-TREND_DAYS);
  const counts = [ofMarket?.[0], ofMarket?.at(-1)].map((one) => one?.count ?? 0);
  if (Math.min(...counts) * 2 < Math.max(...counts)) {
    // Fewer than half can be in the data on both days: a line would show who came, not who grew.
    return [];
  }
  const days =
    ofMarket?.map(({ mrr }) => mrr.sum) ??
    [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
  const [first, last] = [days[0] ?? 0, days.at(-1) ?? 0];
  const whose = isOfList(list, market) ? '' : ` of these ${page.length}`;
  return days.length < 2
    ? []
    : [
        [
          `MRR${whose}, ${TREND_DAYS} days`,
          <>
            {money(last)} {sparkline(days, `from ${moneyText(first)} to ${moneyText(last)}`)}
          </>,
        ],
      ];
}
