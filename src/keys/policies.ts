import type { PrismaClient } from '../db/generated/client/client.ts';
import { UnknownError } from '../errors.ts';
import { isPlainText, quote } from '../plain-text.ts';

/** A version of the acceptable-use policy that was in force. */
interface PublishedPolicy {
  readonly version: string;
  readonly recordedAt: Date;
  /** How many accounts accepted it. */
  readonly acceptances: number;
}

type Client = Pick<PrismaClient, 'policyVersion'>;

/**
 * The versions that were ever in force, newest first.
 *
 * @param limit the most versions to return.
 */
export async function listPolicies(
  prisma: Client & Pick<PrismaClient, 'policyAcceptance'>,
  limit: number,
): Promise<PublishedPolicy[]> {
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
  const found = isPlainText(version, 20)
    ? await prisma.policyVersion.findUnique({ where: { version }, select: { text: true } })
    : null;
  if (found === null) {
    throw new UnknownError(`No policy has the version ${quote(version)}.`);
  }
  return found.text;
}
