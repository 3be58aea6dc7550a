import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/open.ts';
import { runBackup } from '../../../src/main/commands/backup.ts';
import { runImport } from '../../../src/main/commands/import/import.ts';
import { checkImport } from '../../../src/main/commands/import/import-options.ts';
import { ended, startBuilt } from './built-command.ts';
import {
  contentsOf,
  everything,
  expectContents,
  expectNothingLeft,
  leftovers,
  type OpenPlace,
  testPlaces,
  twoInputs,
} from './databases.ts';
import { killPoints, runKilled } from './killed-command.ts';
import { contextOf, run, type Started, start } from './process.ts';

const inputs = twoInputs(300);
const BACKUP = 'a.backup.gz';
const files = ['first.ndjson', 'second.ndjson'] as const;
/** More than one statement stages, and less than all. */
const part = inputs.second.split('\n').slice(0, 250).join('\n');

async function importFile(place: OpenPlace, file: string): Promise<void> {
  expect(await run(['import', '--replace', '--yes', file], place)).toMatchObject({ code: 0 });
}

/** Begins an import whose input does not end, and waits until some of it is staged. */
async function beginImport(place: OpenPlace): Promise<Started> {
  // By this clock, all progress is drawn.
  let clock = Date.now();
  const now = (): number => {
    clock += 1_000;
    return clock;
  };
  const started = start(['import', '-'], { ...place, isTerminal: true, now });
  started.stdin.write(part);
  await started.wrote('stderr', /validating 2\d\d records/);
  return started;
}

// One story; each test continues where the last one ended. Kills at random moments of larger imports are in
// test/exhaustive.
for (const { name, isServed, open } of testPlaces)
  describe(`on ${name}`, { shuffle: false }, async () => {
    const place = await open();
    /** What the database holds after the import of each file. */
    const contents: string[] = [];
    /** Which of them it holds now. */
    let current = 1;
    /** All that it held when it was backed up, after the first import. */
    let saved = '';
    // By itself, each command would open an embedded database anew.
    await place.use(async (database) => {
      const context = contextOf(database, place.cwd);
      for (const [index, text] of [inputs.first, inputs.second].entries()) {
        const file = files[index] as string;
        writeFileSync(join(place.cwd, file), text);
        await runImport(context, checkImport(context, [file], {}), { replace: true, yes: true });
        contents.push(await contentsOf(database));
        if (index === 0) {
          saved = await everything(database);
          await runBackup(context, BACKUP, {});
        }
      }
    });
    expect(contents[0]).not.toBe(contents[1]);

    it('an import that is stopped ends with 143 and leaves the data as it was', async () => {
      const { code, stdout, stderr } = await (await beginImport(place)).stop();
      expect([code, stdout]).toEqual([143, '']);
      expect(stderr.split('\r\u001b[2K').at(-1)).toBe('revgate: Stopped: nothing was written.\n');
      await expectContents(place, contents[current]);
    });

    it.each(killPoints)(
      'an import killed at the point $point leaves the data as before or wholly as after',
      async ({ point, isDone }) => {
        const other = 1 - current;
        await runKilled(point, ['import', '--replace', '--yes', files[other] as string], place);
        current = isDone ? other : current;
        await place.use(async (database) => {
          expect(contents.indexOf(await contentsOf(database))).toBe(current);
          // What is there is recorded, and nothing else.
          expect(await lastSources(database)).toEqual([files[current]]);
        });
        expect(place.served?.hasEnded() ?? false, place.served?.stderr()).toBe(false);
      },
    );

    it('killed imports do not block later imports, and leave no table', async () => {
      current = 1;
      await importFile(place, files[1]);
      await expectContents(place, contents[1]);
    });

    it.each(killPoints.slice(1))(
      'a restore killed at the point $point leaves the old data or all of the new',
      async ({ point, isDone }) => {
        await runKilled(point, ['restore', BACKUP, '--yes'], place);
        await place.use(async (database) => {
          expect(contents.indexOf(await contentsOf(database))).toBe(isDone ? 0 : 1);
          expect((await everything(database)) === saved).toBe(isDone);
        });
        expect(place.served?.hasEnded() ?? false, place.served?.stderr()).toBe(false);
      },
    );

    it('killed restores do not block later imports, and leave no table', async () => {
      await importFile(place, files[1]);
      await expectContents(place, contents[1]);
    });

    // By itself, an import holds the directory, and others are told so.
    if (isServed) {
      it('an import with slow input blocks neither lists nor another import', async () => {
        const { key } = await place.createKey('--tier', 'premium');
        const headers = { Authorization: `Bearer ${key}` };
        const total = async (): Promise<number> => {
          const answer = await fetch(`${place.served?.url}/api/v1/startups?page=7`, { headers });
          expect(answer.status).toBe(200);
          return ((await answer.json()) as { meta: { total: number } }).meta.total;
        };
        const expectTotal = async (expected: number): Promise<void> => {
          const totalLater = async (): Promise<number> => {
            await place.clock?.advance(1_000);
            return total();
          };
          await expect.poll(totalLater, { interval: 100 }).toBe(expected);
        };
        const slow = await beginImport(place);
        await expectTotal(390);
        await importFile(place, files[0]);
        await expectTotal(300);
        slow.stdin.end();
        expect(await slow.end).toMatchObject({ code: 0, stdout: expect.stringContaining('250 updated') });
        await expectNothingLeft(place);
      });

      it('Ctrl-C stops an import', async () => {
        const before = await place.use(contentsOf);
        const child = startBuilt(['import', '-'], place);
        const end = ended(child);
        // It may end before it has read everything.
        child.stdin.on('error', () => {});
        child.stdin.write(part);
        await place.use((database) => expect.poll(() => isStaging(database)).toBe(true));
        child.kill('SIGINT');
        expect(await end).toEqual({
          code: 130,
          stdout: '',
          stderr: 'revgate: Stopped: nothing was written.\n',
        });
        await expectContents(place, before);
      });
    }
  });

/** Whether an import has its tables, for everybody to see or in a transaction of its own. */
async function isStaging(database: Database): Promise<boolean> {
  const { rows } = await database.background.query(
    `SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'idle in transaction'
       AND (query LIKE '%import\\_%' OR query LIKE '%pg_try_advisory_xact_lock%')`,
  );
  return rows.length > 0 || (await leftovers(database)).length > 0;
}

async function lastSources({ prisma }: Database): Promise<string[] | undefined> {
  return (await prisma.import.findFirst({ orderBy: { id: 'desc' } }))?.sources;
}
