import { describe, expect, it } from 'vitest';
import { createTextStore, type StoredText } from '../../src/rest/text-store.ts';

interface Text extends StoredText {
  readonly key: number;
  readonly start: number;
  readonly end: number;
}

function open(capacity: number) {
  const dropped: number[] = [];
  const store = createTextStore<Text>({ capacity, onDrop: ({ key }) => dropped.push(key) });
  const add = (key: number, text: string): Text =>
    store.add(key, text, (bytes, start) => ({
      ...{ bytes, key, start },
      end: start + Buffer.byteLength(text),
    }));
  const read = (text: Text | undefined): string | undefined =>
    text?.bytes.toString('utf8', text.start, text.end);
  return { add, read, dropped, get: (key: number) => read(store.get(key)) };
}

describe('texts', () => {
  it('are kept as they are, the last one of a number', () => {
    const { add, get } = open(10_000);
    add(1, 'Zürich 🚀');
    add(2, '');
    add(1, 'München');
    expect([get(1), get(2), get(3)]).toEqual(['München', '', undefined]);
  });

  it('give way, oldest first, and stay whole for whom has them', () => {
    const { add, read, get, dropped } = open(1_600);
    const first = add(0, 'zero'.padEnd(90, '.'));
    for (let key = 1; key <= 40; key += 1) {
      add(key, String(key).padEnd(90, '.'));
    }
    expect(dropped).toEqual(Array.from({ length: dropped.length }, (_, key) => key));
    expect(40 - dropped.length).toBeLessThan(17);
    expect(40 - dropped.length).toBeGreaterThan(10);
    expect([get(0), get(40)]).toEqual([undefined, '40'.padEnd(90, '.')]);
    expect(read(first)).toBe('zero'.padEnd(90, '.'));
  });

  it('that were stored again stay when the memory of the first time is given up', () => {
    const { add, get, dropped } = open(1_600);
    for (let key = 1; key <= 15; key += 1) {
      add(key, 'old'.padEnd(90, '.'));
    }
    add(1, 'new');
    for (let key = 16; key <= 20; key += 1) {
      add(key, 'more'.padEnd(90, '.'));
    }
    expect(get(1)).toBe('new');
    expect(dropped).not.toContain(1);
    expect(dropped).toContain(2);
  });

  it('that are too large are not kept, and nothing where there is no room', () => {
    for (const [capacity, text] of [
      [1_600, 'x'.repeat(101)],
      [0, 'x'],
    ] as const) {
      const { add, read, get } = open(capacity);
      expect(read(add(1, text))).toBe(text);
      expect(get(1)).toBeUndefined();
    }
  });
});
