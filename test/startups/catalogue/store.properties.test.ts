import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Startup } from '../../../src/db/generated/client/client.ts';
import { Catalogue } from '../../../src/startups/catalogue/catalogue.ts';
import type { EditionData } from '../../../src/startups/catalogue/edition-data.ts';
import type { StartupRecord } from '../../../src/startups/model/record.ts';
import { MAX_COUNT } from '../../../src/startups/model/vocabulary.ts';
import { expectedList, expectedRank, expectedRecord } from '../../support/model/rules.ts';
import { record, rowsOf } from '../../support/records.ts';
import { runs } from '../../support/runs.ts';
import { finish } from '../../support/steps.ts';
import { contentOf, Editions, editionOf, expectEqual } from './editions.ts';
import { named, row } from './rows.ts';

/** A startup of which everything is null that may be. */
const [bare] = rowsOf([record('bare')]) as [Startup];
const names = Object.keys(expectedRecord(bare)) as (keyof ReturnType<typeof expectedRecord>)[];

/** A record as a plain object, without its rank. */
function plain(record: StartupRecord | null | undefined): unknown {
  return record ? Object.fromEntries(names.map((name) => [name, record[name]])) : null;
}

const SLUGS = Array.from({ length: 14 }, (_, index) => `slug-${index}`);
const text = fc.constantFrom(
  null,
  '',
  'a',
  'é',
  'plain text',
  'Ünïcödé 👩‍👩‍👧',
  'x'.repeat(90),
  '–'.repeat(100),
  // Longer than a chunk, and of four bytes a character.
  '😀'.repeat(2_500),
);
const count = fc.constantFrom(null, 0, 7, MAX_COUNT);
const change = fc.record({
  id: fc.integer({ min: 1, max: 12 }),
  /** What of the row changes. */
  texts: fc.option(
    fc.record({
      description: text,
      icon: text,
      founderMessage: text,
      targetPersona: text,
      xFollowerCount: count,
      googleSearchImpressionsLast30Days: count,
      xHandle: fc.constantFrom(null, 'Ada', 'bob'),
      growthMRR30d: fc.constantFrom(null, -250.5, 5e-324),
      techStack: fc.constantFrom<string[]>([], ['React'], ['C++', 'Go', 'Größe 日本']),
      isMerchantOfRecord: fc.constantFrom(null, true, false),
      active: fc.boolean(),
    }),
  ),
  /** All that a list looks at; -0 is stored as 0. */
  fields: fc.option(
    row.map(({ growth30d, ...others }) => ({
      ...others,
      growth30d: growth30d === null ? null : growth30d + 0,
    })),
  ),
  revenue: fc.option(fc.integer({ min: 0, max: 3 })),
  slug: fc.option(fc.constantFrom(...SLUGS), { freq: 1 }),
  removed: fc.boolean(),
});
const steps = fc.array(
  fc.record({
    changes: fc.array(change, { maxLength: 6 }),
    removes: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
    added: fc.integer({ min: 0, max: 3 }),
  }),
  { minLength: 3, maxLength: 14 },
);
type Step = typeof steps extends fc.Arbitrary<(infer T)[]> ? T : never;

/** A catalogue, and what it must answer. */
interface ReadEdition {
  readonly catalogue: Catalogue;
  readonly data: EditionData;
  readonly list: readonly Startup[];
}

