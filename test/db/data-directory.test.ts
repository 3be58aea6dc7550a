import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findHolder, holdDataDirectory } from '../../src/db/data-directory.ts';
import { OperatorError } from '../../src/errors.ts';
import { testDirectory } from '../cli/process.ts';
import { only } from '../support/only.ts';
import { type Script, startScript } from './script.ts';

const BUILT = new URL('../../dist/db/data-directory.js', import.meta.url).href;

/** Runs a script in a process of its own, killed with the test. */
function start(source: string): Script {
  const script = startScript(source);
  onTestFinished(() => script.kill());
  return script;
}

/** Says `ready`, and at the first input tries to hold the directory, says how it went, and lives on. */
const holdScript = (path: string): string => `
  import { holdDataDirectory } from ${JSON.stringify(BUILT)};
  console.log('ready');
  process.stdin.once('data', () => {
    try {
      holdDataDirectory(${JSON.stringify(path)});
      console.log('held');
    } catch (error) {
      console.log(error.message);
    }
  });`;

/** A process that holds the directory, or what it says instead. */
async function holdElsewhere(path: string): Promise<{ script: Script; said: string }> {
  const script = start(holdScript(path));
  await script.nextLine();
  return { script, said: await script.ask('go') };
}

function faultOf(path: string): string {
  try {
    holdDataDirectory(path).release();
  } catch (error) {
    expect(error).toBeInstanceOf(OperatorError);
    return (error as OperatorError).message;
  }
  return 'held';
}

describe('a data directory', () => {
  it('is made where it does not exist, for its user only', () => {
    const path = join(testDirectory(), 'a', 'b');
    holdDataDirectory(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('is held by one process, which the others are told', async () => {
    const path = testDirectory();
    const { script, said } = await holdElsewhere(path);
    expect(said).toBe('held');
    expect(faultOf(path)).toBe(
      `The data directory ${path} is held by process ${script.pid}: stop it first, or set DATA_DIR to another directory.`,
    );
    expect(findHolder(path)).toEqual({ pid: script.pid, socketHost: undefined });
  });

  it('is not held twice by one process either, and free after its release', () => {
    const path = testDirectory();
    const held = holdDataDirectory(path);
    expect(faultOf(path)).toContain(`is held by process ${process.pid}`);
    held.release();
    expect(readdirSync(path)).toEqual([]);
    expect(faultOf(path)).toBe('held');
  });

  it('is taken over from a process that was killed', async () => {
    const path = testDirectory();
    const { script } = await holdElsewhere(path);
    await script.kill();
    expect(findHolder(path)).toBeUndefined();
    const held = holdDataDirectory(path);
    expect(findHolder(path)).toMatchObject({ pid: process.pid });
    held.release();
    expect(readdirSync(path)).toEqual([]);
  });

  only(existsSync('/proc/self/stat'), 'Linux').it(
    'is taken over where another process got the number of its holder',
    () => {
      for (const pid of [process.ppid, process.pid]) {
        const path = testDirectory();
        writeFileSync(join(path, 'revgate.lock'), JSON.stringify({ pid, started: '1' }));
        expect(faultOf(path)).toBe('held');
      }
    },
  );

  it.each(['', '{"pi', 'null', '{}', '[]', '"x"', '{"pid":"x"}', '{"pid":-1}', '{"pid":0}'])(
    'is taken over where the lock says %j',
    (text) => {
      const path = testDirectory();
      writeFileSync(join(path, 'revgate.lock'), text);
      expect(findHolder(path)).toBeUndefined();
      expect(faultOf(path)).toBe('held');
    },
  );

  it('waits for another process that is taking it, and for none that died over it', async () => {
    const path = testDirectory();
    writeFileSync(
      join(path, `revgate.lock.${2 ** 22 + 1}`),
      JSON.stringify({ pid: 2 ** 22 + 1, started: '1' }),
    );
    const script = start(`
      import { renameSync, writeFileSync } from 'node:fs';
      const file = ${JSON.stringify(join(path, 'revgate.lock'))};
      const flag = file + '.' + process.pid;
      const lock = JSON.stringify({ pid: process.pid });
      writeFileSync(flag, lock);
      process.stdout.write('taking\\n', () => setTimeout(() => {
        renameSync(flag, file);
        process.stdin.resume();
      }, 100));`);
    await script.nextLine();
    expect(faultOf(path)).toContain(`is held by process ${script.pid}`);
    expect(readdirSync(path)).toEqual(['revgate.lock']);
  });

  it('is taken over by one of many that start at once', async () => {
    const path = testDirectory();
    writeFileSync(join(path, 'revgate.lock'), JSON.stringify({ pid: 2 ** 22 + 1, started: '1' }));
    const started = Array.from({ length: 6 }, () => start(holdScript(path)));
    await Promise.all(started.map((script) => script.nextLine()));
    const said = await Promise.all(started.map((script) => script.ask('go')));
    expect(said.filter((text) => text === 'held')).toHaveLength(1);
    const holder = started[said.indexOf('held')]?.pid;
    expect(JSON.parse(readFileSync(join(path, 'revgate.lock'), 'utf8')).pid).toBe(holder);
    expect(said.filter((text) => text.includes(`is held by process ${holder}`))).toHaveLength(5);
    expect(readdirSync(path)).toEqual(['revgate.lock']);
  });

  it('that cannot be written is a fault with the way out', () => {
    const parent = testDirectory();
    const file = join(parent, 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'below')]) {
      expect(faultOf(path)).toMatch(
        /^Cannot write the data directory .+ \((EEXIST|ENOTDIR)\): make it writable, or set DATA_DIR/,
      );
    }
  });

  only(process.getuid?.() !== 0, 'a user who is not root').it(
    'that may not be written is a fault with the way out',
    () => {
      const path = testDirectory();
      chmodSync(path, 0o500);
      expect(faultOf(path)).toMatch(/\(EACCES\)/);
    },
  );
});
