import { describe, expect, it } from 'vitest';
import { defaultSort, filterKey, normalizeHandle } from '../../src/startups/filter.ts';

describe('normalizeHandle', () => {
  it('ignores case and one leading @', () => {
    expect(normalizeHandle('@Ada_Lovelace')).toBe('ada_lovelace');
    expect(normalizeHandle('@@ada')).toBe('@ada');
  });

  it('leaves letters alone that no handle has, though some fold to ones it has', () => {
    expect(normalizeHandle('\u212Aay')).toBe('\u212Aay');
  });
});

describe('defaultSort', () => {
  it('is best-deal for startups on sale and revenue-desc for all others', () => {
    expect(defaultSort({ onSale: true })).toBe('best-deal');
    expect(defaultSort({ onSale: false })).toBe('revenue-desc');
    expect(defaultSort({})).toBe('revenue-desc');
  });
});

describe('filterKey', () => {
  it('is the same for filters that ask the same', () => {
    expect(filterKey({ category: 'ai', minMrr: 1, maxMrr: undefined })).toBe(
      filterKey({ minMrr: 1, category: 'ai' }),
    );
    expect(filterKey({ xHandle: '@Ada' })).toBe(filterKey({ xHandle: 'ada' }));
    expect(filterKey({ countries: ['US', 'DE', 'US'] })).toBe(filterKey({ countries: ['DE', 'US'] }));
  });

  it('differs for filters that ask something else', () => {
    const filters = [
      {},
      { onSale: true },
      { onSale: false },
      { minMrr: 1 },
      { maxMrr: 1 },
      { countries: [] },
    ] as const;
    expect(new Set(filters.map(filterKey)).size).toBe(filters.length);
  });
});
