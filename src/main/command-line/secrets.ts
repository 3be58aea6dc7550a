import { randomBytes } from 'node:crypto';
import { type CreateContext, runAction } from '../../access/audit/audit-log.ts';
import { OperatorError, systemReason } from '../../lib/errors.ts';
import { type CommandContext, line, writeLine } from './command.ts';

/**
 * Creates a key or a token, and prints it before that is committed: one that nobody could read is not created.
 *
 * @param create runs in the transaction.
 * @param describe what is printed: as JSON, or the secret alone with a notice on standard error.
 * @throws OperatorError if it cannot be printed; any error of `create`. Nothing was created then.
 */
export async function createSecret<Created>(
  context: CommandContext,
  what: 'key' | 'token',
  json: true | undefined,
  create: (acting: CreateContext) => Promise<Created>,
  describe: (created: Created) => { value: object; secret: string; notice: string },
): Promise<void> {
  if (context.isDiscarded) {
    throw new OperatorError(
      `Standard output is closed or discarded, so nobody could read the new ${what}. No ${what} was ` +
        'created. Print it to a terminal, a file or another program.',
    );
  }
  const notice = await runAction(context, async (within) => {
    const { value, secret, notice } = describe(await create({ ...context, randomBytes, within }));
    try {
      await writeLine(context.stdout, json === true ? JSON.stringify(value) : secret);
    } catch (error) {
      throw new OperatorError(`Cannot write the new ${what} (${systemReason(error)}), so none was created.`);
    }
    return notice;
  });
  if (json !== true) {
    line(context.stderr, notice);
  }
}
