import { expect, it } from 'vitest';
import { ndjson } from '../../startups/import/inputs.ts';
import { record } from '../../support/records.ts';
import { openServedPlace } from './databases.ts';
import { run } from './process.ts';

const place = await openServedPlace();

it('undo takes back the last import, by its id or with --yes', async () => {
  const importFile = (name: string, ...records: object[]) =>
    run(['import', place.write(name, ndjson(...records))], place);
  await importFile('first.ndjson', record('a'));
  await importFile('second.ndjson', record('a', { customers: 99 }), record('b'));
  const imports = JSON.parse((await run(['imports', '--json'], place)).stdout) as { id: number }[];
  const [second, first] = imports.map(({ id }) => id);
  const dry = await run(['undo', '--dry-run'], place);
  expect([dry.code, dry.stderr]).toEqual([0, '']);
  expect(dry.stdout).toMatch(
    new RegExp(
      `^Would undo import ${second} of .+Z \\(.*second.ndjson\\).\nWould get its earlier values: A, a.\nWould be gone: B, b.\n$`,
    ),
  );
  const unnamed = await run(['undo'], place);
  expect(unnamed).toMatchObject({ code: 1 });
  expect(unnamed.stderr).toContain(`run revgate undo ${second}, or add --yes`);
  const wrong = await run(['undo', String(first)], place);
  expect(wrong).toMatchObject({ code: 1 });
  expect(wrong.stderr).toContain(`Import ${first} cannot be undone`);
  expect(await run(['undo', String(second)], place)).toMatchObject({ code: 0 });
  const done = await run(['undo', '--yes', '--json'], place);
  expect(JSON.parse(done.stdout)).toMatchObject({ dryRun: false, import: first, removed: { count: 1 } });
  expect((await run(['undo', '--yes'], place)).stderr).toContain('No import can be undone');
});
