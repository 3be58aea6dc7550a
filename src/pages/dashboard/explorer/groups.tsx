import type { ListParameterName } from '../../../startups/requests/list-parameters.ts';
import { type Grouping, groupings } from '../../../startups/vocabulary.ts';
import { cellBar } from '../../shared/charts.tsx';
import { count, money, percent, times } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { NONE } from './fields.tsx';
import { choiceLabel, parameterLabel } from './labels.tsx';
import { explorerPath, withParameter, withView } from './query.ts';
import type { ShownGroup } from './requests.ts';

/** The columns of figures: their heading and their cell. */
const columns: readonly (readonly [heading: string, cell: (group: ShownGroup) => Content])[] = [
  ['For sale', ({ onSale }) => count(onSale)],
  ['Revenue 30d', ({ stats }) => money(stats.revenue.sum)],
  ['Median revenue', ({ stats }) => ifKnown(stats.revenue.median, money)],
  ['Median MRR', ({ stats }) => ifKnown(stats.mrr.median, money)],
  ['Median growth', ({ stats }) => ifKnown(stats.growth.median, (value) => percent(value, 'change'))],
  ['Median price', ({ stats }) => ifKnown(stats.price.median, money)],
  ['Median multiple', ({ stats }) => ifKnown(stats.multiple.median, times)],
];

const ifKnown = (value: number | null, show: (value: number) => Html): Html =>
  value === null ? NONE : show(value);

/** The words of a field by which startups are grouped. */
export function groupingLabel(by: Grouping): string {
  return parameterLabel(by);
}

/** The fields by which startups can be grouped. */
export function groupingLinks(by: Grouping, query: URLSearchParams): Html {
  return (
    <nav class="actions groupings" aria-label="Group by">
      {groupings.map((one) => (
        <a
          class="badge"
          id={`by-${one}`}
          href={explorerPath(withView(query, 'groups', one))}
          aria-current={one === by ? 'true' : undefined}
        >
          {groupingLabel(one)}
        </a>
      ))}
    </nav>
  );
}

/** Figures of the startups of each value. A value leads to the list of its startups. */
export function groupsTable(groups: readonly ShownGroup[], by: Grouping, query: URLSearchParams): Html {
  const most = Math.max(1, ...groups.map((group) => group.count));
  const list = withView(query, 'table');
  list.delete('page');
  return (
    <div class="table results groups" tabindex="0" role="region" aria-label={`Startups by ${by}`}>
      <table class="collapse">
        <caption class="hidden">
          Startups by {groupingLabel(by).toLowerCase()}, the largest group first. Amounts are US dollars;
          growth is in percent.
        </caption>
        <thead>
          <tr>
            <th scope="col">{groupingLabel(by)}</th>
            <th scope="col" class="number">
              Startups
            </th>
            {columns.map(([heading]) => (
              <th scope="col" class="number">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr>
              <th scope="row">
                {group.value === null ? (
                  <span class="soft">Unknown</span>
                ) : (
                  <a href={explorerPath(withParameter(list, by, group.value))}>{labelOf(by, group.value)}</a>
                )}
              </th>
              <td class="number counted" data-label="Startups">
                {cellBar(group.count / most)}
                {count(group.count)}
              </td>
              {columns.map(([heading, cell]) => (
                <td class="number" data-label={heading}>
                  {cell(group)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const labelOf = (by: ListParameterName, value: string): string => choiceLabel(by, value);
