import type { FieldUnit } from '../../../startups/model/field-labels.ts';
import { figureLabel, figureUnit } from '../../../startups/model/figure-labels.ts';
import { buttonLink, EmptyState, type Figure, Figures, Pager } from '../../shared/components.tsx';
import { count, money } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { nameCell, readField, type StartupColumn, showValue, tableColumns, trendLine } from './columns.tsx';
import { type ListData, type ShownStartup, TREND_DAYS } from './documents.ts';
import { groupView } from './groups.tsx';
import { changed, EXPLORER_PATH, type ExplorerQuery, explorerPath, withParameter } from './query.ts';
import { csvLink, csvOf, resultsTable } from './results-table.tsx';
import { type Point, scatter } from './scatter.tsx';

/** What was read for a list. */
export interface Shown {
  readonly query: ExplorerQuery;
  readonly data: ListData;
  /** What a chart shows. */
  readonly points: readonly Point[];
}

interface Results extends Shown {
  /** The order in force. */
  readonly sort: string;
  /** After that of the names. */
  readonly columns: readonly StartupColumn[];
  /** ms since 1970. */
  readonly now: number;
  /** The button that puts a startup aside. */
  readonly starOf: (startup: ShownStartup) => Html;
}

/** A list in its view, below figures of all that match. */
export function results(shown: Results): Content {
  const { data, points, query, sort } = shown;
  const { view, groups, parameters } = query;
  const { page = [], meta, stats } = data.startups;
  const { count: priced } = stats.multiple;
  if (meta.total === 0) {
    return empty('No startup matches all of these filters', EXPLORER_PATH, 'Show all startups');
  }
  if (view === 'table' && page.length === 0) {
    const first = explorerPath(changed(parameters, 'page', null));
    return empty(`There is no page ${count(meta.page)}`, first, 'First page');
  }
  return (
    <>
      {meta.corrected && (
        <p>
          No startup matches “{parameters.get('search')}” exactly; these match with one typing error in a
          word.
        </p>
      )}
      {summary(data)}
      {view === 'table' && sort === 'best-deal' && (
        <p class="hint">
          Best deals have the lowest price ÷ yearly profit, adjusted for growth. Where the margin is unknown,
          50% is assumed.
        </p>
      )}
      {view === 'groups' ? (
        groupView(data.startups.groups ?? [], groups, parameters)
      ) : view === 'table' ? (
        startupTable(shown)
      ) : priced === 0 ? (
        <EmptyState title="No startup of this list has a price and revenue" />
      ) : (
        scatter(points, priced)
      )}
    </>
  );
}

const empty = (text: string, path: string, label: string): Html => (
  <EmptyState title={text}>
    <p>{buttonLink(path, label, 'second')}</p>
  </EmptyState>
);

function startupTable({ data, query: { parameters }, sort, columns, now, starOf }: Results): Content {
  const { page: rows = [], meta } = data.startups;
  const marksSale = parameters.get('onSale') !== 'true';
  const shown = tableColumns(columns, (record) => nameCell(record, starOf(record), marksSale), now);
  return (
    <>
      {resultsTable({
        ...{ label: 'Startups', kind: 'cards', columns: shown, rows, sort },
        link: (to) => explorerPath(changed(parameters, 'sort', to)),
      })}
      <div class="heading sub below">
        {csvLink('startups.csv', csvOf(shown, rows))}
        <Pager
          {...meta}
          pages={Math.ceil(meta.total / meta.limit)}
          link={(to) => explorerPath(withParameter(parameters, 'page', `${to}`))}
        />
      </div>
    </>
  );
}

export const startupsText = (total: number): string =>
  `${count(total)} ${total === 1 ? 'startup' : 'startups'}`;

/** How many startups match, and which of them a table shows. */
export function totalText({ page = [], meta }: ListData['startups']): string {
  const from = (meta.page - 1) * meta.limit + 1;
  const place = `${count(from)}–${count(from + page.length - 1)} of `;
  return (page.length === 0 ? '' : place) + startupsText(meta.total);
}

const figures = ['revenue.sum', 'mrr.median', 'growth.median', 'price.median'];

/** Figures of all that match, and the MRR of the last days where they are stored: of the market and of a category. */
function summary({ startups, market }: ListData): Html {
  const shown = figures.map((path): Figure => {
    const value = readField(startups.stats, path);
    return [figureLabel(path), showValue(value, figureUnit(path) as FieldUnit)];
  });
  return <Figures className="line-of-figures" figures={shown.toSpliced(1, 0, ...trend(market))} />;
}

function trend(market: ListData['market'] = []): Figure[] {
  const days = market.slice(-TREND_DAYS);
  const [first, last] = [days[0], days.at(-1)];
  // If fewer than half can be in the data on both days, a line would show who came, not who grew.
  return days.length < 2 ||
    first === undefined ||
    last === undefined ||
    Math.min(first.count, last.count) * 2 < Math.max(first.count, last.count)
    ? []
    : [
        [
          `MRR, ${TREND_DAYS} days`,
          <>
            {money(last.mrr.sum)} {trendLine(days.map(({ mrr }) => mrr.sum))}
          </>,
        ],
      ];
}
