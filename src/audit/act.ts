import type { Prisma, PrismaClient } from '../db/generated/client/client.ts';

/** The administrative acts there are. Append only: those who read the record switch on them. */
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
  'key.documents',
  'documents.publish',
  'documents.remove',
  'policy.accept',
  'account.promote',
  'account.demote',
  'account.delete',
  'data.restore',
  'key.rename',
] as const;
export type Action = (typeof actions)[number];

/** What every administrative act is given. */
export interface ActContext {
  readonly prisma: PrismaClient;
  /** The time, in ms since 1970. */
  readonly now: () => number;
  /** Who acts, as the record is to name them. */
  readonly actor: string;
  /** The account that acts for itself, for which there are no keys but its own; absent: an operator acts. */
  readonly holder?: string | undefined;
  /** An act under way that this one is a part of: both are done, or neither is. */
  readonly within?: Act;
}

/** An act under way: what it does, it does in the transaction of `prisma`. */
export interface Act {
  readonly prisma: Prisma.TransactionClient;
  readonly now: () => number;
  readonly holder: string | undefined;
  /**
   * Records what was done.
   *
   * @param subject the id of the key, account or import, or the version of the policy.
   * @param details what else matters of it, never a secret.
   */
  record(action: Action, subject: string, details?: Prisma.InputJsonObject): Promise<void>;
}

// An import may hold the embedded database for longer than the driver's own patience.
const WAIT_MS = { maxWait: 10_000, timeout: 20_000 };

/**
 * Runs an administrative act in one transaction with its record: what is recorded was done, and nothing
 * else was. One at a time on all nodes, so that none works on what another is changing; they are rare.
 */
export function act<T>(
  { prisma, now, actor, holder, within }: ActContext,
  run: (act: Act) => Promise<T>,
): Promise<T> {
  if (within !== undefined) {
    return run(within);
  }
  return prisma.$transaction(async (transaction) => {
    // A statement of its own, so that those that follow see what the last act has left.
    await transaction.$queryRaw`SELECT 1 FROM revisions WHERE name = 'keys' FOR UPDATE`;
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
