import { beforeEach, describe, expect, it } from 'vitest';
import { type AnswerCache, createAnswerCache } from '../../src/http/answer-cache.ts';

describe('answers', () => {
  let edition: object;
  let made: number;
  let answers: AnswerCache<{ body: string }>;
  const open = (capacity: number) =>
    createAnswerCache<{ body: string }>({ capacity, edition: () => edition });
  const make = async (key: string, body = key) =>
    answers.find(key) ??
    (await answers.make(key, async () => {
      made += 1;
      return { body };
    }));

  beforeEach(() => {
    edition = {};
    made = 0;
    answers = open(100_000);
  });

  it('are kept when asked for again, and given while the data is the same', async () => {
    const asked = ['a', 'a', 'a', 'b'];
    for (const key of asked) {
      expect(await make(key)).toEqual({ body: key });
    }
    expect(made).toBe(3);
    expect([answers.find('a'), answers.find('b')]).toEqual([{ body: 'a' }, undefined]);
    edition = {};
    expect(answers.find('a')).toBeUndefined();
  });

  it('are kept at once in the next edition where they were asked for in this one', async () => {
    await make('a');
    edition = {};
    await make('a');
    expect(answers.find('a')).toBeDefined();
  });

  it('made while the data was replaced are not kept', async () => {
    await make('a');
    await answers.make('a', async () => {
      edition = {};
      return { body: 'of neither' };
    });
    expect(answers.find('a')).toBeUndefined();
  });

  it('that fail, or may not be given again, are not kept', async () => {
    for (let i = 0; i < 2; i += 1) {
      await expect(answers.make('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    }
    expect(answers.find('a')).toBeUndefined();
    const some = createAnswerCache({
      ...{ capacity: 100_000, edition: () => edition },
      keeps: ({ body }: { body: string }) => body !== 'a',
    });
    for (const body of ['a', 'b', 'a', 'b']) {
      expect(await some.make(body, async () => ({ body }))).toEqual({ body });
    }
    expect([some.find('a'), some.find('b')]).toEqual([undefined, { body: 'b' }]);
  });

  it('take no more room than there is, and none of them much of it', async () => {
    for (let i = 0; i < 2; i += 1) {
      await make('large', 'x'.repeat(3_000));
    }
    expect(answers.find('large')).toBeUndefined();
    for (let i = 0; i < 2_000; i += 1) {
      await make(String(i >> 1), 'x'.repeat(1_000));
    }
    const kept = Array.from({ length: 1_000 }, (_, i) => answers.find(String(i))).filter(Boolean);
    expect(kept.length).toBeGreaterThan(50);
    expect(kept.length).toBeLessThan(100);
    expect(answers.find('999')).toBeDefined();
  });

  it('are made each time where nothing may be kept', async () => {
    answers = open(0);
    await make('a');
    await make('a');
    expect(made).toBe(2);
  });
});
