import type pg from 'pg';
import type { PrismaClient } from '../../db/generated/client/client.ts';
import { found, isPlainText, OperatorError, quote } from '../../lib/errors.ts';
import { type ActionContext, type ReadContext, runAction } from '../audit/audit-log.ts';

export interface Policy {
  /** The day from which this text applies, `YYYY-MM-DD`; a key records the version accepted. */
  readonly version: string;
  readonly text: string;
  /** Where it is from, as messages name it. */
  readonly file?: string;
}

const BUNDLED = 'docs/policy.md';

export const isBundled = ({ file = BUNDLED }: Policy): boolean => file === BUNDLED;

const VERSION_LINE = /^Version: (\d{4}-\d{2}-\d{2})$/;
const HEAD_LINES = 5;

/**
 * Reads a policy from the text of its file, which has a line `Version: YYYY-MM-DD` near its top.
 *
 * @throws OperatorError if there is no such line: accepting an unnamed version proves nothing.
 */
export function loadPolicy(text: string, file = BUNDLED): Required<Policy> {
  // Line endings depend on the checkout; the text is the same.
  const plain = text.replaceAll('\r\n', '\n');
  for (const line of plain.split('\n', HEAD_LINES)) {
    const version = VERSION_LINE.exec(line)?.[1];
    if (version !== undefined) {
      return { version, text: plain, file };
    }
  }
  throw new OperatorError(
    `${file} has no line "Version: YYYY-MM-DD" among its first ${HEAD_LINES}: add the day from which it applies.`,
  );
}

/** What a policy forbids, by the titles of its numbered rules. */
export function summarizePolicy({ text }: Policy): string {
  const rules = [...text.matchAll(/^\d+\. \*\*(.)(.+?)\.?\*\*/gm)].map(
    ([, first = '', rest]) => first.toLowerCase() + rest,
  );
  return `The policy does not allow you to ${rules.join(', ')}.`;
}

/**
 * Whether the policy is recorded unchanged. Checked at every start, so it uses the driver directly: a node that
 * only serves requests need not load Prisma's engine, which takes 37 MB.
 */
export async function isPublished(pool: Pick<pg.Pool, 'query'>, { version, text }: Policy): Promise<boolean> {
  const { rows } = await pool.query('SELECT FROM policies WHERE version = $1 AND text = $2', [version, text]);
  return rows.length > 0;
}

/**
 * Records the policy in force, once for each version, so that the text that a key's holder accepted can always be
 * read. Call this before a key is created or the policy is shown.
 *
 * @throws OperatorError if the version was in force with another text: users may have accepted that one.
 */
export async function publishPolicy(context: ActionContext, { version, text, file = BUNDLED }: Policy) {
  const stored = await context.prisma.policyVersion.findUnique({ where: { version } });
  if (stored === null) {
    await runAction(context, async ({ prisma, now, record }) => {
      const recordedAt = new Date(now());
      const { count } = await prisma.policyVersion.createMany({
        data: { version, text, recordedAt },
        // Recorded by another node since the check.
        skipDuplicates: true,
      });
      if (count > 0) {
        await record('policy.publish', version);
      }
    });
  } else if (stored.text !== text) {
    throw new OperatorError(
      `${file} differs from the recorded text of version ${version}: a changed policy needs a new version.`,
    );
  }
}

type Client = Pick<PrismaClient, 'policyVersion'>;

/**
 * The versions that were ever in force, with the number of accounts that accepted each, newest first.
 *
 * @param limit the most versions to return.
 */
export async function listPolicies(prisma: Client & Pick<PrismaClient, 'policyAcceptance'>, limit: number) {
  const rows = await prisma.policyVersion.findMany({
    select: { version: true, recordedAt: true },
    orderBy: { version: 'desc' },
    take: limit,
  });
  const counts = await prisma.policyAcceptance.groupBy({
    by: 'version',
    where: { version: { in: rows.map(({ version }) => version) } },
    _count: true,
  });
  const acceptances = new Map(counts.map(({ version, _count }) => [version, _count]));
  return rows.map((row) => ({ ...row, acceptances: acceptances.get(row.version) ?? 0 }));
}

/**
 * The text of a version, Markdown.
 *
 * @throws UnknownError for a version that was never in force.
 */
export async function getPolicyText(prisma: Client, version: string): Promise<string> {
  const policy = isPlainText(version, 20)
    ? await prisma.policyVersion.findUnique({ where: { version }, select: { text: true } })
    : null;
  return found(policy, `No policy has the version ${quote(version)}.`).text;
}

/**
 * Records that a demo key was used for the first time, by which its holder accepts the policy.
 * A recorded time is never changed.
 */
export async function recordPolicyAcceptance({ prisma, now }: ReadContext<'apiKey'>, id: string) {
  await prisma.apiKey.updateMany({
    where: { id, policyAcceptedAt: null },
    data: { policyAcceptedAt: new Date(now()) },
  });
}
