import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { startScript } from './built-command.ts';
import type { OpenPlace } from './databases.ts';

/** Where a command that changes the data is killed, and whether its changes are there then. */
export const killPoints = [
  { point: 'validating', isDone: false },
  { point: 'applying', isDone: false },
  { point: 'before commit', isDone: false },
  { point: 'after commit', isDone: true },
] as const;

const SCRIPT = fileURLToPath(new URL('./die-at.mjs', import.meta.url));

/** Runs a command in a process of its own that is killed at a point of it. */
export async function runKilled(
  point: (typeof killPoints)[number]['point'],
  args: string[],
  { env, cwd }: OpenPlace,
): Promise<void> {
  const child = startScript(SCRIPT, [point, ...args], { env, cwd });
  child.stdin.end();
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [, signal] = await once(child, 'close');
  expect(signal, output).toBe('SIGKILL');
}
