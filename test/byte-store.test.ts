import { describe, expect, it } from 'vitest';
import { createByteStore, type Room } from '../src/byte-store.ts';

function open(capacity: number) {
  const dropped: [key: number, text: string][] = [];
  const read = ({ bytes, numbers, start }: Room): string =>
    bytes.toString('utf8', start + 8, start + 8 + (numbers[start / 8] as number));
  const store = createByteStore({ capacity, onDrop: (key, room) => dropped.push([key, read(room)]) });
  const add = (key: number, text: string): Room => {
    const size = Buffer.byteLength(text);
    const room = store.add(key, 8 + size);
    room.numbers[room.start / 8] = size;
    room.bytes.write(text, room.start + 8);
    return room;
  };
  const get = (key: number): string | undefined => {
    const room = store.find(key);
    return room && read(room);
  };
  return { add, read, dropped, get, store };
}

describe('entries', () => {
  it('are kept as they are, the last one of a number', () => {
    const { add, get } = open(10_000);
    add(1, 'Zürich 🚀');
    add(2, '');
    add(1, 'München');
    expect([get(1), get(2), get(3)]).toEqual(['München', '', undefined]);
  });

  it('give way, oldest first, and stay whole for whom has them', () => {
    const { add, read, get, dropped } = open(1_600);
    const first = add(0, 'zero'.padEnd(80, '.'));
    for (let key = 1; key <= 40; key += 1) {
      add(key, String(key).padEnd(80, '.'));
    }
    const [, ...later] = dropped;
    expect(dropped[0]).toEqual([0, 'zero'.padEnd(80, '.')]);
    expect(later).toEqual(later.map((_, index) => [index + 1, String(index + 1).padEnd(80, '.')]));
    expect(40 - later.length).toBeLessThan(19);
    expect(40 - later.length).toBeGreaterThan(10);
    expect([get(0), get(40)]).toEqual([undefined, '40'.padEnd(80, '.')]);
    expect(read(first)).toBe('zero'.padEnd(80, '.'));
  });

  it('that were stored again stay when the memory of the first time is given up', () => {
    const { add, get, dropped } = open(1_600);
    for (let key = 1; key <= 15; key += 1) {
      add(key, 'old'.padEnd(80, '.'));
    }
    add(1, 'new');
    for (let key = 16; key <= 20; key += 1) {
      add(key, 'more'.padEnd(80, '.'));
    }
    expect(get(1)).toBe('new');
    const keys = dropped.map(([key]) => key);
    expect(keys).not.toContain(1);
    expect(keys).toContain(2);
  });

  it('that are too large are not kept, and nothing where there is no room', () => {
    for (const [capacity, text] of [
      [1_600, 'x'.repeat(101)],
      [100, 'x'],
      [0, 'x'],
    ] as const) {
      const { add, read, get } = open(capacity);
      expect(read(add(1, text))).toBe(text);
      expect(get(1)).toBeUndefined();
    }
  });

  it('that are not kept stay whole for whoever refers to them', () => {
    const { add, read, dropped } = open(0);
    const rooms = Array.from({ length: 3_000 }, (_, key) => add(key, `${key}`.padEnd(80, '.')));
    expect(rooms.map(read)).toEqual(rooms.map((_, key) => `${key}`.padEnd(80, '.')));
    expect(dropped).toEqual([]);
  });

  it('that were removed are gone, and give way without a word', () => {
    const { add, get, store, dropped } = open(1_600);
    add(1, 'one');
    store.remove(1);
    expect(get(1)).toBeUndefined();
    for (let key = 2; key <= 40; key += 1) {
      add(key, 'more'.padEnd(80, '.'));
    }
    expect(dropped.map(([key]) => key)).not.toContain(1);
  });

  it('tell before whether others would give way', () => {
    const { add, store, dropped } = open(1_600);
    let key = 0;
    while (!store.wouldDrop(88)) {
      key += 1;
      add(key, 'x'.repeat(80));
    }
    expect([key, dropped]).toEqual([16, []]);
    expect([store.wouldDrop(101), open(0).store.wouldDrop(1)]).toEqual([false, false]);
    add(17, 'x'.repeat(80));
    expect(dropped).toHaveLength(1);
  });

  it('that have become too large take the earlier ones with them', () => {
    const { add, get } = open(1_600);
    add(1, 'small');
    add(1, 'x'.repeat(101));
    expect(get(1)).toBeUndefined();
  });
});
