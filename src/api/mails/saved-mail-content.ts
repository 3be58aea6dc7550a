import type { Digest, DigestLine, DigestList, Subscriber } from '../../access/mails/saved-mail-store.ts';
import { amount } from '../../lib/errors.ts';
import type { Steps } from '../../lib/loop/time-slices.ts';
import { dollarText, exactText } from '../../lib/text/figures.ts';
import { isBlank, oneLine } from '../../lib/text/one-line.ts';
import type { Catalogue } from '../../startups/catalogue/catalogue.ts';
import type {
  ChangedStartup,
  ListDifference,
  PastFigures,
  ToldDifferences,
} from '../../startups/catalogue/changes/past-figures.ts';
import type { StartupFilter } from '../../startups/model/filter.ts';
import type { OwnField } from '../../startups/model/own-fields.ts';
import type { StartupRecord } from '../../startups/model/record.ts';
import { type ListArguments, readListArguments } from '../../startups/model/requests/list-request.ts';
import { listReaderWith } from '../../startups/model/requests/query-parameters.ts';

/** The most changes that are stored, of all lists together. */
const MOST_STORED = 200;
/** A figure of a startup on the shortlist is told if it changes by more than this part. */
const TOLD_PART = 0.1;

/** The data, what it was at the last time, and when startups were removed since, by their slugs. */
export interface Compared {
  readonly edition: Catalogue;
  readonly past: PastFigures;
  readonly removed: ReadonlyMap<string, number>;
  /** What one email has told. */
  readonly told: ToldDifferences;
}

/**
 * Writes what has happened to what an account saved; null if nothing has. A change is told once, in the first list that
 * it belongs to, and only what is told is counted.
 */
export function* writeDigest(
  { edition, past, removed, told }: Compared,
  { searches, shortlist, shortlistSince }: Subscriber,
): Steps<Digest | null> {
  told.clear();
  const lists: DigestList[] = [];
  let left = MOST_STORED;
  const add = (heading: string, total: number, lines: readonly DigestLine[]): void => {
    if (total > 0) {
      lists.push({ heading, total, lines });
      left -= lines.length;
    }
  };
  if (shortlistSince !== null) {
    const since = Date.parse(shortlistSince);
    const lines = shortlist.flatMap((slug) => shortlistLine({ past, removed, told }, slug, since) ?? []);
    add('Your saved startups', lines.length, lines);
  }
  for (const { name, query, mailsSince } of searches) {
    yield;
    const filter = mailsSince === undefined ? undefined : filterOf(query, edition.own);
    if (filter !== undefined) {
      const since = Date.parse(mailsSince ?? '');
      const { total, shown } = yield* edition.changesSince(past, filter, { since, most: left, told });
      const lines = shown.map((one) => lineOf(one.now, searchTexts[one.difference](one)));
      add(`${oneLine(name)}: ${amount(total, 'change')}`, total, lines);
    }
  }
  const total = lists.reduce((sum, list) => sum + list.total, 0);
  return total === 0 ? null : { total, lists };
}

/** The filter of a saved search; undefined if it is not valid any more, as that by a field that was removed. */
function filterOf(query: string, own: readonly OwnField[]): StartupFilter | undefined {
  const { args, details } = listReaderWith(own)(query);
  const read = readListArguments(args as ListArguments, 'url');
  return details.length > 0 || 'details' in read ? undefined : read.request.filter;
}

const searchTexts: Readonly<Record<ListDifference, (startup: ChangedStartup) => string>> = {
  new: (startup) => `new, ${figuresOf(startup)}`,
  matches: (startup) => `now matches, ${figuresOf(startup)}`,
  cheaper: ({ before, now }) => `price ${change(before?.askingPrice ?? null, now.askingPrice)}`,
  ended: () => 'no longer for sale',
};

/** The price, with the earlier one if it was for sale before, and the revenue. */
function figuresOf({ before, now }: ChangedStartup): string {
  const earlier = before?.onSale ? before.askingPrice : null;
  const isChanged = earlier !== null && earlier !== now.askingPrice;
  const price = now.askingPrice !== null && now.onSale && money(now.askingPrice);
  return [
    price && (isChanged ? `price ${change(earlier, now.askingPrice)}` : `for sale at ${price}`),
    `revenue in 30 days ${money(revenue(now))}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** What has happened to a startup of the shortlist; undefined if nothing has. */
function shortlistLine(
  { past, removed, told }: Pick<Compared, 'past' | 'removed' | 'told'>,
  slug: string,
  since: number,
): DigestLine | undefined {
  const startup = past.startup(slug, since);
  if (startup === undefined) {
    return (removed.get(slug) ?? 0) > since ? { text: `${slug}: no longer in the data` } : undefined;
  }
  const { now, before, position } = startup;
  if (before === null) {
    return undefined;
  }
  const isListed = !before.onSale && now.onSale;
  const isEnded = before.onSale && !now.onSale;
  const hasPrice = isTold(before.askingPrice, now.askingPrice);
  const hasRevenue = isTold(revenue(before), revenue(now));
  // What searches would tell in the same way.
  if (isEnded) {
    told.add(position, 'ended');
  }
  if (hasPrice && isLower(before.askingPrice, now.askingPrice)) {
    told.add(position, 'cheaper');
  }
  const texts = [
    isListed && 'for sale',
    isEnded && 'no longer for sale',
    hasPrice && `price ${change(before.askingPrice, now.askingPrice)}`,
    hasRevenue && `revenue in 30 days ${change(revenue(before), revenue(now))}`,
  ].filter((text) => text !== false);
  return texts.length === 0 ? undefined : lineOf(now, texts.join(', '));
}

const lineOf = ({ name, slug }: StartupRecord, text: string): DigestLine => ({
  name: isBlank(name) ? slug : oneLine(name),
  slug,
  text,
});

function isTold(before: number | null, now: number | null): boolean {
  return before === null || now === null
    ? before !== now
    : Math.abs(now - before) > Math.abs(before) * TOLD_PART;
}

const isLower = (before: number | null, now: number | null): boolean =>
  before !== null && now !== null && now < before;
const revenue = (startup: StartupRecord): number => startup.revenue.last30Days;
/** Both amounts, with cents where they would read alike without. */
function change(before: number | null, now: number | null): string {
  const isAlike = before !== now && money(before) === money(now);
  const [from, to] = [before, now].map(isAlike ? exact : money);
  return `${from} → ${to}`;
}

const money = (cents: number | null): string => (cents === null ? 'none' : dollarText(cents));
const exact = (cents: number | null): string => (cents === null ? 'none' : exactText(cents));
