import type { Prisma, PrismaClient } from '../../db/generated/client/client.ts';
import { escapeLike, type Paged, pageOfSearch, type Search } from '../../db/read-page.ts';
import { found, isPlainText, quote } from '../../lib/errors.ts';

export const accountColumns = {
  id: true,
  name: true,
  email: true,
  emailVerified: true,
  operator: true,
  createdAt: true,
  disabledAt: true,
  disabledReason: true,
} satisfies Prisma.AccountSelect;

export type Account = Readonly<Prisma.AccountGetPayload<{ select: typeof accountColumns }>>;

/** What an account is called in lists. */
export const accountLabel = ({ email, name, id }: Pick<Account, 'email' | 'name' | 'id'>): string =>
  email ?? (name || id);

export const EMAIL_MAX = 254;

// Callers of create choose the ids, so this only rejects texts that cause database errors.
const ID_SHAPE = /^[0-9A-Za-z_-]{1,64}$/;

type Accounts = Pick<PrismaClient, 'account'>;

/**
 * Reads one account by its id.
 *
 * @throws UnknownError when there is none.
 */
export async function requireAccount(prisma: Accounts, id: string): Promise<Account> {
  const account = ID_SHAPE.test(id)
    ? await prisma.account.findUnique({ where: { id }, select: accountColumns })
    : null;
  return found(account, `No account has the id ${quote(id)}.`);
}

/**
 * Reads one account by its id or its email address.
 *
 * @throws UnknownError when there is none.
 */
export async function requireAccountBy(prisma: Accounts, idOrEmail: string): Promise<Account> {
  if (!idOrEmail.includes('@')) {
    return requireAccount(prisma, idOrEmail);
  }
  const account = isPlainText(idOrEmail, EMAIL_MAX)
    ? await prisma.account.findUnique({ where: { email: idOrEmail.toLowerCase() }, select: accountColumns })
    : null;
  return found(account, `No account has the email address ${quote(idOrEmail)}.`);
}

/** All accounts, with the number of their keys, the oldest first. */
export async function listAccounts(prisma: Accounts) {
  const rows = await prisma.account.findMany({
    select: { ...accountColumns, _count: { select: { keys: true } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ _count, ...account }) => ({ ...account, keys: _count.keys }));
}

/** Accounts whose users have an address that they have not confirmed, as a condition. */
export const unconfirmed = { email: { not: null }, emailVerified: false, disabledAt: null };

/** The states of accounts that can be searched for, each as a condition. */
const byState = { active: { disabledAt: null }, disabled: { disabledAt: { not: null } }, unconfirmed };
type AccountState = keyof typeof byState;
export const accountStates = Object.keys(byState) as AccountState[];

interface KeyUse {
  readonly id: string;
  readonly keys: number;
  readonly lastUsedAt: Date | null;
}

/**
 * Accounts, newest first, a page at a time, with their keys and when any of those was last used; null: never. They are
 * found by their id, or by part of an address or a name.
 */
export async function searchAccounts(
  prisma: Pick<PrismaClient, 'account' | '$queryRaw'>,
  search: Search<AccountState>,
): Promise<Paged<Account & KeyUse>> {
  const { text, state } = search;
  const part = { contains: escapeLike(text), mode: 'insensitive' } as const;
  const where: Prisma.AccountWhereInput = {
    ...(text === '' ? {} : { OR: [{ id: text }, { email: part }, { name: part }] }),
    ...(state === undefined ? {} : byState[state]),
  };
  const rows = await pageOfSearch(search, EMAIL_MAX, (range) =>
    prisma.account.findMany({
      where,
      select: accountColumns,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      ...range,
    }),
  );
  // By itself: as part of the search, the keys of all accounts would be counted, even once for each account found.
  const uses = await prisma.$queryRaw<KeyUse[]>`
    SELECT account_id AS id, count(*)::int AS keys, max(last_used_at) AS "lastUsedAt"
    FROM api_keys AS k LEFT JOIN key_last_uses ON key_id = k.id
    WHERE account_id = ANY(${rows.items.map(({ id }) => id)}) GROUP BY 1`;
  const byId = new Map(uses.map((one) => [one.id, one]));
  return {
    ...rows,
    items: rows.items.map((one) => ({ ...one, keys: 0, lastUsedAt: null, ...byId.get(one.id) })),
  };
}
