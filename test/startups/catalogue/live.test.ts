import { beforeEach, describe, expect, it, vi } from 'vitest';
import { buildCatalogue } from '../../../src/startups/catalogue/build.ts';
import type { Build, CatalogueBuilder } from '../../../src/startups/catalogue/builder.ts';
import { LiveCatalogue } from '../../../src/startups/catalogue/live.ts';
import { columnsOf } from '../../../src/startups/catalogue/row.ts';
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
            data: buildCatalogue(columnsOf(manyRows(1, 1), revision), 0),
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
const onFault = vi.fn();
/** Lets everything happen that waits for nothing but promises. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

beforeEach(async () => {
  clock = 10_000;
  onFault.mockReset();
  builder = new HeldBuilder();
  const opening = LiveCatalogue.open(builder, { now: () => clock, onFault });
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

  it('replaces the catalogue when the revision moves, and tells its age until then', async () => {
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

  it('keeps the catalogue when a build fails, tells the fault and tries again', async () => {
    clock += 2_000;
    live.notify(2);
    builder.latest.fail(new Error('gone'));
    await settle();
    expect(onFault).toHaveBeenCalledExactlyOnceWith(new Error('gone'));
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

describe('fresh', () => {
  it('waits for a build that began after the call, shared by all who wait', async () => {
    const first = live.fresh();
    const second = live.fresh();
    const third = live.fresh();
    expect(builder.builds).toHaveLength(2);
    builder.latest.finish(2);
    expect((await first).revision).toBe(2);
    await settle();
    expect(builder.builds).toHaveLength(3);
    builder.latest.finish(3);
    expect((await second).revision).toBe(3);
    expect(await third).toBe(await second);
    expect(live.current()).toBe(await second);
    expect(builder.builds).toHaveLength(3);
  });

  it('takes any catalogue of the revision asked for', async () => {
    expect(await live.fresh(1)).toBe(live.current());
    const [second, third] = [live.fresh(2), live.fresh(2)];
    builder.latest.finish(2);
    expect(await second).toBe(await third);
    expect(builder.builds).toHaveLength(2);
  });

  it('builds again when the one under way was too early for the revision asked for', async () => {
    const [second, third] = [live.fresh(2), live.fresh(3)];
    builder.latest.finish(2);
    await second;
    await settle();
    builder.latest.finish(3);
    expect((await third).revision).toBe(3);
  });

  it('rejects when the build fails, and not because of one before it', async () => {
    const [failing, following] = [live.fresh(), live.fresh()];
    builder.latest.fail(new Error('gone'));
    await expect(failing).rejects.toThrow('gone');
    await settle();
    builder.latest.finish(2);
    expect((await following).revision).toBe(2);
    expect(onFault).not.toHaveBeenCalled();
  });

  it('runs no second build beside a notified one', async () => {
    clock += 2_000;
    live.notify(2);
    const waiting = live.fresh();
    expect(builder.builds).toHaveLength(2);
    builder.latest.finish(2);
    await settle();
    live.notify(3);
    expect(builder.builds).toHaveLength(3);
    builder.latest.finish(3);
    expect((await waiting).revision).toBe(3);
  });
});

describe('use', () => {
  /** Work that goes on until it is told to end. */
  function begin() {
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const catalogue = live.current();
    const done = live.use(() => ended).then(() => catalogue.revision);
    return { done, end };
  }
  async function replace(revision: number): Promise<void> {
    clock += 2_000;
    live.notify(revision);
    builder.latest.finish(revision);
    await settle();
    await settle();
  }

  it('gives back a catalogue that nobody uses when another one is there', async () => {
    const first = live.current();
    await replace(2);
    expect(builder.released).toEqual([1]);
    expect(() => first.size).toThrow('out of use');
    await replace(3);
    expect(builder.released).toEqual([1, 2]);
  });

  it('keeps every catalogue from that with which work began, until the end of its last turn', async () => {
    const [early, late] = [begin(), begin()];
    await replace(2);
    await replace(3);
    expect(builder.released).toEqual([]);
    late.end();
    expect(await late.done).toBe(1);
    await settle();
    live.notify(3);
    await settle();
    expect(builder.released).toEqual([]);
    early.end();
    expect(await early.done).toBe(1);
    // Also while nothing changes.
    live.notify(3);
    await settle();
    expect(builder.released).toEqual([1, 2]);
  });

  it('lets go of one whose work failed', async () => {
    await expect(live.use(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    await replace(2);
    expect(builder.released).toEqual([1]);
  });

  it('replaces no more of them while work goes on with three that were replaced, and then goes on', async () => {
    const work = begin();
    for (const revision of [2, 3, 4]) {
      await replace(revision);
    }
    clock += 2_000;
    live.notify(5);
    expect(builder.builds).toHaveLength(4);
    expect(live.current().revision).toBe(4);
    work.end();
    await work.done;
    live.notify(5);
    await settle();
    live.notify(5);
    expect(builder.released).toEqual([1, 2, 3]);
    expect(builder.builds).toHaveLength(5);
  });
});

describe('close', () => {
  it('ends what is under way; the current catalogue still answers', async () => {
    const waiting = live.fresh();
    await live.close();
    await expect(waiting).rejects.toThrow('ended');
    await expect(live.fresh()).rejects.toThrow('closed');
    clock += 5_000;
    live.notify(7);
    expect(builder.builds).toHaveLength(2);
    expect(live.current().size).toBe(1);
  });
});
