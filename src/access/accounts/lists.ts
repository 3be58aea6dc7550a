import type { PrismaClient } from '../../db/generated/client/client.ts';
import { lineErrors, OperatorError, quote, throwIfAny } from '../../lib/errors.ts';

export const SAVED_STARTUPS_MAX = 100;
export const SEARCHES_MAX = 50;
export const SEARCH_NAME_MAX = 100;
/** The longest query of a search: enough for every filter at once. */
export const QUERY_MAX = 2_000;
const SLUG_MAX = 200;

export interface SavedSearch {
  readonly name: string;
  /** The query of the explorer, in its canonical form. */
  readonly query: string;
  /** When the data that it was last opened with was imported, in ISO 8601; null: before the first import. */
  readonly seenImport: string | null;
  /** Since when it is in emails, in ISO 8601; undefined: it is not. */
  readonly mailsSince?: string | undefined;
}

export interface AccountLists {
  /** Slugs, the last added first. */
  readonly shortlist: readonly string[];
  /** By name. */
  readonly searches: readonly SavedSearch[];
}

type Lists = Pick<PrismaClient, '$executeRaw' | 'accountLists'>;

/** A row of the table, where searches are by name. */
export type StoredLists = Pick<AccountLists, 'shortlist'> & { readonly searches: unknown };

export const toLists = ({ shortlist, searches }: StoredLists): AccountLists => ({
  shortlist: shortlist.toReversed(),
  searches: Object.entries(searches as Readonly<Record<string, Omit<SavedSearch, 'name'>>>)
    .map(([name, search]) => ({ name, ...search }))
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en')),
});

export async function readLists(prisma: Lists, accountId: string): Promise<AccountLists> {
  const found = await prisma.accountLists.findUnique({ where: { accountId } });
  return toLists(found ?? { shortlist: [], searches: {} });
}

// Each change is one statement, so that changes at the same time cannot exceed a limit.

/**
 * Adds a startup to the shortlist of an account. Adding it again changes nothing.
 *
 * @throws OperatorError for a text that is no slug, and if the list is full.
 */
export async function saveStartup(prisma: Lists, accountId: string, slug: string): Promise<void> {
  checkSlug(slug);
  const changed = await prisma.$executeRaw`
    INSERT INTO account_lists AS stored (account_id, shortlist) VALUES (${accountId}, ARRAY[${slug}::text])
    ON CONFLICT (account_id) DO UPDATE SET shortlist =
      CASE WHEN ${slug} = ANY(stored.shortlist) THEN stored.shortlist ELSE stored.shortlist || ${slug}::text END
    WHERE ${slug} = ANY(stored.shortlist) OR cardinality(stored.shortlist) < ${SAVED_STARTUPS_MAX}`;
  if (changed === 0) {
    throw new OperatorError(
      `You have saved ${SAVED_STARTUPS_MAX} startups, the maximum: remove one before you add ${slug}.`,
    );
  }
}

/** @throws OperatorError for a text that is no slug. */
export async function removeSavedStartup(prisma: Lists, accountId: string, slug: string): Promise<void> {
  checkSlug(slug);
  await prisma.$executeRaw`
    UPDATE account_lists SET shortlist = array_remove(shortlist, ${slug}) WHERE account_id = ${accountId}`;
}

function checkSlug(slug: string): void {
  if (slug.length > SLUG_MAX || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)) {
    throw new OperatorError(`slug: got ${quote(slug)}, allowed: lower-case letters and digits with hyphens.`);
  }
}

/**
 * Saves a search of an account.
 *
 * @throws OperatorError for an invalid or used name, a query that is too long, and if there are too many searches.
 */
export async function saveSearch(prisma: Lists, accountId: string, { name, ...search }: SavedSearch) {
  const { query } = search;
  throwIfAny(lineErrors('Name', name, SEARCH_NAME_MAX));
  if (query.length > QUERY_MAX) {
    throw new OperatorError(
      `The search has ${query.length} characters, allowed: at most ${QUERY_MAX}. Use fewer filters.`,
    );
  }
  const changed = await prisma.$executeRaw`
    INSERT INTO account_lists AS stored (account_id, searches)
    VALUES (${accountId}, jsonb_build_object(${name}::text, ${JSON.stringify(search)}::jsonb))
    ON CONFLICT (account_id) DO UPDATE SET searches = stored.searches || excluded.searches
    WHERE NOT stored.searches ? ${name}
      AND (SELECT count(*) FROM jsonb_object_keys(stored.searches)) < ${SEARCHES_MAX}`;
  if (changed === 0) {
    const { searches } = await readLists(prisma, accountId);
    throw new OperatorError(
      searches.some((one) => one.name === name)
        ? usedName(name)
        : `You have ${SEARCHES_MAX} saved searches, the maximum: delete one first.`,
    );
  }
}

/**
 * Renames a search of an account. One that is gone is not renamed.
 *
 * @throws OperatorError for an invalid or used name.
 */
export async function renameSearch(prisma: Lists, accountId: string, name: string, to: string) {
  throwIfAny(lineErrors('Name', to, SEARCH_NAME_MAX));
  if (to === name) {
    return;
  }
  const changed = await prisma.$executeRaw`
    UPDATE account_lists
    SET searches = (searches - ${name}::text) || jsonb_build_object(${to}::text, searches -> ${name})
    WHERE account_id = ${accountId} AND searches ? ${name} AND NOT searches ? ${to}`;
  if (changed === 0) {
    const { searches } = await readLists(prisma, accountId);
    throw new OperatorError(
      searches.some((one) => one.name === to) ? usedName(to) : `You have no search ${quote(name)}.`,
    );
  }
}

/** Remembers the data that a search of an account was opened with, if it is there. */
export async function recordOpening(
  prisma: Lists,
  accountId: string,
  { name, seenImport }: Omit<SavedSearch, 'query'>,
): Promise<void> {
  await prisma.$executeRaw`
    UPDATE account_lists
    SET searches = jsonb_set(searches, ARRAY[${name}, 'seenImport']::text[], ${JSON.stringify(seenImport)}::jsonb)
    WHERE account_id = ${accountId} AND searches ? ${name}`;
}

export async function deleteSearch(prisma: Lists, accountId: string, name: string): Promise<void> {
  await prisma.$executeRaw`
    UPDATE account_lists SET searches = searches - ${name}::text WHERE account_id = ${accountId}`;
}

const usedName = (name: string): string =>
  `Name: got ${quote(name)}, which another of your searches has: choose another name.`;
