import { type ActContext, act } from '../audit/act.ts';
import { OperatorError } from '../errors.ts';
import type { Policy } from './policy.ts';

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
