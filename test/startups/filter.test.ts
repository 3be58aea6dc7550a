import { describe, expect, it } from 'vitest';
import { normalizeHandle } from '../../src/startups/filter.ts';

describe('normalizeHandle', () => {
  it('ignores case and one leading @', () => {
    expect(normalizeHandle('@Ada_Lovelace')).toBe('ada_lovelace');
    expect(normalizeHandle('@@ada')).toBe('@ada');
  });

  it('leaves letters alone that no handle has, though some fold to ones it has', () => {
    expect(normalizeHandle('\u212Aay')).toBe('\u212Aay');
  });
});
