import { randomBytes } from 'node:crypto';
import { type ActionContext, type CreateContext, runAction } from '../../access/audit/audit-log.ts';
import { OperatorError, systemReason } from '../../lib/errors.ts';
import { type CommandContext, line, writeLine } from './command.ts';

/**
 * Creates a secret, and prints it before that is committed: one that nobody could read is not created.
 *
 * @param create runs in the transaction.
 * @throws OperatorError if it cannot be printed; any error of `create`. Nothing was created then.
 */
export function printSecret<Created>(
  context: ActionContext & Pick<CommandContext, 'stdout'>,
  what: string,
  create: (acting: CreateContext) => Promise<Created>,
  describe: (created: Created) => string,
): Promise<Created> {
  return runAction(context, async (within) => {
    const created = await create({ ...context, randomBytes, within });
    try {
      await writeLine(context.stdout, describe(created));
    } catch (error) {
      throw new OperatorError(`Cannot write the ${what} (${systemReason(error)}), so none was created.`);
    }
    return created;
  });
}

/**
 * The same for a key or a token of a command.
 *
 * @param describe what is printed: as JSON, or the secret alone with a notice on standard error.
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
  const created = await printSecret(context, `new ${what}`, create, (one) => {
    const { value, secret } = describe(one);
    return json === true ? JSON.stringify(value) : secret;
  });
  if (json !== true) {
    line(context.stderr, describe(created).notice);
  }
}
