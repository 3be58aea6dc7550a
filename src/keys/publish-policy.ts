import type pg from 'pg';
import { type ActContext, act } from '../audit/act.ts';
import { OperatorError } from '../errors.ts';
import type { Policy } from './policy.ts';

/**
 * Whether the policy is on record as it is. Asked at every start, so straight to the driver: a node that
 * only answers need not load Prisma's engine, which takes 37 MB.
 */
export async function isPublished(pool: Pick<pg.Pool, 'query'>, { version, text }: Policy): Promise<boolean> {
  const { rows } = await pool.query('SELECT FROM policies WHERE version = $1 AND text = $2', [version, text]);
  return rows.length > 0;
}

/**
 * Records the policy in force, once for each version, so that what a key's holder agreed to can always be
 * read. To be called before a key is made or the policy is shown.
 *
 * @throws OperatorError when the version was in force with another text: some have agreed to that one.
 */
export async function publishPolicy(context: ActContext, { version, text }: Policy): Promise<void> {
  const stored = await context.prisma.policyVersion.findUnique({ where: { version } });
  if (stored === null) {
    await act(context, async ({ prisma, now, record }) => {
      const recordedAt = new Date(now());
      const { count } = await prisma.policyVersion.createMany({
        data: { version, text, recordedAt },
        // By another node, since it was looked for.
        skipDuplicates: true,
      });
      if (count > 0) {
        await record('policy.publish', version);
      }
    });
  } else if (stored.text !== text) {
    throw new OperatorError(
      `docs/policy.md differs from what was recorded as version ${version}: a changed policy needs a new version.`,
    );
  }
}
