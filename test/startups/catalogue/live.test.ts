import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Build, CatalogueBuilder } from '../../../src/startups/catalogue/builder.ts';
import { LiveCatalogue } from '../../../src/startups/catalogue/live.ts';
import { editionOf } from './editions.ts';
import { manyRows } from './rows.ts';

/** Builds when told to, of the revision it is told, so that a test holds the reins. */
class HeldBuilder implements CatalogueBuilder {
  builds: { finish(revision: number): void; fail(error: Error): void }[] = [];
  /** The revisions of the catalogues that were given back. */
  released: number[] = [];

  build(): Promise<Build> {
    return new Promise((resolve, reject) => {
      this.builds.push({
        finish: (revision) =>
          resolve({
            data: editionOf(manyRows(1, 1), revision),
            release: () => this.released.push(revision),
          }),
        fail: reject,
      });
    });
  }

  async close(): Promise<void> {
    for (const { fail } of this.builds) {
      fail(new Error('ended'));
    }
  }

  get latest(): { finish(revision: number): void; fail(error: Error): void } {
    return this.builds.at(-1) as { finish(revision: number): void; fail(error: Error): void };
  }
}

let clock = 0;
let builder: HeldBuilder;
let live: LiveCatalogue;
const onError = vi.fn();
/** Lets everything happen that waits for nothing but promises. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

beforeEach(async () => {
  clock = 10_000;
  onError.mockReset();
  builder = new HeldBuilder();
  const opening = LiveCatalogue.open(builder, { now: () => clock, onError });
  builder.latest.finish(1);
  live = await opening;
});

describe('notify', () => {
  it('builds nothing while the revision stays', async () => {
    clock += 5_000;
    live.notify(1);
    expect(builder.builds).toHaveLength(1);
    expect(live.age).toBe(0);
  });

  it('replaces the catalogue when the revision changes, and reports its age until then', async () => {
    clock += 2_000;
    live.notify(2);
    clock += 300;
    expect(live.age).toBe(300);
    builder.latest.finish(2);
    await settle();
    expect(live.current().revision).toBe(2);
    expect(live.age).toBe(0);
  });

  it('builds at most once a second, whatever moves', async () => {
    for (let revision = 2; revision < 42; revision += 1) {
      clock += 100;
      live.notify(revision);
      builder.latest.finish(revision);
      await settle();
    }
    // The first one, and one in each of the four seconds since.
    expect(builder.builds).toHaveLength(5);
  });

  it('rests after a long build for as long as that took', async () => {
    clock += 2_000;
    live.notify(2);
    clock += 3_000;
    builder.latest.finish(2);
    await settle();
    clock += 2_999;
    live.notify(3);
    expect(builder.builds).toHaveLength(2);
    clock += 1;
    live.notify(3);
    expect(builder.builds).toHaveLength(3);
  });

  it('counts the age from the first change that the catalogue lacks', async () => {
    clock += 2_000;
    live.notify(2);
    clock += 100;
    live.notify(3);
    clock += 100;
    live.notify(4);
    builder.latest.finish(2);
    await settle();
    clock += 50;
    expect(live.age).toBe(150);
  });

  it('builds for a revision that is lower, as after a restored backup', async () => {
    clock += 2_000;
    live.notify(0);
    builder.latest.finish(0);
    await settle();
    expect(live.current().revision).toBe(0);
    expect(live.age).toBe(0);
  });

  it('keeps the catalogue when a build fails, reports the error and tries again', async () => {
    clock += 2_000;
    live.notify(2);
    builder.latest.fail(new Error('gone'));
    await settle();
    expect(onError).toHaveBeenCalledExactlyOnceWith(new Error('gone'));
    expect(live.current().revision).toBe(1);
    clock += 1_000;
    expect(live.age).toBe(1_000);
    live.notify(2);
    builder.latest.finish(2);
    await settle();
    expect(live.current().revision).toBe(2);
    expect(live.age).toBe(0);
  });
});

/** Lets a newer edition take the place of the current one. */
async function replace(revision: number): Promise<void> {
  clock += 2_000;
  live.notify(revision);
  builder.latest.finish(revision);
  await settle();
}

describe('pin', () => {
  it('gives the newest edition, which stays as it is when another one is there', async () => {
    const { catalogue } = live.pin();
    await replace(2);
    expect(live.current().revision).toBe(2);
    expect([catalogue.revision, catalogue.size]).toEqual([1, 1]);
    expect(builder.released).toEqual([]);
  });

  it('keeps an edition until all who pinned it have released it', async () => {
    const [one, other] = [live.pin(), live.pin()];
    await replace(2);
    one.release();
    one.release();
    expect(builder.released).toEqual([]);
    other.release();
    expect(builder.released).toEqual([1]);
    expect(() => one.catalogue.size).toThrow('released');
  });

  it('releases an edition that nobody pins as soon as a newer one exists', async () => {
    const first = live.current();
    live.pin().release();
    expect(first.size).toBe(1);
    await replace(2);
    expect(builder.released).toEqual([1]);
    expect(() => first.size).toThrow('released');
    await replace(3);
    expect(builder.released).toEqual([1, 2]);
  });

  it('also keeps the editions after a pinned one, since they share memory', async () => {
    const oldest = live.pin();
    await replace(2);
    const middle = live.pin();
    await replace(3);
    middle.release();
    expect(builder.released).toEqual([]);
    oldest.release();
    expect(builder.released).toEqual([1, 2]);
  });

  it('keeps builds from replacing more while three that were replaced are held', async () => {
    const { release } = live.pin();
    for (const revision of [2, 3, 4]) {
      await replace(revision);
    }
    clock += 2_000;
    live.notify(5);
    expect(builder.builds).toHaveLength(4);
    expect(live.current().revision).toBe(4);
    release();
    expect(builder.released).toEqual([1, 2, 3]);
    live.notify(5);
    expect(builder.builds).toHaveLength(5);
  });
});

describe('close', () => {
  it('ends the build under way and later ones; the current edition still answers', async () => {
    clock += 2_000;
    live.notify(2);
    await live.close();
    await settle();
    expect(onError).not.toHaveBeenCalled();
    clock += 5_000;
    live.notify(7);
    expect(builder.builds).toHaveLength(2);
    expect(live.current().size).toBe(1);
  });
});
