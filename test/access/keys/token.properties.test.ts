import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  displayPrefix,
  generateToken,
  hashToken,
  isWellFormed,
  parseBearer,
} from '../../../src/access/keys/token.ts';
import { BASE62, randomBase62 } from '../../../src/lib/text/base62.ts';
import { expectCheap } from '../../support/cost.ts';

// Computed apart from the code.
const token = 'rvg_k7Qp2ZsW9xYvB3nMa8RtLc5HdJf6GeUo0CMF73';
const zeros = 'rvg_000000000000000000000000000000002wjyrI';

/** CRC-32 bit by bit, as the standard defines it. */
function slowCrc(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
  }
  return ~crc >>> 0;
}

/** Base 62 by long division of a BigInt. */
function slowBase62(value: number): string {
  let digits = '';
  for (let rest = BigInt(value); rest > 0n; rest /= 62n) {
    digits = BASE62[Number(rest % 62n)] + digits;
  }
  return digits.padStart(6, '0');
}

describe('a generated key', () => {
  it.each([
    ['secret', 'rvg_'],
    ['embed', 'rvg_pub_'],
  ] as const)('that is %s is %s, 32 characters and the checksum of those', (kind, prefix) => {
    for (let i = 0; i < 100; i += 1) {
      const key = generateToken(randomBytes, kind);
      expect(key).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{38}$`));
      expect(key.slice(-6)).toBe(slowBase62(slowCrc(key.slice(-38, -6))));
      expect([isWellFormed(key), parseBearer(`Bearer ${key}`)]).toEqual([true, key]);
      expect(displayPrefix(key)).toBe(key.slice(0, prefix.length + 4));
    }
  });

  it('rejects bytes that would favour some digits', () => {
    const bytes = [248, 249, 255, 0, 61, 62, 247];
    const source = (size: number) => Uint8Array.from(bytes.splice(0, size));
    expect(randomBase62(4, source)).toBe('0z0z');
  });

  it('is stored as its SHA-256', () => {
    expect(hashToken(token)).toEqual(createHash('sha256').update(token).digest());
  });
});

describe('the shape of a key', () => {
  it('accepts known vectors', () => {
    expect(slowCrc('123456789')).toBe(0xcbf43926);
    expect(isWellFormed(token)).toBe(true);
    expect(isWellFormed(zeros)).toBe(true);
  });

  it('finds every single typo', () => {
    fc.assert(
      fc.property(fc.nat(37), fc.constantFrom(...BASE62), (place, digit) => {
        const at = 4 + place;
        const typo = token.slice(0, at) + digit + token.slice(at + 1);
        expect(isWellFormed(typo)).toBe(typo === token);
      }),
    );
  });

  it.each([
    '',
    `${token}0`,
    `${token}\n`,
    `RVG_${token.slice(4)}`,
    `rvg_pub_${token.slice(4, -1)}`,
    `rvg_pub_rvg_${token.slice(8)}`,
    `rvg_pub${token.slice(4)}`,
    // A longer one whose checksum is right.
    `rvg_${'0'.repeat(33)}${slowBase62(slowCrc('0'.repeat(33)))}`,
  ])('refuses %j', (text) => {
    expect(isWellFormed(text)).toBe(false);
  });
});

describe('an Authorization header', () => {
  it.each([
    undefined,
    'Bearer ',
    token,
    `Basic ${token}`,
    `Bearer\t${token}`,
    ` Bearer ${token}`,
    `Bearer ${token},Bearer ${token}`,
    `Bearer ${token.slice(0, -1)}\u0000`,
  ])('gives nothing for %j', (header) => {
    expect(parseBearer(header)).toBeUndefined();
  });

  it('is refused at once when it is huge', async () => {
    const parse = (length: number): (() => void) => {
      const header = `Bearer ${'x'.repeat(length)}`;
      return () => {
        for (let i = 0; i < 1_000; i += 1) {
          parseBearer(header);
        }
      };
    };
    // Ten thousand times as long, and no more work.
    await expectCheap(parse(10_000_000), parse(1_000), 20);
  });
});
