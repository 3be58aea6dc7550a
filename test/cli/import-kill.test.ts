import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  contentsOf,
  expectNothingLeft,
  type OpenPlace,
  randomPart,
  testPlaces,
  twoInputs,
} from './databases.ts';
import { run, start } from './process.ts';

const KILLS = 20;

describe.each(testPlaces)('an import killed on $name', ({ open }) => {
  let place: OpenPlace;
  const files: string[] = [];
  const contents: string[] = [];
  let durationMs = 0;

  beforeAll(async () => {
    place = await open();
    const { first, second } = twoInputs(2500);
    for (const [name, text] of Object.entries({ first, second })) {
      const file = join(place.directory, `${name}.ndjson`);
      writeFileSync(file, text);
      files.push(file);
      const startedAt = Date.now();
      expect(await run(['import', '--replace', '--yes', file], { env: place.env })).toMatchObject({
        code: 0,
      });
      durationMs = Date.now() - startedAt;
      contents.push(await place.use(contentsOf));
    }
  });
  afterAll(() => place?.close());

  it(`at ${KILLS} random moments leaves the data as before or wholly as after`, {
    timeout: 180_000,
  }, async () => {
    const outcomes = new Set<string>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = await place.use(contentsOf);
      const other = contents.indexOf(before) === 0 ? 1 : 0;
      const file = files[other] as string;
      // One in each twentieth of its time.
      const afterMs = ((kill + randomPart()) / KILLS) * durationMs;
      const child = start(['import', '--replace', '--yes', file], { env: place.env });
      const closed = once(child, 'close');
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      child.kill('SIGKILL');
      await closed;
      const [after, recorded] = await place.use(async (database) => [
        await settled(() => contentsOf(database)),
        await database.prisma.import.findFirst({ orderBy: { id: 'desc' } }),
      ]);
      expect(contents, `killed after ${afterMs} ms`).toContain(after);
      // What is there is recorded, and nothing else.
      expect(recorded?.sources).toEqual([files[contents.indexOf(after as string)]]);
      outcomes.add(after === before ? 'before' : 'after');
    }
    expect([...outcomes]).toContain('before');
    expect(place.served?.child.exitCode ?? null, place.served?.stderr()).toBeNull();
  });

  it('does not keep a next one from working, and leaves no table', async () => {
    const file = files[0] as string;
    const next = await run(['import', '--replace', '--yes', file], { env: place.env });
    expect(next).toMatchObject({ code: 0 });
    expect(await place.use(contentsOf)).toBe(contents[0]);
    await expectNothingLeft(place);
  });
});

/** PostgreSQL may be committing what the killed client has sent last. */
async function settled(read: () => Promise<string>): Promise<string> {
  let last = await read();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const next = await read();
    if (next === last) {
      return next;
    }
    last = next;
  }
}
