import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { EditionData } from '../../../src/startups/catalogue/edition-data.ts';
import { type LiveCatalogue, openCatalogue } from '../../../src/startups/catalogue/live-catalogue.ts';
import type { CatalogueBuilder } from '../../../src/startups/catalogue/load/catalogue-builder.ts';
import { editionOf } from './editions.ts';
import { manyRows } from './rows.ts';

interface Build {
  /** Ends it with an edition of this revision. */
  finish(revision: number): void;
  fail(error: Error): void;
}

/** Builds when told to, so that a test holds the reins. */
class HeldBuilder implements CatalogueBuilder {
  builds: Build[] = [];

  build(): Promise<EditionData> {
    return new Promise((resolve, reject) => {
      const finish = (revision: number) => resolve(editionOf(manyRows(1, 1), revision));
      this.builds.push({ finish, fail: reject });
    });
  }

  isClosed = false;

  async close(): Promise<void> {
    this.isClosed = true;
    for (const { fail } of this.builds) {
      fail(new Error('ended'));
    }
  }

  get latest(): Build {
    return this.builds.at(-1) as Build;
  }
}

let clock = 0;
let builder: HeldBuilder;
let live: LiveCatalogue;
const onError = vi.fn();
/** Lets everything happen that waits for nothing but promises. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** Tells of a revision after so many ms. */
const notifyAfter = (ms: number, revision: number): void => {
  clock += ms;
  live.notify(revision);
};
const finish = (revision: number): Promise<void> => {
  builder.latest.finish(revision);
  return settle();
};

beforeEach(async () => {
  clock = 10_000;
  onError.mockReset();
  builder = new HeldBuilder();
  const opening = openCatalogue(builder, { now: () => clock, onError });
  builder.latest.finish(1);
  live = await opening;
});

describe('notify', () => {
  it('replaces the catalogue when the revision changes, only then, and reports its age until then', async () => {
    notifyAfter(5_000, 1);
    expect([builder.builds.length, live.age]).toEqual([1, 0]);
    notifyAfter(2_000, 2);
    clock += 300;
    expect(live.age).toBe(300);
    await finish(2);
    expect([live.current().revision, live.age]).toEqual([2, 0]);
  });

  it('builds at most once a second, whatever moves', async () => {
    for (let revision = 2; revision < 42; revision += 1) {
      notifyAfter(100, revision);
      await finish(revision);
    }
    // The first one, and one in each of the four seconds since.
    expect(builder.builds).toHaveLength(5);
  });

  it('rests after a long build for as long as that took', async () => {
    notifyAfter(2_000, 2);
    clock += 3_000;
    await finish(2);
    notifyAfter(2_999, 3);
    expect(builder.builds).toHaveLength(2);
    notifyAfter(1, 3);
    expect(builder.builds).toHaveLength(3);
  });

  it('counts the age from the first change that the catalogue lacks', async () => {
    notifyAfter(2_000, 2);
    notifyAfter(100, 3);
    notifyAfter(100, 4);
    await finish(2);
    clock += 50;
    expect(live.age).toBe(150);
  });

  it('neither builds nor ages for an answer of the poll that is older than the finished build', async () => {
    notifyAfter(2_000, 2);
    // The build already reads what the poll reports during it, and a moment later.
    notifyAfter(100, 3);
    await finish(4);
    clock += 100;
    expect(live.age).toBe(0);
    for (const revision of [3, 4]) {
      notifyAfter(2_000, revision);
      clock += 400;
      expect([builder.builds.length, live.age]).toEqual([2, 0]);
    }
  });

  it('ages where the database became another one during the build', async () => {
    notifyAfter(2_000, 3);
    live.reset();
    notifyAfter(100, 2);
    await finish(3);
    clock += 100;
    expect(live.age).toBe(100);
    live.notify(2);
    notifyAfter(2_000, 2);
    expect(builder.builds).toHaveLength(3);
    await finish(2);
    expect([live.current().revision, live.age]).toEqual([2, 0]);
  });

  it('keeps the catalogue when a build fails, reports the error and tries again', async () => {
    notifyAfter(2_000, 2);
    builder.latest.fail(new Error('gone'));
    await settle();
    expect(onError).toHaveBeenCalledExactlyOnceWith(new Error('gone'));
    expect(live.current().revision).toBe(1);
    clock += 1_000;
    expect(live.age).toBe(1_000);
    live.notify(2);
    await finish(2);
    expect([live.current().revision, live.age]).toEqual([2, 0]);
  });
});

it('an opening fails where its first build does, and closes what builds', async () => {
  const failing = new HeldBuilder();
  const opening = openCatalogue(failing, { now: () => clock, onError });
  failing.latest.fail(new Error('no database'));
  await expect(opening).rejects.toThrow('no database');
  // Otherwise its thread would keep a start that has failed from ending.
  expect([failing.isClosed, builder.isClosed]).toEqual([true, false]);
});

it('closing ends the build under way and later ones; the current edition still answers', async () => {
  notifyAfter(2_000, 2);
  await live.close();
  await settle();
  expect(onError).not.toHaveBeenCalled();
  notifyAfter(5_000, 7);
  expect([builder.builds.length, live.current().size]).toEqual([2, 1]);
});
