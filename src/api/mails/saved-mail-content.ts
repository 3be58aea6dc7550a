import type { Digest, Subscriber } from '../../access/mails/saved-mail-store.ts';
import { amount } from '../../lib/errors.ts';
import type { Steps } from '../../lib/loop/time-slices.ts';
import type { MailList } from '../../lib/mail/open-mailer.ts';
import { dollarText } from '../../lib/text/figures.ts';
import type { Catalogue } from '../../startups/catalogue/catalogue.ts';
import type {
  ChangedStartup,
  ListDifference,
  PastFigures,
} from '../../startups/catalogue/changes/past-figures.ts';
import type { StartupFilter } from '../../startups/model/filter.ts';
import type { StartupRecord } from '../../startups/model/record.ts';
import { type ListArguments, readListArguments } from '../../startups/model/requests/list-request.ts';
import { readListQuery } from '../../startups/model/requests/query-parameters.ts';

/** The most startups that an email names. */
const MOST_LINES = 20;
/** A figure of a startup on the shortlist is told if it changes by more than this part. */
const TOLD_PART = 0.1;

/** The data, what it was at the last time, and when startups were removed since, by their slugs. */
export interface Compared {
  readonly edition: Catalogue;
  readonly past: PastFigures;
  readonly removed: ReadonlyMap<string, number>;
}

/** Writes what has happened to what an account saved; null if nothing has. */
export function* writeDigest(
  { edition, past, removed }: Compared,
  { searches, shortlist, shortlistSince }: Subscriber,
): Steps<Digest | null> {
  const lists: MailList[] = [];
  const told = new Set<string>();
  let total = 0;
  const add = (heading: string, lines: ReadonlyMap<string, string>): void => {
    const shown = [...lines].filter(([slug]) => !told.has(slug)).slice(0, MOST_LINES - told.size);
    for (const [slug] of shown) {
      told.add(slug);
    }
    if (shown.length > 0) {
      lists.push({ heading, lines: shown.map(([, line]) => line) });
    }
  };
  if (shortlistSince !== null) {
    const lines = new Map<string, string>();
    for (const slug of shortlist) {
      const line = shortlistLine(past, removed, slug, Date.parse(shortlistSince));
      if (line !== undefined) {
        lines.set(slug, line);
      }
    }
    total += lines.size;
    add('Your saved startups', lines);
  }
  for (const { name, query, mailsSince } of searches) {
    yield;
    const filter = mailsSince === undefined ? undefined : filterOf(query);
    if (filter !== undefined) {
      const changes = yield* edition.changesSince(past, filter, Date.parse(mailsSince ?? ''), MOST_LINES);
      total += changes.total;
      add(
        `${plain(name)}: ${amount(changes.total, 'change')}`,
        new Map(
          changes.shown.map((one) => [
            one.now.slug,
            `${plain(one.now.name)}: ${searchTexts[one.difference](one)}`,
          ]),
        ),
      );
    }
  }
  return total === 0 ? null : { total, lists };
}

/** The filter of a saved search; undefined if it is not valid any more. */
function filterOf(query: string): StartupFilter | undefined {
  const { args, details } = readListQuery(query);
  const read = readListArguments(args as ListArguments);
  return details.length > 0 || 'details' in read ? undefined : read.request.filter;
}

const searchTexts: Readonly<Record<ListDifference, (startup: ChangedStartup) => string>> = {
  new: ({ now }) =>
    `new${now.onSale && now.askingPrice !== null ? `, for sale at ${dollarText(now.askingPrice)}` : ''}, ` +
    `revenue in 30 days ${dollarText(now.revenue.last30Days)}`,
  cheaper: ({ before, now }) => `price ${change(before?.askingPrice ?? null, now.askingPrice)}`,
  ended: () => 'no longer for sale',
};

function shortlistLine(
  past: PastFigures,
  removed: ReadonlyMap<string, number>,
  slug: string,
  since: number,
): string | undefined {
  const startup = past.startup(slug, since);
  if (startup === undefined) {
    return (removed.get(slug) ?? 0) > since ? `${slug}: no longer in the data` : undefined;
  }
  const { now, before } = startup;
  if (before === null) {
    return undefined;
  }
  const texts = [
    before.onSale !== now.onSale && (now.onSale ? 'for sale' : 'no longer for sale'),
    isTold(before.askingPrice, now.askingPrice) && `price ${change(before.askingPrice, now.askingPrice)}`,
    isTold(revenue(before), revenue(now)) && `revenue in 30 days ${change(revenue(before), revenue(now))}`,
  ].filter((text) => text !== false);
  return texts.length === 0 ? undefined : `${plain(now.name)}: ${texts.join(', ')}`;
}

function isTold(before: number | null, now: number | null): boolean {
  return before === null || now === null
    ? before !== now
    : Math.abs(now - before) > Math.abs(before) * TOLD_PART;
}

const revenue = (startup: StartupRecord): number => startup.revenue.last30Days;
const change = (before: number | null, now: number | null): string => `${money(before)} → ${money(now)}`;
const money = (cents: number | null): string => (cents === null ? 'none' : dollarText(cents));
/** In one line: a name may have any characters. */
const plain = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
