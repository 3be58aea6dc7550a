import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Catalogue } from '../../src/startups/catalogue/catalogue.ts';
import { startReadAhead } from '../../src/startups/read-ahead.ts';
import { openTestGateway, type TestGateway } from '../support/gateway.ts';
import { record } from '../support/records.ts';

/** A catalogue of so many startups, whose ids are their places. */
function catalogueOf(size: number) {
  const find = ({ offset, limit }: { offset: number; limit: number }) => ({
    ids: Array.from({ length: Math.min(limit, size - offset) }, (_, index) => offset + index),
    hasMore: offset + limit < size,
  });
  const source = {
    revision: 1,
    current: () => ({ find, revision: source.revision }) as unknown as Catalogue,
    use: <T>(work: () => Promise<T>) => work(),
  };
  return source;
}
const all = (size: number) => Array.from({ length: size }, (_, index) => index);
const PAUSE = { idle: 1, busy: 1, rest: 5 };
const idle = () => new Promise((resolve) => setTimeout(resolve, 100));

let read: number[];
let answers: (() => Promise<boolean>)[];
let stop: () => void;
const rows = {
  readAhead: async (ids: readonly number[]) => {
    read.push(...ids);
    return (answers.shift() ?? (async () => true))();
  },
};
beforeEach(() => {
  read = [];
  answers = [];
  stop = () => {};
});
afterEach(() => stop());

it('goes through the list once, and again when something changed', async () => {
  const catalogue = catalogueOf(234);
  stop = startReadAhead(rows, catalogue, PAUSE);
  await expect.poll(() => read.length).toBe(234);
  await idle();
  expect(read).toEqual(all(234));
  read = [];
  catalogue.revision = 2;
  await expect.poll(() => read.length).toBe(234);
  await idle();
  expect(read).toEqual(all(234));
});

it('ends when there is no more room', async () => {
  answers = [async () => true, async () => false];
  const catalogue = catalogueOf(1_000);
  stop = startReadAhead(rows, catalogue, PAUSE);
  await expect.poll(() => read.length).toBe(100);
  catalogue.revision = 2;
  await idle();
  expect(read).toEqual(all(100));
});

it('goes on where it was when the database answers again', async () => {
  answers = [
    async () => true,
    () => Promise.reject(new Error('gone')),
    () => Promise.reject(new Error('gone')),
  ];
  stop = startReadAhead(rows, catalogueOf(150), PAUSE);
  await expect.poll(() => read.length).toBe(250);
  await idle();
  expect(read).toEqual([
    ...all(50),
    ...all(150).slice(50, 100),
    ...all(150).slice(50, 100),
    ...all(150).slice(50),
  ]);
});

it('ends when it is told to, also while it reads', async () => {
  answers = [
    async () => {
      stop();
      return true;
    },
  ];
  stop = startReadAhead(rows, catalogueOf(1_000), PAUSE);
  await idle();
  expect(read).toHaveLength(50);
  startReadAhead(rows, catalogueOf(1_000), PAUSE)();
  await idle();
  expect(read).toHaveLength(50);
});

let gateway: TestGateway;
beforeAll(async () => {
  const records = Array.from({ length: 250 }, (_, index) => record(`s${index}`));
  gateway = await openTestGateway({ records, readsAhead: true, limits: { standard: 1_000, premium: 1_000 } });
});
afterAll(() => gateway.close());

it('leaves nothing to be read by requests, and changes are seen all the same', async () => {
  const { key } = await gateway.key();
  await expect.poll(() => gateway.rowQueries().length, { timeout: 5_000 }).toBe(5);
  gateway.queries.length = 0;
  const name = async () => (await gateway.call('/api/v1/startups/s249', { key })).json.data.name;
  expect((await gateway.call('/api/v1/startups?page=20', { key })).json.data).toHaveLength(10);
  expect(
    (await gateway.graphql('{ startup(slug: "s7") { name } }', {}, { key })).json.data.startup.name,
  ).toBe('S7');
  expect(await name()).toBe('S249');
  expect(gateway.rowQueries()).toEqual([]);
  await gateway.database.prisma.startup.update({ where: { slug: 's249' }, data: { name: 'new' } });
  await expect.poll(name, { timeout: 3_000 }).toBe('new');
});
