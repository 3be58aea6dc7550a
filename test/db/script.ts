import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { NODE_OPTIONS } from '../main/commands/built-command.ts';
import { testDirectory } from '../main/commands/process.ts';
import { closeAfterwards } from '../support/closing.ts';
import { endWithRunner } from '../support/end-with-runner.ts';

/** A process that runs a script. */
export interface Script {
  /** What it writes next. */
  nextLine(): Promise<string>;
  /** Sends it a line, and gives what it writes then. */
  ask(line: string): Promise<string>;
  /** Kills it, if it still runs, and waits for its end, as is done after the test that starts it. */
  kill(): Promise<void>;
}

/** Runs an ES module in a process of its own. */
export function startScript(source: string): Script {
  const file = join(testDirectory(), 'script.mjs');
  writeFileSync(file, source);
  const child = spawn(process.execPath, [...NODE_OPTIONS, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  }) as ChildProcessByStdio<Writable, Readable, null>;
  endWithRunner(child);
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done === true) {
      throw new Error('The script ended.');
    }
    return value;
  };
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  closeAfterwards(kill);
  return {
    nextLine,
    ask(line) {
      child.stdin.write(`${line}\n`);
      return nextLine();
    },
    kill,
  };
}
