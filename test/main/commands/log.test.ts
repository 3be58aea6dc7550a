import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { openLog } from '../../../src/main/command-line/log.ts';
import { readConfig } from '../../../src/main/settings/config.ts';
import { serve, testDirectory } from './process.ts';

it('a log has a line of JSON for each request, those for files of pages at level debug', async () => {
  const served = await serve({ DATA_DIR: testDirectory(), LOG_LEVEL: 'debug' });
  const page = await (await fetch(`${served.url}/dashboard/sign-in`)).text();
  const asset = /\/assets\/[^"]+/.exec(page)?.[0] ?? '';
  await fetch(served.url + asset);
  await fetch(`${served.url}/ready`);
  await expect.poll(served.stderr).toContain('/ready');
  const lines = served
    .stderr()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const answered = { method: 'GET', status: 200, duration: expect.any(Number) };
  const expected = { '/dashboard/sign-in': 30, [asset]: 20, '/ready': 30 };
  expect(lines).toMatchObject(
    Object.entries(expected).map(([path, level]) => ({ ...answered, level, path })),
  );
});

/** What the log of a server with these settings writes of one request. */
async function logged(env: Record<string, string>, isTerminal: boolean, hasColors: boolean): Promise<string> {
  let text = '';
  const stream = new PassThrough().on('data', (chunk) => {
    text += chunk;
  });
  const { logger: log } = await openLog({ ...readConfig(env), stream, isTerminal, hasColors });
  log.info({ requestId: 'r', method: 'GET', path: '/a\u001b[2J', status: 200, duration: 1.5 }, 'answered');
  log.error({ requestId: 'r', err: new Error('it broke') }, 'a request failed');
  return text;
}

it('LOG_FORMAT takes precedence over the kind of standard error', async () => {
  expect((await logged({ LOG_FORMAT: 'json' }, true, true)).split('\n')[0]).toMatch(/^\{.*\}$/);
  const pretty = await logged({ LOG_FORMAT: 'pretty' }, false, false);
  expect(pretty).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: GET \/a\ufffd\[2J 200 1\.5 ms\n/);
  expect(pretty).toMatch(/ERROR: a request failed \(request r\)\n[\s\S]+it broke/);
  expect(pretty).not.toContain('\u001b');
  expect(await logged({}, true, true)).toContain('\u001b[32m');
});

/** A log of JSON that is written to a file descriptor. */
async function openJsonLog(fd: number) {
  const stream = Object.assign(new Writable(), { fd });
  const log = await openLog({ ...readConfig({}), stream, isTerminal: false, hasColors: false });
  onTestFinished(() => {
    log.close();
    closeSync(fd);
  });
  return log;
}

it('lines of JSON are written in blocks, in their order, and all of them at the end', async () => {
  const path = join(testDirectory(), 'log');
  const fd = openSync(path, 'a');
  const { logger, dropped, close } = await openJsonLog(fd);
  logger.info({ line: 0 });
  expect(readFileSync(path, 'utf8')).toBe('');
  await expect.poll(() => readFileSync(path, 'utf8')).toContain('"line":0');
  for (let line = 1; line < 1_000; line += 1) {
    logger.info({ line });
  }
  close();
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(lines.map((text) => JSON.parse(text).line)).toEqual(Array.from(lines, (_, index) => index));
  expect([lines.length, dropped()]).toEqual([1_000, 0]);
});

it('a log that nobody reads keeps some megabytes, drops the rest, and goes on once it is read', async () => {
  const path = join(testDirectory(), 'pipe');
  execFileSync('mkfifo', [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const { logger, dropped, close } = await openJsonLog(fd);
  for (let line = 0; line < 500; line += 1) {
    logger.info({ line, text: 'x'.repeat(10_000) });
  }
  const lost = dropped();
  expect(lost).toBeGreaterThan(0);
  // The end of a process does not wait for ever.
  close();

  const output = openSync(`${path}.read`, 'w');
  const reader = spawn('cat', [path], { stdio: ['ignore', output, 'inherit'] });
  onTestFinished(() => void reader.kill());
  closeSync(output);
  let read = '';
  logger.info({ line: 500 });
  await expect
    .poll(() => {
      close();
      read = readFileSync(`${path}.read`, 'utf8');
      return read;
    })
    .toContain('"line":500}\n');
  const lines = read.trimEnd().split('\n');
  const kept = Array.from({ length: 500 - lost }, (_, line) => line);
  expect(lines.map((line) => JSON.parse(line).line)).toEqual([...kept, 500]);
  expect(dropped()).toBe(lost);
});

it('a log whose reader has gone, or whose disk is full, does not disturb the server', async () => {
  const fd = openSync('/dev/full', 'w');
  const { logger, close } = await openJsonLog(fd);
  logger.info('nowhere');
  close();
  logger.info('nowhere');
});

it.each(['process.exit(143)', 'throw new Error("it broke")', 'await Promise.reject(new Error("it broke"))'])(
  'a process that ends by %s has written its log, before the error',
  (end) => {
    const built = new URL('../../../dist/main/command-line/log.js', import.meta.url).href;
    const script = `
      import { openLog } from '${built}';
      const { logger } = await openLog({ stream: process.stderr, isTerminal: false, logLevel: 'info' });
      logger.info('first');
      logger.info('last');
      ${end};`;
    const args = ['--input-type=module', '-e', script];
    const { stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    const lines = stderr.split('\n');
    expect(lines.slice(0, 2).map((line) => JSON.parse(line).msg)).toEqual(['first', 'last']);
    expect(stderr.includes('it broke')).toBe(end.includes('it broke'));
  },
);
