import { describe, expect, it } from 'vitest';
import { copyOf, createByteStore, makeRoom, type Room } from '../src/byte-store.ts';

function open(capacity: number) {
  const dropped: [key: number, text: string][] = [];
  const read = ({ bytes, numbers, start }: Room): string =>
    bytes.toString('utf8', start + 8, start + 8 + (numbers[start / 8] as number));
  const store = createByteStore({ capacity, onDrop: (key, room) => dropped.push([key, read(room)]) });
  const write = (text: string): [room: Room, size: number] => {
    const size = Buffer.byteLength(text);
    const room = makeRoom(8 + size);
    room.numbers[room.first] = size;
    room.bytes.write(text, room.start + 8);
    return [room, 8 + size];
  };
  const add = (key: number, text: string): boolean => store.put(key, ...write(text));
  const get = (key: number): string | undefined => {
    const room = store.find(key);
    return room && read(room);
  };
  return { write, add, read, dropped, get, store };
}

describe('entries', () => {
  it('are kept as they are, the last one of a number', () => {
    const { add, get } = open(10_000);
    add(1, 'Zürich 🚀');
    add(2, '');
    add(1, 'München');
    expect([get(1), get(2), get(3)]).toEqual(['München', '', undefined]);
  });

  it('give way, oldest first, and stay whole in a copy', () => {
    const { add, read, get, store, dropped } = open(1_600);
    add(0, 'zero'.padEnd(80, '.'));
    const first = copyOf(store.find(0) as Room, 88);
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
      const { add, get, dropped } = open(capacity);
      expect([add(1, text), get(1), dropped]).toEqual([false, undefined, []]);
    }
  });

  it('take the memory of those that gave way, and no more', () => {
    const { add, store } = open(1_600);
    const memory = new Set<ArrayBufferLike>();
    for (let key = 0; key < 1_000; key += 1) {
      add(key, 'x'.repeat(80));
      memory.add((store.find(key) as Room).bytes.buffer);
    }
    expect(memory.size).toBe(16);
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

describe('rooms', () => {
  it('are of one entry alone, small or large, and begin where numbers may', () => {
    const { write, read } = open(0);
    const texts = Array.from({ length: 3_000 }, (_, key) =>
      `${key}`.padEnd(key % 500 === 7 ? 70_000 : 83, '.'),
    );
    const rooms = texts.map((text) => write(text)[0]);
    expect(rooms.map(read)).toEqual(texts);
    expect(rooms.every(({ start, first }) => start === first * 8)).toBe(true);
  });
});
