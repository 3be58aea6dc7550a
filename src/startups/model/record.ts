import type { Startup } from '../../db/generated/client/client.ts';
import { startupFields } from './fields.ts';
import type { OwnValues } from './own-fields.ts';

/** Verified revenue in cents. */
export interface Revenue {
  readonly last30Days: number;
  readonly mrr: number;
  readonly total: number;
}

type Stored = Omit<Startup, 'revenueLast30Days' | 'revenueMrr' | 'revenueTotal' | 'revision' | 'sample'>;

/** A stored value as a number where it is an amount, or an instant in ms since 1970. */
type Plain<T> = T extends bigint | Date ? number : T;

/** A startup as it is shown, with its figures in the catalogue that it was found in. Enumeration values have the form of its reader. */
export type StartupRecord = { readonly [Name in keyof Stored]: Plain<Stored[Name]> } & {
  readonly revenue: Revenue;
  /** Asking price over a year of the last 30 days' revenue; null where either is missing or the revenue 0. */
  readonly multiple: number | null;
  /** 1 is the highest total revenue among active startups; null for an inactive one. */
  readonly rank: number | null;
  /** Cents of revenue per website visitor, both of the last 30 days; null where there is no visitor known. */
  readonly revenuePerVisitor: number | null;
  /** The values of declared fields, by their names. */
  readonly own: OwnValues;
  /** As it is stored, where `description` is cut. */
  readonly fullDescription: string | null;
};

/** Longest description shown, in UTF-16 units. */
export const DESCRIPTION_LIMIT = 200;

/** What surfaces say of the description that is not cut. */
export const FULL_DESCRIPTION_TEXT = 'Short description, not cut. Null when there is none.';

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
  const isBoundary = PLAIN.test(text.slice(DESCRIPTION_LIMIT - 1, DESCRIPTION_LIMIT + 1));
  const next = isBoundary ? undefined : graphemes.segment(text).containing(DESCRIPTION_LIMIT);
  return text.slice(0, next?.index ?? DESCRIPTION_LIMIT);
}

const MONTHS = 12;

/**
 * A price over a year's revenue, given that of 30 days, both in cents; NaN without a price (NaN) or revenue.
 */
export function priceMultiple(price: number, revenue: number): number {
  return revenue === 0 ? Number.NaN : price / (revenue * MONTHS);
}
