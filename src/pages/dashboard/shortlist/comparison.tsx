import { type StartupFieldPath, startupFields } from '../../../startups/fields.ts';
import { cellBar } from '../../shared/charts.tsx';
import { monogram } from '../../shared/components.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { columns, paybackYears } from '../explorer/columns.tsx';
import { NONE, readField, showField } from '../explorer/fields.tsx';
import { EXPLORER_PATH } from '../explorer/query.ts';
import type { ShownStartup } from '../explorer/requests.ts';
import { labelOfField } from '../explorer/startup-view.tsx';
import { COMPARE_MIN, comparePath } from './paths.ts';

/** One line of a comparison. */
interface Line {
  readonly label: string;
  readonly cell: (startup: ShownStartup, now: number) => Content;
  /** What is compared; without it, no value is better than another. */
  readonly value?: (startup: ShownStartup) => number | undefined;
  /** Whether the best is the lowest. */
  readonly isLess?: boolean;
}

const fieldLine = (path: StartupFieldPath, better?: 'more' | 'less'): Line => ({
  label: labelOfField(path),
  cell: (startup) => showField(startup, { path, ...startupFields[path] }),
  ...(better !== undefined && {
    value: (startup: ShownStartup) => {
      const value = readField(startup, path);
      return typeof value === 'number' ? value : undefined;
    },
    isLess: better === 'less',
  }),
});

const columnOf = (id: string): Line['cell'] => columns.find((one) => one.id === id)?.cell ?? (() => NONE);

/** Who has the lowest price is judged only among those for sale, as others have none. */
const groups: readonly (readonly [title: string, ...lines: Line[]])[] = [
  [
    'Revenue',
    fieldLine('revenue.last30Days', 'more'),
    fieldLine('revenue.mrr', 'more'),
    { label: 'MRR, 60 days', cell: columnOf('trend') },
    fieldLine('revenue.total', 'more'),
    fieldLine('growth30d', 'more'),
    fieldLine('growthMRR30d', 'more'),
    fieldLine('profitMarginLast30Days', 'more'),
    fieldLine('rank', 'less'),
  ],
  [
    'Customers',
    fieldLine('customers', 'more'),
    fieldLine('activeSubscriptions', 'more'),
    fieldLine('visitorsLast30Days', 'more'),
    fieldLine('revenuePerVisitor', 'more'),
    fieldLine('targetAudience'),
  ],
  [
    'Sale',
    { label: 'For sale', cell: ({ onSale }) => (onSale ? 'yes' : 'no') },
    { ...fieldLine('askingPrice', 'less'), cell: columnOf('askingPrice') },
    fieldLine('multiple', 'less'),
    { label: 'Payback', cell: columnOf('payback'), value: paybackYears, isLess: true },
  ],
  [
    'Company',
    fieldLine('category'),
    fieldLine('country'),
    fieldLine('foundedDate'),
    fieldLine('paymentProvider'),
    { label: labelOfField('verifiedAt'), cell: columnOf('verifiedAt') },
  ],
];

/** Everything that a comparison reads. */
export const comparedFields: readonly StartupFieldPath[] = [
  'name',
  'slug',
  'onSale',
  'verifiedAt',
  'revenue.last30Days',
  'revenue.mrr',
  'revenue.total',
  'growth30d',
  'growthMRR30d',
  'profitMarginLast30Days',
  'customers',
  'activeSubscriptions',
  'visitorsLast30Days',
  'revenuePerVisitor',
  'rank',
  'askingPrice',
  'previousAskingPrice',
  'multiple',
  'category',
  'country',
  'foundedDate',
  'targetAudience',
  'paymentProvider',
];

/** Startups side by side. @param starOf the button that adds one to the shortlist. */
export function comparison(
  startups: readonly ShownStartup[],
  starOf: (startup: ShownStartup) => Html,
  now: number,
): Html {
  return (
    <div class="table">
      <table class="compared">
        <caption class="hidden">Startups side by side. The best value of a line is marked.</caption>
        <thead>
          <tr>
            <td />
            {startups.map((startup) => (
              <th scope="col">
                {monogram(startup.name)}
                <a href={`${EXPLORER_PATH}/${startup.slug}`}>{startup.name}</a>
                {starOf(startup)}
                {startups.length > COMPARE_MIN && withoutOne(startup, startups)}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(([title, ...lines]) => (
          <tbody>
            <tr>
              <th class="group" scope="rowgroup" colspan={startups.length + 1}>
                {title}
              </th>
            </tr>
            {lines
              .filter(({ cell }) => startups.some((startup) => cell(startup, now) !== NONE))
              .map((line) => comparedLine(line, startups, now))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

/** Leads to the comparison of all others. */
function withoutOne({ name, slug }: ShownStartup, startups: readonly ShownStartup[]): Html {
  const others = startups.map((one) => one.slug).filter((one) => one !== slug);
  return (
    <a class="small soft" href={comparePath(others)} aria-label={`Leave out ${name}`} title="Leave out">
      ✕
    </a>
  );
}

/** The values of a line, each with a bar that compares it where more is better and nothing is negative. */
function comparedLine(line: Line, startups: readonly ShownStartup[], now: number): Html {
  const best = bestOf(line, startups);
  const values = startups.map((startup) => line.value?.(startup) ?? Number.NaN);
  const known = values.filter((value) => !Number.isNaN(value));
  const most = Math.max(...known);
  const hasBars = line.isLess === false && known.length > 1 && most > 0 && Math.min(...known) >= 0;
  return (
    <tr>
      <th scope="row">{line.label}</th>
      {startups.map((startup, index) => (
        <td class={best.has(startup) ? 'best' : undefined}>
          {line.cell(startup, now)} {best.has(startup) && <span class="hidden">best</span>}
          {hasBars && !Number.isNaN(values[index]) && cellBar((values[index] ?? 0) / most)}
        </td>
      ))}
    </tr>
  );
}

/** Those with the best value of a line; none if all are the same, or there is one value only. */
export function bestOf(
  { value, isLess = false }: Pick<Line, 'value' | 'isLess'>,
  startups: readonly ShownStartup[],
): ReadonlySet<ShownStartup> {
  const known = startups.flatMap((startup) => {
    const number = value?.(startup);
    return number === undefined || !Number.isFinite(number) ? [] : [{ startup, number }];
  });
  const numbers = known.map(({ number }) => number);
  const best = isLess ? Math.min(...numbers) : Math.max(...numbers);
  const isDecided = numbers.some((number) => number !== best);
  return new Set(
    isDecided ? known.filter(({ number }) => number === best).map(({ startup }) => startup) : [],
  );
}
