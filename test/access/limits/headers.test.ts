import { describe, expect, it } from 'vitest';
import { addRateLimit, resetTime } from '../../../src/access/limits/responses.ts';

const state = {
  tier: 'standard' as const,
  admitted: true,
  limit: 10,
  remaining: 9,
  before: 10,
  resetAt: 1_700_000_041_001,
  cost: 1,
};

describe('the limit headers', () => {
  it.each([
    ['the time until the reset', 1_700_000_000_000, '42', '"default";r=0;t=42'],
    // The clock that counts is ahead.
    ['at most a window', state.resetAt - 3_600_000, '60', '"default";r=0;t=60'],
    ['at least a second', state.resetAt + 5, '1', '"default";r=0;t=0'],
  ])('tell a rejected client to wait %s', (_wait, now, retryAfter, rateLimit) => {
    const refused = { ...state, admitted: false, remaining: 0 };
    const headers: string[] = [];
    addRateLimit(refused, now, headers);
    expect(headers.slice(-4)).toEqual(['RateLimit', rateLimit, 'Retry-After', retryAfter]);
  });
});

describe('the reset time', () => {
  it('is rounded up to the second of the header', () => {
    expect(resetTime(1_700_000_041_001)).toBe('2023-11-14T22:14:02.000Z');
    expect(resetTime(1_700_000_042_000)).toBe('2023-11-14T22:14:02.000Z');
  });
});
