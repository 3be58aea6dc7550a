import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Startup } from '../../../src/db/generated/client/client.ts';
import { ToldDifferences } from '../../../src/startups/catalogue/changes/past-figures.ts';
import type { StartupFilter } from '../../../src/startups/model/filter.ts';
import { matching } from '../../support/model/rules.ts';
import { record, rowsOf } from '../../support/records.ts';
import { runs } from '../../support/runs.ts';
import { finish } from '../../support/steps.ts';
import { catalogueOf } from './editions.ts';
import { filters, rows } from './rows.ts';

/** The figures that are remembered; of all others, an earlier value is not known. */
const remembered = (before: Startup): Partial<Startup> => ({
  askingPrice: before.askingPrice,
  revenueLast30Days: before.revenueLast30Days,
  revenueMrr: before.revenueMrr,
  growth30d: before.growth30d,
  customers: before.customers,
  onSale: before.onSale,
});

/** What has happened to a startup of a list, as plainly as it can be said. */
function expected(row: Startup, before: Startup | undefined, filter: StartupFilter): string | undefined {
  // Whether the price was reduced by then is not known either.
  const { priceReducedSince, ...others } = filter;
  const isReduced = matching([row], { priceReducedSince }).length === 1;
  const isIn = (one: Startup) => isReduced && matching([one], others).length === 1;
  const then = before && { ...row, ...remembered(before) };
  const did = then !== undefined && isIn(then);
  if (did && then.onSale && !row.onSale) {
    return 'ended';
  }
  if (!isIn(row)) {
    return undefined;
  }
  if (!did) {
    return before === undefined ? 'new' : 'matches';
  }
  const price = row.askingPrice;
  const isCheaper = price !== null && then?.askingPrice != null && price < then.askingPrice;
  return row.onSale && isCheaper ? 'cheaper' : undefined;
}

/** Reads what the edition of some rows packed into that of others. */
function compare(before: readonly Startup[], now: readonly Startup[]) {
  const [earlier, catalogue] = [catalogueOf(before), catalogueOf(now)];
  const past = finish(catalogue.openPast());
  for (let part = 0; ; part += 1) {
    const figures = earlier.packFigures(part);
    if (figures === undefined) {
      finish(past.finish());
      return (filter: StartupFilter, since: number, most: number) =>
        catalogue.changesSince(past, filter, { since, most, told: new ToldDifferences(past) });
    }
    finish(past.add(figures));
  }
}

it('finds what has happened to the startups of a list, as a look at each of them would', () => {
  // Of some, nothing changes; some were added, and some are gone.
  const twoLists = fc
    .tuple(rows, rows, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }))
    .map(([before, after, isKept]): [Startup[], Startup[]] => [
      before,
      after.map((row, index) =>
        isKept[index] ? { ...row, ...before[index], updatedAt: row.updatedAt } : row,
      ),
    ]);
  fc.assert(
    fc.property(twoLists, fc.array(filters, { minLength: 1, maxLength: 8 }), ([before, now], asked) => {
      const changesOf = compare(before, now);
      for (const filter of [{}, ...asked]) {
        const found = finish(changesOf(filter, -1, 100));
        const wanted = now
          .map((row) => {
            const earlier = before.find(({ id }) => id === row.id);
            return [row.slug, expected(row, earlier, filter)] as const;
          })
          .filter(([, difference]) => difference !== undefined)
          .reverse();
        expect(found.shown.map(({ now: { slug }, difference }) => [slug, difference])).toEqual(wanted);
        expect(found.total).toBe(wanted.length);
        // Only what was changed after a time.
        const later = new Set(now.filter(({ updatedAt }) => updatedAt.getTime() > 1).map(({ slug }) => slug));
        expect(finish(changesOf(filter, 1, 0)).total).toBe(wanted.filter(([slug]) => later.has(slug)).length);
      }
    }),
    runs(120),
  );
});

it('does not call a startup new that was removed and returns', () => {
  const [created, returned] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 2, 1)];
  const row = {
    ...(rowsOf([record('a')])[0] as Startup),
    createdAt: new Date(created),
    updatedAt: new Date(returned),
  };
  const differences = [created - 1, created, returned - 1].map((since) =>
    finish(compare([], [row])({}, since, 10)).shown.map(({ difference }) => difference),
  );
  expect(differences).toEqual([['new'], ['matches'], ['matches']]);
});

it('finds changes in every part of the figures', () => {
  const before = rowsOf(Array.from({ length: 8_194 }, (_, index) => record(`startup-${index}`)));
  const changed = [0, 8_191, 8_192, 8_193];
  const now = before.map((row, index) => (changed.includes(index) ? { ...row, onSale: true } : row));
  const found = finish(compare(before, now)({ onSale: true }, -1, 10));
  expect(found.shown.map(({ now: { slug } }) => slug)).toEqual(
    changed.toReversed().map((index) => `startup-${index}`),
  );
});
