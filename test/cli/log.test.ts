import { Writable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { openLog } from '../../src/cli/log.ts';
import { readConfig } from '../../src/config/config.ts';
import { type Served, serve, testDirectory } from './process.ts';

async function start(settings: Record<string, string>, isTerminal: boolean): Promise<Served> {
  const env = { DATA_DIR: 'data', LOG_LEVEL: 'info', SNAPSHOT_INTERVAL: '0', ...settings };
  const served = await serve(env, { cwd: testDirectory(), isTerminal });
  onTestFinished(async () => void (await served.stop()));
  return served;
}

it('a terminal shows requests as text, without those for files of pages', async () => {
  const served = await start({ NO_COLOR: '1' }, true);
  const page = await (await fetch(`${served.url}/dashboard/sign-in`)).text();
  const asset = /\/dashboard\/assets\/[^"]+/.exec(page)?.[0] ?? '';
  for (const path of [asset, '/favicon.ico', '/ready']) {
    await fetch(served.url + path);
  }
  await expect.poll(served.stderr).toContain('/ready');
  const lines = served.stderr().trimEnd().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: GET \/dashboard\/sign-in 200 \d+(\.\d+)? ms$/),
    expect.stringMatching(/ INFO: GET \/ready 200 /),
  ]);
});

it('without a terminal, lines are JSON, and level debug includes the files of pages', async () => {
  const served = await start({ LOG_LEVEL: 'debug' }, false);
  await fetch(`${served.url}/favicon.ico`);
  await expect.poll(served.stderr).toContain('favicon');
  const [line = ''] = served.stderr().split('\n');
  expect(JSON.parse(line)).toMatchObject({ level: 20, method: 'GET', path: '/favicon.ico', status: 200 });
});

/** What the log of a server with these settings writes of one request. */
async function logged(env: Record<string, string>, isTerminal: boolean, hasColors: boolean): Promise<string> {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  const log = await openLog({ ...readConfig(env), stream, isTerminal, hasColors });
  log.info({ requestId: 'r', method: 'GET', path: '/a\u001b[2J', status: 200, duration: 1.5 }, 'answered');
  log.error({ requestId: 'r', err: new Error('it broke') }, 'a request failed');
  return text;
}

it('LOG_FORMAT takes precedence over the kind of standard error', async () => {
  expect((await logged({ LOG_FORMAT: 'json' }, true, true)).split('\n')[0]).toMatch(/^\{.*\}$/);
  const pretty = await logged({ LOG_FORMAT: 'pretty' }, false, false);
  expect(pretty).toContain('INFO: GET /a\ufffd[2J 200 1.5 ms\n');
  expect(pretty).toMatch(/ERROR: a request failed \(request r\)\n[\s\S]+it broke/);
  expect(pretty).not.toContain('\u001b');
  expect(() => readConfig({ LOG_FORMAT: 'xml' })).toThrow(
    'LOG_FORMAT: got "xml", allowed: one of pretty, json',
  );
});

it('colours are for terminals', async () => {
  expect(await logged({}, true, true)).toContain('\u001b[32m');
});
