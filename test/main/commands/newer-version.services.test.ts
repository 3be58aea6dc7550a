import { expect, it } from 'vitest';
import { testPlaces } from './databases.ts';
import { run } from './process.ts';

const places = testPlaces.filter(({ isServed }) => !isServed);

it.each(places)(
  'an older version changes nothing in $name that a newer one has migrated',
  async ({ open }) => {
    const place = await open();
    await place.use(({ pool }) =>
      pool.query(
        `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at)
         VALUES ('newer', 'x', '9999_newer', now())`,
      ),
    );
    const message =
      'The database has migration 9999_newer, which this version does not have: run the newer version of revgate that applied it.';
    for (const command of [
      ['serve', '--port', '0'],
      ['keys', 'list'],
      ['backup', 'a.backup.gz'],
    ]) {
      expect(await run(command, place)).toEqual({ code: 1, stdout: '', stderr: `revgate: ${message}\n` });
    }
    const { code, stdout } = await run(['doctor', '--json'], place);
    expect([code, JSON.parse(stdout).checks]).toEqual([
      1,
      expect.arrayContaining([expect.objectContaining({ check: 'database', verdict: 'error' })]),
    ]);
  },
);
