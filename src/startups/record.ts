import type { Startup } from '../db/generated/client/client.ts';
import { startupFields } from './fields.ts';

/** A startup as it was stored, with its rank in the catalogue that it was found in. */
export type StartupRecord = Startup & {
  /** 1 is the highest total revenue among active startups; null for an inactive one. */
  readonly rank: number | null;
};

/** Longest description shown, in UTF-16 units. */
export const DESCRIPTION_LIMIT = 200;

const SLUG = new RegExp(startupFields.slug.pattern);

/** Whether a startup can have this slug: any other text need not be looked up. */
export function isSlug(text: string): boolean {
  return text.length <= startupFields.slug.maxLength && SLUG.test(text);
}

const PLAIN = /^[ -~]{2}$/;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The longest run of whole graphemes that fits the limit: text is never cut through an emoji. */
export function cutDescription(text: string): string {
  if (text.length <= DESCRIPTION_LIMIT) {
    return text;
  }
  // Finding graphemes is slow; between two ASCII characters there is always a boundary.
  if (PLAIN.test(text.slice(DESCRIPTION_LIMIT - 1, DESCRIPTION_LIMIT + 1))) {
    return text.slice(0, DESCRIPTION_LIMIT);
  }
  let end = 0;
  for (const { index, segment } of graphemes.segment(text)) {
    if (index + segment.length > DESCRIPTION_LIMIT) {
      break;
    }
    end = index + segment.length;
  }
  return text.slice(0, end);
}

const MONTHS = 12;

/**
 * A price over a year's revenue, given that of 30 days, both in cents; NaN without a price (NaN) or revenue.
 */
export function priceMultiple(price: number, revenue: number): number {
  return revenue === 0 ? Number.NaN : price / (revenue * MONTHS);
}

/** Asking price over a year of the last 30 days' revenue; null where either is missing or the revenue 0. */
export function multipleOf({ askingPrice, revenueLast30Days }: StartupRecord): number | null {
  return askingPrice === null || revenueLast30Days === 0n
    ? null
    : priceMultiple(Number(askingPrice), Number(revenueLast30Days));
}

/** Cents of revenue per website visitor, both of the last 30 days; null where there is no visitor known. */
export function revenuePerVisitorOf({ revenueLast30Days, visitorsLast30Days }: StartupRecord): number | null {
  return visitorsLast30Days === null || visitorsLast30Days === 0
    ? null
    : Number(revenueLast30Days) / visitorsLast30Days;
}
