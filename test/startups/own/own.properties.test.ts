import fc from 'fast-check';
import type { Client } from 'pg';
import { expect, it } from 'vitest';
import { Catalogue } from '../../../src/startups/catalogue/catalogue.ts';
import { EditionMaker } from '../../../src/startups/catalogue/load/edition-maker.ts';
import { readRows } from '../../../src/startups/catalogue/load/read-rows.ts';
import type { StartupList } from '../../../src/startups/catalogue/query/startup-list.ts';
import type { StoredRows } from '../../../src/startups/catalogue/store/row-writer.ts';
import type { OwnCondition, OwnKind, OwnSort, OwnValue } from '../../../src/startups/model/own-fields.ts';
import { type Place, readCursor } from '../../../src/startups/model/requests/cursor.ts';
import { addOwnField, removeOwnField } from '../../../src/startups/own/declarations.ts';
import { openTestDatabase } from '../../support/database.ts';
import { insertRecords, record } from '../../support/records.ts';
import { runs } from '../../support/runs.ts';
import { finish } from '../../support/steps.ts';
import { find, idsOf } from '../catalogue/editions.ts';

// What is declared, changed, removed and declared again is read as a plain filter and sort would, whatever was read before.

const STARTUPS = 12;
/** Few distinct values, so that ties are many and bounds hit values exactly, and the extremes among them. */
const numbers = fc.constantFrom(0, 1, 5, 5.5, -3, 1e-7, 2 ** 31 - 1, Number.MAX_SAFE_INTEGER);
const texts = fc.constantFrom('Seed', "Series 'A'", '__proto__', 'seed', 'ü', '\\', '"x"', 'constructor');
const values: Readonly<Record<OwnKind, fc.Arbitrary<OwnValue>>> = {
  text: texts,
  url: fc.constant('https://a.example/'),
  count: fc.constantFrom(0, 5, 2 ** 31 - 1),
  cents: numbers.filter(Number.isSafeInteger),
  percent: numbers,
  number: numbers,
  date: fc.constantFrom(-1, 0, 86_400_000, Date.UTC(9999, 11, 31)),
  boolean: fc.boolean(),
  choice: texts,
  texts: fc.array(texts, { minLength: 1, maxLength: 3 }),
};
const kinds = Object.keys(values) as OwnKind[];
const indexable = new Set<OwnKind>(['count', 'cents', 'percent', 'number', 'date', 'boolean', 'choice']);
const names = ['constructor', 'toString', 'type', 'aB', 'employees'];

interface Declared {
  readonly kind: OwnKind;
  readonly indexed: boolean;
}
type Own = Readonly<Record<string, OwnValue | undefined>>;

type Step =
  | { readonly declare: string; readonly kind: OwnKind; readonly indexed: boolean }
  | { readonly remove: string }
  | { readonly set: number; readonly name: string; readonly seed: number };
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      declare: fc.constantFrom(...names),
      kind: fc.constantFrom(...kinds),
      indexed: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ remove: fc.constantFrom(...names) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      set: fc.integer({ min: 1, max: STARTUPS }),
      name: fc.constantFrom(...names),
      seed: fc.nat(),
    }),
  },
);

const database = await openTestDatabase();
const client = await database.openClient();
await insertRecords(
  database,
  Array.from({ length: STARTUPS }, (_, at) => record(`startup-${at}`)),
);

/** The model: what is declared, and the values of each startup. */
class Model {
  readonly declared = new Map<string, Declared>();
  readonly own = new Map<number, Map<string, OwnValue>>();

  valueOf(id: number, name: string): OwnValue | null {
    return this.own.get(id)?.get(name) ?? null;
  }
}

async function apply(step: Step, model: Model): Promise<void> {
  if ('declare' in step) {
    const { declare: name, kind } = step;
    if (!model.declared.has(name)) {
      const indexed = step.indexed && indexable.has(kind);
      await addOwnField(database.prisma, { name, kind, indexed });
      model.declared.set(name, { kind, indexed });
    }
  } else if ('remove' in step) {
    if (model.declared.delete(step.remove)) {
      await database.prisma.$transaction((transaction) => removeOwnField(transaction, step.remove));
      for (const own of model.own.values()) {
        own.delete(step.remove);
      }
    }
  } else {
    await set(step, model);
  }
}

/** Gives a startup a value as imports store it, or takes it away. */
async function set({ set: id, name, seed }: Extract<Step, { set: number }>, model: Model): Promise<void> {
  const kind = model.declared.get(name)?.kind;
  if (kind === undefined) {
    return;
  }
  const [value] = fc.sample(fc.option(values[kind], { nil: null, freq: 4 }), { numRuns: 1, seed });
  const own = model.own.get(id) ?? new Map<string, OwnValue>();
  model.own.set(id, own);
  if (value === null || value === undefined) {
    own.delete(name);
  } else {
    own.set(name, value);
  }
  if (kind === 'choice' && typeof value === 'string') {
    await client.query(
      'UPDATE own_fields SET choices = choices || $2::text WHERE name = $1 AND NOT $2 = ANY (choices)',
      [name, value],
    );
  }
  const json = own.size === 0 ? null : JSON.stringify(Object.fromEntries(own));
  await client.query('UPDATE startups SET own = $2::jsonb WHERE id = $1', [id, json]);
}

/** Whether a startup passes a condition, said as plainly as it can be. */
function passes(value: OwnValue | null, condition: OwnCondition): boolean {
  if (value === null || typeof condition === 'boolean') {
    return value === condition;
  }
  if ('in' in condition) {
    return condition.in.includes(value as string);
  }
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = condition;
  return (value as number) >= min && (value as number) <= max;
}

