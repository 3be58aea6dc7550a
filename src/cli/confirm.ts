import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { CommandSurroundings } from './command.ts';

/**
 * Asks whoever runs a command. Only a `y` or `yes` is one: neither the end of the input nor a stop is.
 *
 * @param question ends with a question mark.
 */
export async function confirm(
  { stdin, stderr, signal }: Pick<CommandSurroundings, 'stdin' | 'stderr' | 'signal'>,
  question: string,
): Promise<boolean> {
  // With terminal: true, readline would take Ctrl-C for a key, and there would be no signal.
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
