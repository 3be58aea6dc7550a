import { randomBytes } from 'node:crypto';
import { type ActionContext, runAction } from '../../access/audit/run-action.ts';
import { OperatorError, systemReason } from '../../lib/errors.ts';
import type { RandomBytes } from '../../lib/text/base62.ts';
import { actionContext, type CommandContext, writeLine } from './command.ts';

/**
 * Creates a key or a token, and prints it before that is committed: one that nobody could read is not created.
 *
 * @param create runs in the transaction.
 * @param show the line to print.
 * @throws OperatorError if it cannot be printed; any error of `create`. Nothing was created then.
 */
export function createSecret<Created>(
  context: CommandContext,
  what: 'key' | 'token',
  create: (acting: ActionContext & { readonly randomBytes: RandomBytes }) => Promise<Created>,
  show: (created: Created) => string,
): Promise<Created> {
  if (context.isDiscarded) {
    throw new OperatorError(
      `Standard output is closed or discarded, so nobody could read the new ${what}. No ${what} was created. Print it to a terminal, a file or another program.`,
    );
  }
  const acting = { ...actionContext(context), randomBytes };
  return runAction(acting, async (within) => {
    const created = await create({ ...acting, within });
    try {
      await writeLine(context.stdout, show(created));
    } catch (error) {
      throw new OperatorError(`Cannot write the new ${what} (${systemReason(error)}), so none was created.`);
    }
    return created;
  });
}
