import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findHolder } from '../../src/db/data-directory.ts';
import {
  contentsOf,
  expectNothingLeft,
  leftovers,
  type OpenPlace,
  testPlaces,
  twoInputs,
} from './databases.ts';
import { ended, run, start } from './process.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const { first, second } = twoInputs(500);

describe.each(testPlaces)('on $name', ({ open }) => {
  let place: OpenPlace;
  let key = '';
  beforeAll(async () => {
    place = await open();
    const made = await run(['keys', 'create', '--name', 'n', '--tier', 'premium', '--accept-policy'], place);
    key = made.stdout.trim();
    const file = join(place.directory, 'first.ndjson');
    writeFileSync(file, first);
    expect(await run(['import', file], place)).toMatchObject({ code: 0 });
  });
  afterAll(() => place?.close());

  /** Waits until an import has opened the database: from then on it has something to leave behind. */
  const begun = (child: ReturnType<typeof start>): Promise<void> => {
    const directory = place.served === undefined ? place.env.DATA_DIR : undefined;
    return expect
      .poll(
        async () =>
          directory === undefined
            ? (await place.use(leftovers)).length > 0
            : findHolder(directory)?.pid === child.pid,
        { timeout: 20_000, interval: 50 },
      )
      .toBe(true);
  };

  it('Ctrl-C ends an import with 1 and leaves the data as it was', async () => {
    const before = await place.use(contentsOf);
    const child = start(['import', '-'], place);
    const end = ended(child);
    // It may end before it has read everything.
    child.stdin.on('error', () => {});
    child.stdin.write(second);
    await begun(child);
    child.kill('SIGINT');
    expect(await end).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^(validating .+\n)*revgate: Stopped: nothing was written\.\n$/),
    });
    expect(await place.use(contentsOf)).toBe(before);
    await expectNothingLeft(place);
  });

  it('an endless slow input holds up neither lists nor another import', async ({ skip }) => {
    const { served } = place;
    if (served === undefined) {
      // Alone, it holds the directory, and others are told so.
      return skip();
    }
    const slow = start(['import', '-'], place);
    const end = ended(slow);
    // It is killed in the end, maybe with something on its way.
    slow.stdin.on('error', () => {});
    const lines = second.split('\n');
    const feed = setInterval(() => slow.stdin.write(`${lines.pop()}\n`), 20);
    await begun(slow);
    const times: number[] = [];
    for (let call = 0; call < 20; call += 1) {
      const startedAt = performance.now();
      const answer = await fetch(`${served.url}/api/v1/startups?page=${call + 1}`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      times.push(performance.now() - startedAt);
      expect(answer.status).toBe(200);
      expect(((await answer.json()) as { meta: object }).meta).toMatchObject({ total: 500 });
      await pause(20);
    }
    // A shared machine may be slow at times, but not at half of them.
    expect(times.sort((a, b) => a - b)[10]).toBeLessThan(100);
    const file = join(place.directory, 'third.ndjson');
    writeFileSync(file, first.replaceAll('"customers":', '"customers":2'));
    expect(await run(['import', file], place)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('500 updated'),
    });
    clearInterval(feed);
    slow.kill('SIGKILL');
    await end;
    await expectNothingLeft(place);
  });
});
