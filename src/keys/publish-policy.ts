import type pg from 'pg';
import { type ActContext, act } from '../audit/act.ts';
import { OperatorError } from '../errors.ts';
import type { Policy } from './policy.ts';

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
export async function publishPolicy(context: ActContext, { version, text }: Policy): Promise<void> {
  const stored = await context.prisma.policyVersion.findUnique({ where: { version } });
  if (stored === null) {
    await act(context, async ({ prisma, now, record }) => {
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
      `docs/policy.md differs from the recorded text of version ${version}: a changed policy needs a new version.`,
    );
  }
}
