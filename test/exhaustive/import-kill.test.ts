import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startBuilt } from '../main/commands/built-command.ts';
import { contentsOf, expectNothingLeft, testPlaces, twoInputs } from '../main/commands/databases.ts';
import { run } from '../main/commands/process.ts';
import { seededRandom, testSeed } from '../support/runs.ts';

/** One in each such part of the time that an import takes. */
const KILLS = Number(process.env.TEST_KILLS ?? 20);
/** Then some near the end, until one came between the commit and the end. */
const MORE_KILLS = 100;

describe.each(testPlaces)('an import killed on $name', { timeout: 900_000 }, async ({ open }) => {
  const place = await open();
  const files = ['first.ndjson', 'second.ndjson'] as const;
  const contents: string[] = [];
  let durationMs = 0;

  /** Runs an import in a process of its own; tells whether it was killed, so many ms after its start. */
  async function importBuilt(file: string, killAfterMs?: number): Promise<boolean> {
    const child = startBuilt(['import', '--replace', '--yes', file], place);
    const closed = once(child, 'close');
    if (killAfterMs !== undefined) {
      await wait(killAfterMs);
      child.kill('SIGKILL');
    }
    await closed;
    return child.signalCode === 'SIGKILL';
  }

  const inputs = twoInputs(2500);
  for (const [index, text] of [inputs.first, inputs.second].entries()) {
    const file = files[index] as string;
    writeFileSync(join(place.cwd, file), text);
    const startedAt = performance.now();
    await importBuilt(file);
    durationMs = performance.now() - startedAt;
    contents.push(await place.use(contentsOf));
  }
  expect(new Set(contents).size).toBe(2);

  it('at random moments leaves the data as before or wholly as after', async () => {
    const random = seededRandom(testSeed());
    const outcomes = new Set<string>();
    for (let kill = 0; kill < KILLS || (kill < KILLS + MORE_KILLS && outcomes.size < 2); kill += 1) {
      const before = await place.use(contentsOf);
      const file = files[1 - contents.indexOf(before)] as string;
      const part = kill < KILLS ? (kill + random()) / KILLS : 0.9 + random() / 10;
      const afterMs = part * durationMs;
      const isKilled = await importBuilt(file, afterMs);
      const [after, recorded] = await place.use(async (database) => {
        // The server may be committing what the killed import has sent last.
        await database.pool.query('BEGIN; LOCK TABLE startups IN SHARE ROW EXCLUSIVE MODE; COMMIT');
        return [
          await contentsOf(database),
          await database.prisma.import.findFirst({ orderBy: { id: 'desc' } }),
        ];
      });
      expect(contents, `killed after ${afterMs} ms`).toContain(after);
      // What is there is recorded, and nothing else.
      expect(recorded).toMatchObject({ sources: [files[contents.indexOf(after as string)]] });
      if (isKilled) {
        outcomes.add(after === before ? 'before' : 'after');
      }
      // Closer to the commit with each kill, also where the machine was faster or slower before.
      if (kill >= KILLS) {
        durationMs *= isKilled && after === before ? 1.1 : 0.95;
      }
    }
    // Otherwise no kill came near the commit.
    expect([...outcomes].sort()).toEqual(['after', 'before']);
    expect(place.served?.hasEnded() ?? false, place.served?.stderr()).toBe(false);
  });

  it('does not block later imports, and leaves no table', async () => {
    const next = await run(['import', '--replace', '--yes', files[0]], place);
    expect(next).toMatchObject({ code: 0 });
    expect(await place.use(contentsOf)).toBe(contents[0]);
    await expectNothingLeft(place);
  });
});
