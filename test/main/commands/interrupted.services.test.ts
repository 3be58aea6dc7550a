import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/open.ts';
import { ended, startScript } from './built-command.ts';
import { everything, type OpenPlace, testPlaces, twoInputs } from './databases.ts';
import { run, type Started, start } from './process.ts';

/** Where a command that changes the data is killed, with all of it written, and whether its changes are there then. */
const killPoints = [
  { point: 'before commit', isDone: false },
  { point: 'after commit', isDone: true },
] as const;

/** Runs a command in a process of its own that is killed at a point of it. */
async function runKilled(point: string, args: string[], { env, cwd, served }: OpenPlace): Promise<void> {
  const script = fileURLToPath(new URL('./die-at.mjs', import.meta.url));
  const child = startScript(script, [point, ...args], { env, cwd });
  child.stdin.end();
  const [{ stdout, stderr }, [, signal]] = await Promise.all([ended(child), once(child, 'close')]);
  expect(signal, stdout + stderr).toBe('SIGKILL');
  expect(served?.hasEnded() ?? false, served?.stderr()).toBe(false);
}

/**
 * Everything about the startups but what differs from import to import, with their last points and the last market,
 * which belong to them.
 */
async function contentsOf({ pool }: Database): Promise<string> {
  const { rows } = await pool.query<{ content: string }>(
    `SELECT count(*) || ' ' || md5(coalesce(string_agg(
         (to_jsonb(s) - '{id,revision,restored_revision,created_at,updated_at,asking_price_changed_at}'::text[])::text
           || (SELECT (to_jsonb(p) - '{startup_id,day,asking_price_changed_at}'::text[])::text FROM startup_points AS p
               WHERE startup_id = s.id ORDER BY day DESC LIMIT 1),
         ',' ORDER BY slug), ''))
       || (SELECT coalesce((to_jsonb(m) - 'day')::text, '') FROM market_days AS m
           WHERE category = '' ORDER BY day DESC LIMIT 1) AS content
     FROM startups AS s`,
  );
  return rows[0]?.content ?? '';
}

/** All data, revisions and times of changes apart: what undoing an import leaves as it was before. */
async function dataOf({ pool }: Database): Promise<unknown> {
  const all = (table: string, order: string) =>
    `SELECT json_agg(to_jsonb(t) - '{revision,restored_revision,updated_at}'::text[] ORDER BY ${order}) AS rows FROM ${table} AS t`;
  const { rows } = await pool.query(
    `${all('startups', 'id')} UNION ALL ${all('startup_points', 'startup_id, day')}
     UNION ALL ${all('removed_startups', 'startup_id, day')} UNION ALL ${all('unchanged_startups', 'day')}
     UNION ALL ${all('market_days', 'day, category')}`,
  );
  return rows;
}

/** What an import has left behind. */
const leftovers = async ({ pool }: Database): Promise<unknown[]> =>
  (
    await pool.query(`SELECT relname FROM pg_class WHERE relname LIKE 'import\\_%'
      UNION ALL SELECT nspname FROM pg_namespace WHERE nspname = 'revgate_next'`)
  ).rows;

/**
 * Waits until nothing of an import is left, and the startups are these. Each look is a connection of its own: an embedded
 * database tidies up after one that was killed once no other process is connected to it.
 */
async function expectContents(place: OpenPlace, contents: string | undefined): Promise<void> {
  const look = () => place.use(async (found) => [await leftovers(found), await contentsOf(found)]);
  await expect.poll(look, { interval: 200 }).toEqual([[], contents]);
}

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
for (const { name, open } of testPlaces)
  describe(`on ${name}`, { shuffle: false }, async () => {
    const place = await open();
    /** What the database holds after the import of each file. */
    const contents: string[] = [];
    /** Which of them it holds now. */
    let current = 1;
    /** All that it held when it was backed up, after the first import. */
    let saved = '';
    for (const [index, text] of [inputs.first, inputs.second].entries()) {
      await importFile(place, place.write(files[index] as string, text));
      contents.push(await place.use(contentsOf));
      if (index === 0) {
        saved = await place.use(everything);
        expect(await place.run('backup', BACKUP)).toMatchObject({ code: 0 });
      }
    }
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
      },
    );

    it.each([{ point: 'at statement 7' }, { point: 'at statement 14' }, ...killPoints])(
      'an undo killed at the point $point leaves the import as it was or wholly undone',
      async ({ point, ...killed }) => {
        const before = await place.use(dataOf);
        const other = 1 - current;
        await importFile(place, files[other] as string);
        const after = await place.use(dataOf);
        await runKilled(point, ['undo', '--yes'], place);
        const isUndone = 'isDone' in killed && killed.isDone;
        current = isUndone ? current : other;
        await place.use(async (database) => {
          expect(await dataOf(database)).toEqual(isUndone ? before : after);
          expect(await database.prisma.import.findFirst({ orderBy: { id: 'desc' } })).toMatchObject({
            sources: [files[other]],
            undoneBy: isUndone ? expect.any(String) : null,
          });
        });
      },
    );

    const isTidy = async (): Promise<void> => {
      await importFile(place, files[1]);
      await expectContents(place, contents[1]);
    };
    it('killed imports do not block later imports, and leave no table', isTidy);

    it.each(killPoints)(
      'a restore killed at the point $point leaves the old data or all of the new',
      async ({ point, isDone }) => {
        await runKilled(point, ['restore', BACKUP, '--yes'], place);
        await place.use(async (database) => {
          expect(contents.indexOf(await contentsOf(database))).toBe(isDone ? 0 : 1);
          expect((await everything(database)) === saved).toBe(isDone);
        });
      },
    );

    it('killed restores do not block later imports, and leave no table', isTidy);

    // By itself, an import holds the directory, and others are told so.
    if (place.served !== undefined) {
      const { url } = place.served;
      it('an import with slow input blocks neither lists nor another import', async () => {
        const { key } = await place.createKey('--tier', 'premium');
        const expectTotal = async (expected: number): Promise<void> => {
          const headers = { Authorization: `Bearer ${key}` };
          const totalLater = async (): Promise<number> => {
            await place.clock?.advance(1_000);
            return (await (await fetch(`${url}/api/v1/startups?page=7`, { headers })).json()).meta?.total;
          };
          await expect.poll(totalLater, { interval: 100 }).toBe(expected);
        };
        const slow = await beginImport(place);
        await expectTotal(390);
        await importFile(place, files[0]);
        await expectTotal(300);
        slow.stdin.end();
        expect(await slow.end).toMatchObject({ code: 0, stdout: expect.stringContaining('250 updated') });
        await expect.poll(() => place.use(leftovers), { interval: 200 }).toEqual([]);
      });
    }
  });

async function lastSources({ prisma }: Database): Promise<string[] | undefined> {
  return (await prisma.import.findFirst({ orderBy: { id: 'desc' } }))?.sources;
}