function expectReads({ catalogue, list }: ReadEdition): void {
  const asStored = (id: number | undefined) => list.find((startup) => startup.id === id) ?? null;
  expect(catalogue.size).toBe(list.length);
  const ids = Array.from({ length: (list.at(-1)?.id ?? 0) + 2 }, (_, id) => id);
  const records = ids.map((id) => catalogue.getById(id));
  const expectedOf = (startup: Startup | null) => startup && expectedRecord(startup);
  expectEqual(records.map(plain), ids.map(asStored).map(expectedOf));
  const ranks = ids.map(asStored).map((startup) => startup && expectedRank(list, startup));
  expectEqual(
    records.map((record) => record?.rank ?? null),
    ranks,
  );
  const slugs = [...SLUGS, ...list.map(({ slug }) => slug)];
  const bySlug = slugs.map((slug) => list.find((startup) => startup.slug === slug) ?? null);
  expectEqual(
    slugs.map((slug) => plain(catalogue.get(slug))),
    bySlug.map(expectedOf),
  );
  for (const filter of [{}, { xHandle: 'ADA' }, { minRevenue: 1, maxRevenue: 2 }, { techStack: ['go'] }]) {
    const request = { filter, sort: 'revenue-desc', limit: 50, page: 1, after: null } as const;
    const found = finish(catalogue.list(request, { total: true }));
    expectEqual(found.page.map(plain), expectedList(list, filter, 'revenue-desc').map(expectedRecord));
    expect(found.meta.total).toBe(found.page.length);
  }
}

describe('editions of a store that changes', () => {
  // What must have come about in all runs together.
  const seen = { textsEmptied: 0, detailsEmptied: 0, betweenOthers: 0, removals: 0 };

  function apply(startups: Map<number, Startup>, { changes, removes, added }: Step, revision: bigint) {
    const removedIds = new Set<number>();
    const changed = new Map<number, Startup>();
    for (const { id, texts, fields, revenue, slug, removed } of changes) {
      if (removes && removed) {
        startups.delete(id);
        changed.delete(id);
        removedIds.add(id);
        continue;
      }
      const isTaken = [...startups.values()].some((other) => other.slug === slug);
      const amount = BigInt(revenue ?? 0);
      const startup: Startup = {
        ...bare,
        ...named(id),
        ...startups.get(id),
        ...texts,
        ...fields,
        ...(revenue !== null && { revenueLast30Days: amount, revenueTotal: amount }),
        ...(slug !== null && !isTaken && { slug }),
        revision,
      };
      startups.set(id, startup);
      changed.set(id, startup);
      removedIds.delete(id);
    }
    const last = Math.max(12, ...startups.keys());
    for (let id = last + 1; id <= last + added; id += 1) {
      const startup = { ...bare, ...named(id), description: 'new', revision };
      startups.set(id, startup);
      changed.set(id, startup);
    }
    return { changed: [...changed.values()].sort((a, b) => a.id - b.id), removed: [...removedIds] };
  }

  function run(sequence: readonly Step[]): void {
    const editions = new Editions(512);
    const startups = new Map<number, Startup>();
    const editionsInUse: ReadEdition[] = [];
    const all = (): Startup[] => [...startups.values()].sort((a, b) => a.id - b.id);
    const take = (data: EditionData): void => {
      const before = editionsInUse.at(-1);
      if (before !== undefined) {
        for (const packed of ['texts', 'details'] as const) {
          const { chunks } = data[packed];
          const isEmptied = before.data[packed].chunks.some(
            (chunk) => chunk !== undefined && !chunks.includes(chunk),
          );
          seen[`${packed}Emptied`] += isEmptied ? 1 : 0;
        }
      }
      editionsInUse.push({ data, catalogue: new Catalogue(data), list: all() });
    };
    // Little room, so that it must grow.
    take(editions.rebuild([], 0, 2));
    for (const [index, step] of sequence.entries()) {
      const { changed, removed } = apply(startups, step, BigInt(index + 1));
      seen.removals += removed.length;
      take(editions.update(changed, 1, removed));
      expectEqual(contentOf((editionsInUse.at(-1) as ReadEdition).data), contentOf(editionOf(all())));
      editionsInUse.slice(-4).forEach(expectReads);
    }
    editionsInUse.forEach(expectReads);
    seen.betweenOthers += editions.betweenOthers;
  }

  it('are those that would be made anew, and answer as plain startups would, each with what it had', () => {
    fc.assert(fc.property(steps, run), runs(20));
    expect(Object.entries(seen).filter(([, times]) => times === 0)).toEqual([]);
  });
});
