import { type NamedStartupField, type StartupFieldPath, startupFields } from './fields.ts';
import type { StartupRecord } from './record.ts';

/** What the table says of a figure of history; the rest is what the table of fields says of the field. */
interface PointFigure {
  /** Where that of the field does not hold of a past day. */
  readonly description?: string;
  /** Whose line charts show, by its name in them; `neutral` if a change of it is neither good nor bad. */
  readonly line?: { readonly name: string; readonly neutral?: true };
  /**
   * What the sample had on an earlier day, in SQL; the same as now by default. `age` are the days since then in units of
   * 30, at most 1; `revenue`, `mrr` and `earlier` are factors by which it was less; see `load-sample.ts`.
   */
  readonly sample?: string;
}

/**
 * What a point of history is: the figures of a startup that are kept for each day, by their paths, in order. A field of the same
 * name is a column of `startup_points`, which the triggers of `startups` fill. Statements, GraphQL, REST, charts and the
 * sample follow.
 */
const pointFigures = {
  'revenue.last30Days': {
    line: { name: 'revenue' },
    sample:
      'round(revenue_last_30_days * power(revenue, age) * earlier * (1 + ripple * sin(id + ago / 5.0)))::bigint',
  },
  'revenue.mrr': {
    line: { name: 'mrr' },
    sample: 'round(revenue_mrr * power(mrr, age) * earlier * (1 + ripple * sin(id + 2 + ago / 7.0)))::bigint',
  },
  'revenue.total': {
    sample: `greatest(0, revenue_total - round(revenue_last_30_days * least(ago, 30) / 30.0)::bigint
         - round(revenue_last_30_days * revenue * greatest(0, ago - 30) / 30.0)::bigint)`,
  },
  customers: {
    line: { name: 'customers' },
    sample: 'round(customers * least(1, power(revenue, age / 3) * earlier))::integer',
  },
  activeSubscriptions: {
    description: 'Number of subscriptions that were active.',
    sample: 'round(active_subscriptions * least(1, power(mrr, age / 2) * earlier))::integer',
  },
  askingPrice: {
    description: 'Asking price, in US cents. Null when none was stated.',
    line: { name: 'price', neutral: true },
    sample: `CASE WHEN NOT is_listed THEN NULL
         WHEN previous_asking_price IS NOT NULL AND asking_price_changed_at > at THEN previous_asking_price
         ELSE asking_price END`,
  },
  onSale: {
    description: 'Whether the startup was listed for sale.',
    sample: 'on_sale AND is_listed',
  },
} as const satisfies { readonly [Path in StartupFieldPath]?: PointFigure };

export type PointFigurePath = keyof typeof pointFigures;
type HeadOf<Path> = Path extends `${infer Head}.${string}` ? Head : Path;

/** A startup on one day; amounts are cents. */
export type StartupPoint = { readonly day: Date } & Pick<StartupRecord, HeadOf<PointFigurePath>>;

/** The figures in order, each with what is known of its field. */
export const pointFigureList = Object.entries<PointFigure>(pointFigures).map(([path, figure]) => {
  const field = startupFields[path as PointFigurePath] as NamedStartupField & { readonly column: string };
  return {
    ...field,
    ...figure,
    path: path as PointFigurePath,
    description: figure.description ?? field.description,
  };
});

/** The columns that a point copies from its startup: also the category that it counts in. */
export const pointColumns = [...pointFigureList.map(({ column }) => column), 'category'];

/** The columns with which a point says what the earlier price was at its end, and since when it had its own. */
export const priceColumns = ['previous_asking_price', 'asking_price_changed_at'] as const;
