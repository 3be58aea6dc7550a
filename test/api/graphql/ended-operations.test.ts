import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, it, vi } from 'vitest';
import { Catalogue } from '../../../src/startups/catalogue/catalogue.ts';
import { sampleStartups } from '../../../src/startups/sample/sample.ts';
import { openTestGateway } from '../../support/gateway.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const records = [...sampleStartups({ count: 20, seed: 3 })];
const gateway = await openTestGateway({ records, limits: 100_000 });
const { key } = await gateway.key();
afterEach(() => {
  // Vitest keeps the objects whose methods were replaced.
  vi.clearAllMocks();
  vi.restoreAllMocks();
});

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) {
    await new Promise(setImmediate);
  }
};

it('an edition that was replaced is not kept, whatever read it', async () => {
  const { list } = Catalogue.prototype;
  let edition: WeakRef<Catalogue> | undefined;
  Catalogue.prototype.list = function (...args) {
    edition ??= new WeakRef(this);
    return list.apply(this, args);
  };
  const version = async (): Promise<string> =>
    (await gateway.graphql('{ dataset { version } }', {}, { key })).json.data.dataset.version;
  try {
    const before = await version();
    const { json } = await gateway.graphql(
      `{ startups { page { slug history { day } } facets { category { count } } stats { price { median } } }
        changes { next } }`,
      {},
      { key },
    );
    expect(json.errors).toBeUndefined();
    const page = await gateway.call('/');
    expect(records.filter(({ name }) => page.text.includes(name))).not.toEqual([]);
    expect((await gateway.call('/api/v1/startups', { key })).json.data).toHaveLength(10);
    await gateway.database.pool.query('UPDATE startups SET revenue_mrr = revenue_mrr + 1');
    await expect.poll(version).not.toBe(before);
  } finally {
    Catalogue.prototype.list = list;
  }
  await turns(10);
  collect();
  expect(edition).toBeDefined();
  expect(edition?.deref()).toBeUndefined();
});

it('fields that are still computed when a non-null field beside them fails stop with the operation', async () => {
  let steps = 0;
  vi.spyOn(Catalogue.prototype, 'facets').mockImplementation(function* () {
    // As over very many startups.
    for (;;) {
      steps += 1;
      yield;
    }
  });
  vi.spyOn(Catalogue.prototype, 'stats').mockImplementation(function* () {
    yield;
    throw new Error('no stats');
  });
  const { status, json } = await gateway.graphql(
    `{ dataset { total } startups { meta { total } facets { category { count } } more: facets { country { count } }
      stats { price { median } } } }`,
    {},
    { key },
  );
  expect([status, json.data]).toEqual([200, { dataset: { total: 20 }, startups: null }]);
  const extensions = { code: 'INTERNAL_SERVER_ERROR' };
  expect(json.errors).toMatchObject([{ path: ['startups', 'stats'], extensions }]);
  const before = steps;
  expect(before).toBeGreaterThan(0);
  await turns(10);
  expect(steps).toBe(before);
});
