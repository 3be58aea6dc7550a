import type { Prisma, PrismaClient } from '../../db/generated/client/client.ts';
import { pageOfSearch, type Search } from '../../db/read-page.ts';
import type { RandomBytes } from '../../lib/text/base62.ts';

/** The administrative actions. Append only: readers of the log depend on them. */
export const actions = [
  'key.create',
  'key.rotate',
  'key.revoke',
  'key.disable',
  'key.enable',
  'key.tier',
  'account.create',
  'account.disable',
  'account.enable',
  'policy.publish',
  'startups.import',
  'startups.undo',
  'key.documents',
  'documents.publish',
  'documents.remove',
  'policy.accept',
  'account.promote',
  'account.demote',
  'account.delete',
  'data.restore',
  'key.rename',
  'account.link',
  'key.limit',
  'token.create',
  'token.revoke',
  'token.use',
  'mapping.save',
  'mapping.remove',
  'key.allow',
  'key.forbid',
  'documents.offer',
  'documents.withdraw',
  'account.factor-set',
  'account.factor-remove',
  'account.factor-reset',
  'mails.release',
  'account.recovery-code',
  'key.origins',
  'field.add',
  'field.label',
  'field.remove',
] as const;
export type Action = (typeof actions)[number];

/** What reads some tables needs. */
export interface ReadContext<Tables extends keyof PrismaClient> {
  readonly prisma: Pick<PrismaClient, Tables>;
  /** The time, in ms since 1970. */
  readonly now: () => number;
  /** The account that acts for itself and can access only its own keys; absent: an operator acts. */
  readonly holder?: string | undefined;
}

export interface ActionContext extends ReadContext<'$transaction'> {
  readonly prisma: PrismaClient;
  readonly actor: string;
  /** Throws if the actor may not act any more: its right may have ended while its form arrived, or was checked. */
  readonly authorize?: ((prisma: Prisma.TransactionClient) => Promise<void>) | undefined;
  /** A running action that this one is a part of: both are committed, or neither is. */
  readonly within?: RunningAction;
}

/** What creates a key or another secret needs. */
export type CreateContext = ActionContext & { readonly randomBytes: RandomBytes };

/** A running action, which writes in the transaction of `prisma`. */
export interface RunningAction extends Omit<ReadContext<never>, 'prisma'> {
  readonly prisma: Prisma.TransactionClient;
  /**
   * Records the action.
   *
   * @param subject the id of the key, account or import, or the version of the policy.
   * @param details other relevant information, never a secret.
   */
  record(action: Action, subject: string, details?: Prisma.InputJsonObject): Promise<void>;
}

// An import may occupy the embedded database for longer than the driver's default time-out.
const WAIT_MS = { maxWait: 10_000, timeout: 20_000 };

/**
 * Runs an administrative action in one transaction with its log entry: exactly the completed actions are
 * recorded. One at a time on all nodes, so that none uses data that another is changing; they are rare.
 */
export function runAction<T>(
  { prisma, now, actor, holder, authorize, within }: ActionContext,
  run: (action: RunningAction) => Promise<T>,
): Promise<T> {
  if (within !== undefined) {
    return run(within);
  }
  return prisma.$transaction(async (transaction) => {
    // A separate statement, so that the following ones see the results of the previous action.
    await transaction.$queryRaw`SELECT 1 FROM revisions WHERE name = 'keys' FOR UPDATE`;
    await authorize?.(transaction);
    return run({
      prisma: transaction,
      now,
      holder,
      async record(action, subject, details = {}) {
        const data = { at: new Date(now()), actor, action, subject, details };
        await transaction.auditEntry.create({ data, select: { id: true } });
      },
    });
  }, WAIT_MS);
}

/**
 * The administrative actions of this database, the last one first.
 *
 * @param limit the most actions to return.
 */
export async function listAudit(prisma: Pick<PrismaClient, 'auditEntry'>, limit: number) {
  return prisma.auditEntry.findMany({ orderBy: { id: 'desc' }, take: limit });
}

const TEXT_MAX = 254;

/** Administrative actions, the last one first, a page at a time. They are found by their actor, or the id of their subject. */
export async function searchAudit(prisma: Pick<PrismaClient, 'auditEntry'>, search: Search<Action>) {
  const { text, state: action } = search;
  const where = {
    ...(text === '' ? {} : { OR: [{ subject: text }, { actor: text }] }),
    ...(action === undefined ? {} : { action }),
  };
  return pageOfSearch(search, TEXT_MAX, (range) =>
    prisma.auditEntry.findMany({ where, orderBy: { id: 'desc' }, ...range }),
  );
}
