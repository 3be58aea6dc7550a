import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { CommandSurroundings } from './command.ts';

/**
 * Asks the user for confirmation. Only `y` or `yes` confirms: neither the end of the input nor a stop does.
 *
 * @param question ends with a question mark.
 */
export async function confirm(
  { stdin, stderr, signal }: Pick<CommandSurroundings, 'stdin' | 'stderr' | 'signal'>,
  question: string,
): Promise<boolean> {
  // With terminal: true, readline would read Ctrl-C as a key, and there would be no signal.
  const lines = createInterface({ input: stdin, output: stderr, terminal: false });
  const ended = once(lines, 'close').then(() => undefined);
  const answer = await Promise.race([
    lines.question(`${question} [y/N] `, { signal }).catch(() => undefined),
    ended,
  ]);
  if (answer === undefined) {
    stderr.write('\n');
  }
  lines.close();
  return /^y(es)?$/i.test(answer?.trim() ?? '');
}
