import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { COMMAND_WAITS } from '../../src/db/open.ts';
import { openCatalogue } from '../../src/startups/catalogue/live-catalogue.ts';
import { createBuilder } from '../../src/startups/catalogue/load/catalogue-builder.ts';
import { startBuilt } from '../main/commands/built-command.ts';
import { testDirectory } from '../main/commands/process.ts';
import { closeAfterwards } from '../support/closing.ts';
import { openTestDatabase } from '../support/database.ts';
import { insertRecords, record } from '../support/records.ts';
import { readRevisions } from '../support/revisions.ts';

/** How long a process runs, and then does not, again and again: it gets a quarter of a processor. */
const DUTY_MS = { runs: 100, stands: 300 };

it('a process that runs a quarter of the time starts with the embedded database, and prints the demo key', async () => {
  const env = { PORT: '0', LOG_LEVEL: 'warn', DATA_DIR: testDirectory() };
  const child = startBuilt(['serve'], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  let isStarting = true;
  const exit = once(child, 'close');
  closeAfterwards(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  const slowing = (async () => {
    while (isStarting && child.exitCode === null) {
      child.kill('SIGSTOP');
      await wait(DUTY_MS.stands);
      child.kill('SIGCONT');
      await wait(DUTY_MS.runs);
    }
  })();
  const listens = () => (child.exitCode === null ? /Listening on (\S+)\. Try/.test(output) : output);
  await expect.poll(listens, { timeout: 240_000 }).toBe(true);
  isStarting = false;
  await slowing;
  const url = /Listening on (\S+)\. Try/.exec(output)?.[1];
  const key = /rvg_\w+/.exec(output)?.[0];
  const answer = await fetch(`${url}/api/v1/startups`, { headers: { authorization: `Bearer ${key}` } });
  expect(answer.status).toBe(200);
  expect((await answer.json()).meta.total).toBeGreaterThan(0);
});

it('a build waits for an embedded engine that is busy for longer than a server may be silent', async () => {
  const database = await openTestDatabase(COMMAND_WAITS, 'embedded');
  const errors: unknown[] = [];
  const live = await openCatalogue(
    createBuilder(() => database.threadConnection()),
    {
      now: Date.now,
      onError: (error) => errors.push(error),
    },
  );
  closeAfterwards(() => live.close());
  // The worker is connected: what it reads next has to wait.
  await insertRecords(database, [record('acme')]);
  const { dataset } = await readRevisions(database.pool);
  const busy = await database.openClient();
  await busy.query('BEGIN');
  live.notify(Number(dataset));
  // A server is given up after 5 seconds.
  await wait(7_000);
  expect([live.current().size, errors]).toEqual([0, []]);
  await busy.query('COMMIT');
  await expect.poll(() => live.current().size).toBe(1);
  expect(errors).toEqual([]);
});
