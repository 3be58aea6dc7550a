import { isDeepStrictEqual } from 'node:util';
import type { ImportRecord } from '../../support/records.ts';

/** The values of a point, in the order of the table's columns; onSale is 0 or 1. */
export type PointValues = (string | number | null)[];

/** The point of the history that a record leaves. */
function pointOf({
  revenue,
  customers,
  activeSubscriptions,
  askingPrice = null,
  onSale,
  category = null,
}: ImportRecord): PointValues {
  const { last30Days, mrr, total } = revenue;
  return [last30Days, mrr, total, customers, activeSubscriptions, askingPrice, Number(onSale), category];
}

/** Count, on sale, sum and median of the revenue, sum and median of the MRR. */
export type MarketFigures = (number | null)[];

/** What an import said about a startup at the end of a day: its record, or that it is gone. */
interface Statement {
  readonly day: string;
  readonly slug: string;
  readonly record: ImportRecord | undefined;
}

/** Keeps everything that imports said, and works out plainly what follows from it for each day. */
export function createReplay() {
  // In the order in which they were made.
  const statements: Statement[] = [];

  /** What was said of a startup up to the end of a day, that of the latest day last. */
  const about = (slug: string, day: string): Statement[] =>
    statements
      .filter((one) => one.slug === slug && one.day <= day)
      .toSorted((a, b) => a.day.localeCompare(b.day));
  const slugs = (): string[] => [...new Set(statements.map(({ slug }) => slug))].sort();
  const recordsOn = (day: string): ImportRecord[] =>
    slugs().flatMap((slug) => about(slug, day).at(-1)?.record ?? []);

  return {
    recordsOn,
    /** Takes back all imports since there were so many statements. */
    undo(count: number): void {
      statements.length = count;
    },
    /** How many statements there are. */
    count: (): number => statements.length,
    /** Adds an import of a day; a replacing one removes the startups of that day that it lacks. */
    import(day: string, records: readonly ImportRecord[], replaces = false): void {
      const lacking = replaces
        ? recordsOn(day).filter(({ slug }) => !records.some((one) => one.slug === slug))
        : [];
      statements.push(
        ...lacking.map(({ slug }) => ({ day, slug, record: undefined })),
        ...records.map((record) => ({ day, slug: record.slug, record })),
      );
    },
    /** The point that applies on each day to each startup that exists on the last one; none on days on which it was gone. */
    histories(days: readonly string[]): Record<string, PointValues> {
      const last = days.at(-1) ?? '';
      const points: Record<string, PointValues> = {};
      for (const { slug } of recordsOn(last)) {
        for (const day of days) {
          const record = about(slug, day).at(-1)?.record;
          if (record !== undefined) {
            points[`${slug} ${day}`] = pointOf(record);
          }
        }
      }
      return points;
    },
    /**
     * The price of the last earlier day with another one, and the day on which the present one began, of each startup that
     * exists on a day.
     */
    earlierPrices(last: string): Record<string, [price: number | null, day: string | null]> {
      const prices = recordsOn(last).map(({ slug }) => {
        const said = about(slug, last);
        const ofDays = said
          .filter(({ day, record }, index) => said[index + 1]?.day !== day && record !== undefined)
          .map(({ day, record }) => ({ day, price: record?.askingPrice ?? null }));
        const now = ofDays.at(-1)?.price ?? null;
        const at = ofDays.findLastIndex(({ price }) => price !== now);
        const before = ofDays[at]?.price ?? null;
        return [slug, before === null || now === null ? [null, null] : [before, ofDays[at + 1]?.day]];
      });
      return Object.fromEntries(prices);
    },
    /** Whether imports of a day can have changed a startup: several that named it, or one with another record. */
    canHaveChanged(slug: string, day: string): boolean {
      const said = about(slug, day);
      const [before, now] = said.slice(-2);
      return (
        said.filter((one) => one.day === day).length > 1 || !isDeepStrictEqual(before?.record, now?.record)
      );
    },
    market: (day: string, category: string): MarketFigures =>
      marketOf(recordsOn(day).filter((one) => category === '' || one.category === category)),
  };
}

/** The market of some startups. */
export function marketOf(startups: readonly ImportRecord[]): MarketFigures {
  const revenues = startups.map(({ revenue }) => revenue.last30Days);
  const mrrs = startups.map(({ revenue }) => revenue.mrr);
  return [
    startups.length,
    startups.filter(({ onSale }) => onSale).length,
    sum(revenues),
    median(revenues),
    sum(mrrs),
    median(mrrs),
  ];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The lower of the two in the middle. */
function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length / 2) - 1] ?? null;
}
