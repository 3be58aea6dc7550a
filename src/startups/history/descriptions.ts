/** Descriptions of the history of startups, for GraphQL and OpenAPI. */

/** A point of a startup's history. */
export const pointTexts = {
  itself:
    'Figures of a startup at the end of a UTC day on which an import changed it. They apply until the next point.',
  day: 'The day, in UTC.',
  revenue: 'Verified revenue, in US cents.',
  customers: 'Total number of customers.',
  activeSubscriptions: 'Number of subscriptions that were active.',
  askingPrice: 'Asking price, in US cents. Null when none was stated.',
  onSale: 'Whether the startup was listed for sale.',
} as const;

/** All points of a startup. */
export const HISTORY_TEXT =
  'The figures over time, oldest first: a point for each day on which an import added or changed the startup. For about a second after an import, it can differ from the startup.';

/** The market on a day. */
export const marketDayTexts = {
  itself: 'Totals and medians of all startups, or of one category, at the end of a day.',
  day: 'The day, in UTC.',
  count: 'Number of startups.',
  onSale: 'Number of startups listed for sale.',
  revenue: 'Revenue of the last 30 days, in US cents.',
  mrr: 'Monthly recurring revenue, in US cents.',
  sum: 'Sum of the amounts; rounded above 2^53.',
  median: 'The median; of two middle amounts, the lower one. Null when there are no startups.',
} as const;

/** All days of the market. */
export const MARKET_TEXT =
  'Totals and medians of all startups, or of one category, for each day of a range, from the first day with data on. A day without an import has the figures of the day before.';

/** A change of a startup. */
export const changeTexts = {
  itself: 'The latest change of a startup.',
  slug: 'Slug of the startup, even if it was removed.',
  kind: 'What happened to the startup.',
  at: 'The time of the import that changed the startup.',
  startup: 'The startup as it is now. Null if it was removed.',
  next: 'The cursor for the next call: pass it as since. Set even when there are no new changes.',
} as const;

/** All changes. */
export const CHANGES_TEXT = 'The latest change of each startup, oldest first.';
