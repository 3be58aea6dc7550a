import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { findHolder, holdDataDirectory, waitForHolder } from '../../src/db/embedded/data-directory.ts';
import { OperatorError } from '../../src/lib/errors.ts';
import { testDirectory } from '../main/commands/process.ts';
import { only } from '../support/only.ts';
import { type Script, startScript } from './script.ts';

const BUILT = new URL('../../dist/db/embedded/data-directory.js', import.meta.url).href;
const IN_USE = (path: string): string =>
  `The data directory ${path} is in use by another revgate: stop that one first, or set DATA_DIR to another directory.`;

/** A process that tries to hold the directory so many times at once, when it is told so. */
async function startHolder(path: string, times = 1) {
  const script = startScript(`
    import { holdDataDirectory } from ${JSON.stringify(BUILT)};
    console.log('ready');
    process.stdin.once('data', async () => {
      const held = Array.from({ length: ${times} }, () => holdDataDirectory(${JSON.stringify(path)}));
      const outcomes = await Promise.allSettled(held);
      console.log(outcomes.map(({ reason }) => reason?.message ?? 'held').join('|'));
    });`);
  await script.nextLine();
  return { script, hold: async () => (await script.ask('go')).split('|') };
}

/** A process that holds the directory. */
async function holdElsewhere(path: string): Promise<Script> {
  const { script, hold } = await startHolder(path);
  expect(await hold()).toEqual(['held']);
  return script;
}

/** Takes the directory and gives it back at once. */
async function tryToHold(path: string): Promise<string> {
  try {
    await (await holdDataDirectory(path)).release();
  } catch (error) {
    expect(error).toBeInstanceOf(OperatorError);
    return (error as OperatorError).message;
  }
  return 'held';
}

describe('a data directory', () => {
  it('is made where it does not exist, for its user only, or it is said why it cannot be', async () => {
    const path = join(testDirectory(), 'a', 'b');
    const held = await holdDataDirectory(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    await held.release();
    const file = join(import.meta.filename, 'data');
    expect(await tryToHold(file)).toContain(`Cannot write the data directory ${file} (`);
  });

  it('is held by one process while others get an error, and taken over at once when that was killed', async () => {
    const path = testDirectory();
    const script = await holdElsewhere(path);
    expect(await tryToHold(path)).toBe(IN_USE(path));
    expect((await findHolder(path))?.host).toBeUndefined();
    await script.kill();
    const held = await holdDataDirectory(path);
    expect(readdirSync(path)).toEqual(['revgate.lock.2']);
    expect(await tryToHold(path)).toBe(IN_USE(path));
    await held.release();
    expect(readdirSync(path)).toEqual([]);
  });

  it('is taken over from a process that was killed and never reaped', async () => {
    const path = testDirectory();
    const source = `
      import { holdDataDirectory } from ${JSON.stringify(BUILT)};
      await holdDataDirectory(${JSON.stringify(path)});
      process.kill(process.pid, 'SIGKILL');`;
    // The shell becomes sleep, which waits for no child.
    const script = `"$0" --input-type=module -e "$1" & exec sleep 60`;
    const parent = spawn('sh', ['-c', script, process.execPath, source], { stdio: 'ignore' });
    onTestFinished(() => void parent.kill('SIGKILL'));
    await expect.poll(() => readdirSync(path)).toContain('revgate.lock.1');
    await expect.poll(() => tryToHold(path)).toBe('held');
  });

  it('is taken over by exactly one of many that start at the same time after a kill', async () => {
    const path = testDirectory();
    await (await holdElsewhere(path)).kill();
    // Several in each process, since starting 50 takes longer than a test.
    const started = await Promise.all(Array.from({ length: 4 }, () => startHolder(path, 13)));
    const said = (await Promise.all(started.map(({ hold }) => hold()))).flat();
    expect(said).toHaveLength(52);
    expect(said.filter((text) => text === 'held')).toHaveLength(1);
    expect(said.filter((text) => text === IN_USE(path))).toHaveLength(51);
    expect(readdirSync(path)).toEqual(['revgate.lock.2']);
  });

  it('is waited for until its holder shares it, or has released it', async () => {
    const path = testDirectory();
    expect(await waitForHolder(path)).toBeUndefined();
    const held = await holdDataDirectory(path);
    const waiting = [waitForHolder(path), waitForHolder(path)];
    expect(await Promise.race([...waiting, findHolder(path).then(() => 'waits')])).toBe('waits');
    held.share((socket) => socket.destroy());
    const holder = { host: path };
    expect(await Promise.all(waiting)).toEqual([holder, holder]);
    held.endSharing();
    const last = waitForHolder(path);
    await held.release();
    expect(await last).toBeUndefined();
  });

  it('is waited for until the wait is stopped, which is said once', async () => {
    const path = testDirectory();
    const held = await holdDataDirectory(path);
    const stop = new AbortController();
    const onWait = vi.fn();
    const waiting = waitForHolder(path, { onWait, signal: stop.signal });
    waiting.catch(() => {});
    await vi.waitFor(() => expect(onWait).toHaveBeenCalled(), 60_000);
    stop.abort();
    await expect(waiting).rejects.toThrow('Stopped before the database was ready.');
    expect(onWait).toHaveBeenCalledTimes(1);
    await held.release();
  });

  it('is not blocked by files that only look like locks', async () => {
    const path = testDirectory();
    writeFileSync(join(path, 'revgate.lock.7'), '{"pid":1}');
    mkdirSync(join(path, '.revgate.lock-dead'));
    writeFileSync(join(path, '.revgate.lock-dead', 's'), '');
    utimesSync(join(path, '.revgate.lock-dead'), 0, 0);
    const held = await holdDataDirectory(path);
    expect(readdirSync(path)).toEqual(['revgate.lock.8']);
    await held.release();
  });

  it('is shared by a socket for this user alone, while other files are made as ever', async () => {
    const path = testDirectory();
    const modeOf = (name: string): number => statSync(join(path, name)).mode & 0o777;
    const makeFile = (name: string): number => {
      writeFileSync(join(path, name), '');
      return modeOf(name);
    };
    const usual = makeFile('before');
    const holding = holdDataDirectory(path);
    expect(makeFile('meanwhile')).toBe(usual);
    const held = await holding;
    expect(modeOf('revgate.lock.1')).toBe(0o600);
    held.share((socket) => socket.end('hello'));
    expect(modeOf('.s.PGSQL.5432')).toBe(0o600);
    expect((await findHolder(path))?.host).toBe(path);
    await held.release();
    expect((await findHolder(path))?.host).toBeUndefined();
    expect(readdirSync(path).sort()).toEqual(['before', 'meanwhile']);
  });

  only(process.platform === 'linux', 'Linux').it(
    'may have a path that is too long for a socket',
    async () => {
      const path = join(testDirectory(), 'x'.repeat(120));
      const held = await holdDataDirectory(path);
      expect(await tryToHold(path)).toBe(IN_USE(path));
      held.share((socket) => socket.destroy());
      expect((await findHolder(path))?.host).toMatch(/^\/proc\/self\/fd\/\d+$/);
      await held.release();
      expect(readdirSync(path)).toEqual([]);
    },
  );
});