function conditionFor({ kind }: Declared): fc.Arbitrary<OwnCondition> {
  if (kind === 'boolean') {
    return fc.boolean();
  }
  if (kind === 'choice') {
    return fc.record({ in: fc.array(texts, { maxLength: 3 }) });
  }
  const bound = values[kind] as fc.Arbitrary<number>;
  return fc.oneof(
    fc.record({ min: bound }),
    fc.record({ max: bound }),
    fc.tuple(bound, bound).map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b) })),
  );
}

function check(catalogue: Catalogue, model: Model, ids: readonly number[], seed: number): void {
  for (const id of ids) {
    const expected: Own = Object.fromEntries(
      [...model.declared.keys()].map((name) => [name, model.valueOf(id, name)]),
    ) as Own;
    expect({ ...catalogue.getById(id)?.own }).toEqual(expected);
  }
  const filterable = [...model.declared].filter(([, { indexed }]) => indexed);
  for (const [at, [name, declared]] of filterable.entries()) {
    const [condition] = fc.sample(conditionFor(declared), { numRuns: 1, seed: seed + at });
    const filter = { own: { [name]: condition as OwnCondition } };
    const matching = ids.filter((id) => passes(model.valueOf(id, name), condition as OwnCondition));
    const total = find(catalogue, { filter, sort: 'created-asc', limit: 100, total: true });
    expect([...total.ids].sort((a, b) => a - b)).toEqual(matching);
    if (declared.kind !== 'boolean' && declared.kind !== 'choice') {
      for (const [direction, order] of [
        [1, 'asc'],
        [-1, 'desc'],
      ] as const) {
        const sort: OwnSort = `own.${name}-${order}`;
        expectOrder(catalogue, sort, sorted(model, ids, name, direction));
        expect(find(catalogue, { filter, sort, limit: 100, total: true }).ids).toEqual(
          sorted(model, matching, name, direction),
        );
      }
    }
  }
}

/** Unknown values last, equal ones in the order of their ids. */
function sorted(model: Model, ids: readonly number[], name: string, direction: 1 | -1): number[] {
  const known = ids.filter((id) => model.valueOf(id, name) !== null);
  const numberOf = (id: number): number => model.valueOf(id, name) as number;
  return [
    ...known.sort((a, b) => direction * (numberOf(a) - numberOf(b)) || a - b),
    ...ids.filter((id) => model.valueOf(id, name) === null),
  ];
}

/** Walks an order by cursors. */
function expectOrder(catalogue: Catalogue, sort: OwnSort, expected: readonly number[]): void {
  const found: number[] = [];
  for (let after: Place | null = null, more = true; more; ) {
    const page: StartupList = finish(
      catalogue.list({ filter: {}, sort, limit: 5, page: null, after }, { total: false }),
    );
    found.push(...idsOf(page.page));
    more = page.hasMore;
    after = more ? (readCursor(page.endCursor() as string, {}, sort) as Place) : null;
  }
  expect(found).toEqual(expected);
}

/** An edition as nodes make it: of what changed since the earlier rows. */
async function readNext(rows: StoredRows | undefined, from: Client): Promise<StoredRows> {
  return (await readRows(from, rows)).rows;
}

it('declared fields are read, filtered and sorted as a model says, after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(steps, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 }),
      fc.nat({ max: 1_000_000 }),
      async (batches, seed) => {
        await client.query('UPDATE startups SET own = NULL; DELETE FROM own_fields');
        const { rows: stored } = await client.query('SELECT id FROM startups ORDER BY id');
        const ids = stored.map(({ id }) => id as number);
        const model = new Model();
        const maker = new EditionMaker();
        let rows: StoredRows | undefined;
        for (const [at, batch] of batches.entries()) {
          for (const step of batch) {
            const toIds = 'set' in step ? { ...step, set: ids[step.set - 1] as number } : step;
            await apply(toIds, model);
          }
          rows = await readNext(rows, client);
          check(new Catalogue(maker.make(rows, 0)), model, ids, seed + at);
        }
      },
    ),
    runs(25),
  );
});

it('a field that is declared while rows are read in pieces is read with them', async () => {
  await client.query('UPDATE startups SET own = NULL; DELETE FROM own_fields');
  await addOwnField(database.prisma, { name: 'first', kind: 'number', indexed: true });
  await client.query(`UPDATE startups SET own = '{"first": 1}'`);
  let isDeclared = false;
  const declaring = new Proxy(client, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      return name !== 'query'
        ? value
        : async (...args: [never]) => {
            const text: unknown = args[0];
            // After the state was read, and before the rows are.
            if (!isDeclared && typeof text === 'string' && text.includes('count(*)::int FROM startups')) {
              isDeclared = true;
              await addOwnField(database.prisma, { name: 'second', kind: 'number', indexed: true });
              await target.query(`UPDATE startups SET own = own || '{"second": 2}'`);
            }
            return (target.query as (...of: unknown[]) => unknown)(...args);
          };
    },
  });
  const { rows } = await readRows(declaring, undefined, { sharedSession: true });
  const catalogue = new Catalogue(new EditionMaker().make(rows, 0));
  expect(isDeclared).toBe(true);
  expect(catalogue.own.map(({ name }) => name)).toEqual(['first', 'second']);
  const { ids } = find(catalogue, { filter: {}, sort: 'own.second-desc', limit: 100, total: true });
  expect(ids).toHaveLength(STARTUPS);
  expect({ ...catalogue.getById(ids[0] as number)?.own }).toEqual({ first: 1, second: 2 });
});
