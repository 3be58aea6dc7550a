import { expect, it } from 'vitest';
import { createAccount } from '../../../src/access/accounts/create.ts';
import {
  deleteSearch,
  QUERY_MAX,
  readLists,
  recordOpening,
  removeSavedStartup,
  renameSearch,
  SAVED_STARTUPS_MAX,
  SEARCHES_MAX,
  saveSearch,
  saveStartup,
} from '../../../src/access/accounts/lists.ts';
import { openTestGateway } from '../../support/gateway.ts';

const { database, acting } = await openTestGateway();
const { prisma } = database;
const open = async (email: string): Promise<string> => (await createAccount(acting, { email })).id;

const search = (name: string, query = '') => ({ name, query, seenImport: null });

it('a shortlist holds each startup once, the last added first', async () => {
  const id = await open('one@example.com');
  for (const slug of ['alpha', 'beta', 'alpha', 'gamma-2']) {
    await saveStartup(prisma, id, slug);
  }
  for (const [removed, left] of [
    ['never-there', ['gamma-2', 'beta', 'alpha']],
    ['beta', ['gamma-2', 'alpha']],
  ] as const) {
    await removeSavedStartup(prisma, id, removed);
    expect((await readLists(prisma, id)).shortlist).toEqual(left);
  }
  for (const slug of ['', 'Alpha', 'a b', 'a'.repeat(201), "x'; --", 'a\u0000']) {
    await expect(saveStartup(prisma, id, slug)).rejects.toThrow('slug: got');
  }
});

it.each([
  [
    '100 startups',
    SAVED_STARTUPS_MAX,
    (id: string, index: number) => saveStartup(prisma, id, `startup-${index}`),
  ],
  [
    '50 saved searches',
    SEARCHES_MAX,
    (id: string, index: number) => saveSearch(prisma, id, search(`n ${index}`)),
  ],
])('an account has at most %s, also with concurrent requests', async (most, max, add) => {
  const id = await open(`${max}@example.com`);
  const results = await Promise.allSettled(Array.from({ length: max + 5 }, (_, index) => add(id, index)));
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
  expect(refused).toHaveLength(5);
  expect(refused[0]).toMatch(new RegExp(`${most}, the maximum`));
  const { shortlist, searches } = await readLists(prisma, id);
  expect(shortlist.length + searches.length).toBe(max);
  // One of them again is no error.
  await saveStartup(prisma, id, shortlist[0] ?? 'startup-0');
});

it('searches are saved, renamed and deleted by their names', async () => {
  const id = await open('searches@example.com');
  const odd = 'An \'odd\' "name" ?';
  await saveSearch(prisma, id, search('Zebra', 'category=ai'));
  await saveSearch(prisma, id, search(odd));
  await recordOpening(prisma, id, { name: 'Zebra', seenImport: '2026-11-25T10:00:00.000Z' });
  await recordOpening(prisma, id, { name: 'never there', seenImport: null });
  await renameSearch(prisma, id, 'Zebra', 'Cheap');
  await renameSearch(prisma, id, 'Cheap', 'Cheap');
  const saved = [search(odd), { ...search('Cheap', 'category=ai'), seenImport: '2026-11-25T10:00:00.000Z' }];
  expect((await readLists(prisma, id)).searches).toEqual(saved);
  const save = (name: string, query: string) => () => saveSearch(prisma, id, search(name, query));
  const rename = (from: string, to: string) => () => renameSearch(prisma, id, from, to);
  for (const [attempt, error] of [
    [save('Cheap', 'onSale=true'), 'which another of your searches has'],
    [save('long', 'x'.repeat(QUERY_MAX + 1)), '2001 characters'],
    [rename('Cheap', odd), 'which another of your searches has'],
    [rename('Zebra', 'Other'), 'You have no search "Zebra".'],
    ...['', 'x'.repeat(101), 'a\u0000b'].flatMap((name) => [
      [save(name, ''), 'Name: got'] as const,
      [rename('Cheap', name), 'Name: got'] as const,
    ]),
  ] as const) {
    await expect(attempt()).rejects.toThrow(error);
  }
  await deleteSearch(prisma, id, 'Cheap');
  await deleteSearch(prisma, id, 'never there');
  expect((await readLists(prisma, id)).searches).toEqual([search(odd)]);
});
