import { describe, expect, it } from 'vitest';
import { createBoundedMap } from '../../src/keys/bounded-map.ts';

describe('a bounded map', () => {
  it('never holds more than its capacity', () => {
    const map = createBoundedMap<number>(100);
    let largest = 0;
    for (let i = 0; i < 10_000; i += 1) {
      map.set(String(i), i);
      map.get(String(i % 70));
      largest = Math.max(largest, map.size);
    }
    expect(largest).toBeGreaterThan(10);
    expect(largest).toBeLessThanOrEqual(100);
  });

  it('keeps what is used and forgets what is not', () => {
    const map = createBoundedMap<number>(10);
    map.set('used', 1);
    map.set('idle', 2);
    for (let i = 0; i < 100; i += 1) {
      map.set(String(i), i);
      expect(map.get('used')).toBe(1);
    }
    expect(map.get('idle')).toBeUndefined();
  });

  it('holds one value for a key', () => {
    const map = createBoundedMap<number>(4);
    for (const [key, value] of [
      ['a', 1],
      ['b', 2],
      ['c', 3],
      ['a', 4],
    ] as const) {
      map.set(key, value);
    }
    expect(map.get('a')).toBe(4);
    expect(Object.fromEntries(map.entries())).toEqual({ a: 4, b: 2, c: 3 });
    map.delete('a');
    expect(map.get('a')).toBeUndefined();
    map.clear();
    expect(map.size).toBe(0);
  });
});
