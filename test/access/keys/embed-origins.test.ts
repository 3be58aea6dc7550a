import { describe, expect, it } from 'vitest';
import { originErrors } from '../../../src/access/keys/embed-origins.ts';

const EXPECTED =
  'allowed: scheme://host[:port] as browsers send it, with https, or with http on this machine, such as https://example.com';

describe('origins of an embed key', () => {
  const refusal = (origin: string, hint = '') => `Origin: got ${JSON.stringify(origin)}, ${EXPECTED}${hint}.`;

  it('are those of pages that cannot be forged on the network, as browsers send them', () => {
    const allowed = ['https://example.com', 'https://xn--bcher-kva.example', 'http://localhost:3000'];
    expect(originErrors([...allowed, 'http://[::1]:5173'])).toEqual([]);
  });

  it.each([
    ['https://example.com/', 'https://example.com'],
    ['https://Example.com', 'https://example.com'],
    ['https://example.com:443', 'https://example.com'],
    ['https://example.com/page?a#b', 'https://example.com'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://me:secret@example.com', 'https://example.com'],
  ])('%s may not be one, and is told what it may mean', (origin, meant) => {
    expect(originErrors([origin])).toEqual([refusal(origin, ` (did you mean ${meant}?)`)]);
  });

  it('with other letters are read however many were read before', () => {
    const told = Array.from({ length: 20_000 }, () => originErrors(['https://bücher.example'])[0]);
    expect(new Set(told)).toEqual(new Set([expect.stringContaining('https://xn--bcher-kva.example')]));
  });

  it.each([
    'http://example.com',
    'http://localhost.example.com',
    'https://*.example.com',
    'example.com',
    '*',
    '',
    'chrome-extension://abcdefgh',
    `https://${'a'.repeat(300)}.example`,
  ])('%s may not', (origin) => {
    expect(originErrors([origin])).toEqual([expect.stringContaining(EXPECTED)]);
    expect(originErrors([origin])[0]).not.toContain('mean');
  });

  it('are 1 to 20', () => {
    const many = Array.from({ length: 21 }, (_, i) => `https://${i}.example.com`);
    expect(originErrors([])).toEqual([
      'Origins: none given. Enter the origin of each page, such as https://example.com.',
    ]);
    expect(originErrors(many)).toEqual(['Origins: got 21, allowed: 1 to 20.']);
  });
});
