import { expect, it } from 'vitest';
import { createAccount } from '../../../src/access/accounts/create.ts';
import {
  addToShortlist,
  deleteSearch,
  QUERY_MAX,
  readLists,
  recordOpening,
  removeFromShortlist,
  renameSearch,
  SEARCHES_MAX,
  SHORTLIST_MAX,
  saveSearch,
} from '../../../src/access/accounts/lists.ts';
import { openTestGateway } from '../../support/gateway.ts';

const { database, acting } = await openTestGateway();
const { prisma } = database;
const open = async (email: string): Promise<string> => (await createAccount(acting, { email })).id;

it('a shortlist holds each startup once, the last added first', async () => {
  const id = await open('one@example.com');
  for (const slug of ['alpha', 'beta', 'alpha', 'gamma-2']) {
    await addToShortlist(prisma, id, slug);
  }
  expect((await readLists(prisma, id)).shortlist).toEqual(['gamma-2', 'beta', 'alpha']);
  await removeFromShortlist(prisma, id, 'beta');
  await removeFromShortlist(prisma, id, 'never-there');
  expect((await readLists(prisma, id)).shortlist).toEqual(['gamma-2', 'alpha']);
  for (const slug of ['', 'Alpha', 'a b', 'a'.repeat(201), "x'; --", 'a\u0000']) {
    await expect(addToShortlist(prisma, id, slug)).rejects.toThrow('slug: got');
  }
});

it('a shortlist has at most 100 startups, also with concurrent requests', async () => {
  const id = await open('full@example.com');
  const results = await Promise.allSettled(
    Array.from({ length: SHORTLIST_MAX + 5 }, (_, index) => addToShortlist(prisma, id, `startup-${index}`)),
  );
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
  expect(refused).toHaveLength(5);
  expect(refused[0]).toContain('Your shortlist has 100 startups, the maximum');
  const { shortlist } = await readLists(prisma, id);
  expect(shortlist).toHaveLength(SHORTLIST_MAX);
  // One of them again is no error.
  await addToShortlist(prisma, id, shortlist[0] ?? '');
});

it('searches are saved, renamed and deleted by their names', async () => {
  const id = await open('searches@example.com');
  await saveSearch(prisma, id, { name: 'Zebra', query: 'category=ai', seenImport: null });
  await saveSearch(prisma, id, { name: 'An \'odd\' "name" ?', query: '', seenImport: null });
  await expect(
    saveSearch(prisma, id, { name: 'Zebra', query: 'onSale=true', seenImport: null }),
  ).rejects.toThrow('which another of your searches has');
  await recordOpening(prisma, id, { name: 'Zebra', seenImport: '2026-11-25T10:00:00.000Z' });
  await recordOpening(prisma, id, { name: 'never there', seenImport: null });
  await renameSearch(prisma, id, 'Zebra', 'Cheap');
  await renameSearch(prisma, id, 'Cheap', 'Cheap');
  expect((await readLists(prisma, id)).searches).toEqual([
    { name: 'An \'odd\' "name" ?', query: '', seenImport: null },
    { name: 'Cheap', query: 'category=ai', seenImport: '2026-11-25T10:00:00.000Z' },
  ]);
  await expect(renameSearch(prisma, id, 'Cheap', 'An \'odd\' "name" ?')).rejects.toThrow('another of your');
  await expect(renameSearch(prisma, id, 'Zebra', 'Other')).rejects.toThrow('You have no search "Zebra".');
  for (const name of ['', 'x'.repeat(101), 'a\u0000b']) {
    await expect(saveSearch(prisma, id, { name, query: '', seenImport: null })).rejects.toThrow('Name: got');
    await expect(renameSearch(prisma, id, 'Cheap', name)).rejects.toThrow('Name: got');
  }
  const query = 'x'.repeat(QUERY_MAX + 1);
  await expect(saveSearch(prisma, id, { name: 'long', query, seenImport: null })).rejects.toThrow(
    '2001 characters',
  );
  await deleteSearch(prisma, id, 'Cheap');
  await deleteSearch(prisma, id, 'never there');
  expect((await readLists(prisma, id)).searches).toHaveLength(1);
});

it('an account has at most 50 searches', async () => {
  const id = await open('many@example.com');
  const results = await Promise.allSettled(
    Array.from({ length: SEARCHES_MAX + 2 }, (_, index) =>
      saveSearch(prisma, id, { name: `search ${index}`, query: 'onSale=true', seenImport: null }),
    ),
  );
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(2);
  await expect(saveSearch(prisma, id, { name: 'one more', query: '', seenImport: null })).rejects.toThrow(
    'You have 50 saved searches, the maximum',
  );
});
