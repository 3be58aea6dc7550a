import { describe, expect, it } from 'vitest';
import { originErrors, readSites } from '../../../src/access/keys/embed-origins.ts';

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
    'https://example.com;',
    'https://example..com',
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

describe('sites as people write them', () => {
  it.each([
    ['example.com', 'https://example.com', 'https://www.example.com'],
    ['www.example.com', 'https://example.com', 'https://www.example.com'],
    ['Example.com/blog', 'https://example.com', 'https://www.example.com'],
    ['example.com:8443', 'https://example.com:8443', 'https://www.example.com:8443'],
    ['bücher.example', 'https://xn--bcher-kva.example', 'https://www.xn--bcher-kva.example'],
    ['https://example.com/blog?a#b', 'https://example.com'],
    ['https://Example.com:443/', 'https://example.com'],
    ['localhost:3000', 'http://localhost:3000'],
    ['http://127.0.0.1:5173/app', 'http://127.0.0.1:5173'],
    ['[::1]:5173', 'http://[::1]:5173'],
    ['192.0.2.7', 'https://192.0.2.7'],
    ['www.com', 'https://www.com', 'https://www.www.com'],
    ['my_site.example', 'https://my_site.example', 'https://www.my_site.example'],
  ])('%s means their origins', (site, ...origins) => {
    expect(readSites(site)).toEqual({ origins, errors: [], isExact: false });
  });

  it('are exact where each is an origin as browsers send it', () => {
    const origins = ['https://example.com', 'https://b.example:8443', 'http://localhost:3000'];
    expect(readSites(origins.join('\r\n'))).toEqual({ origins, errors: [], isExact: true });
    expect(readSites(' ')).toEqual({ origins: [], errors: [], isExact: true });
  });

  it('are separated by lines, commas and spaces, and each origin is one, however often it is meant', () => {
    const { origins } = readSites(' example.com, https://www.example.com/x\r\n\n https://b.example ');
    expect(origins).toEqual(['https://example.com', 'https://www.example.com', 'https://b.example']);
  });

  it.each([
    'http://example.com',
    'ftp://example.com',
    'https://*.example.com',
    '*.example.com',
    '*',
    'example',
    'me@example.com',
    'https://me:secret@example.com',
    'null',
    'example.com;example.org',
    '"example.com"',
    '.com',
    'example..com',
    'example.com.',
    `${'a'.repeat(300)}.example`,
  ])('%s is none, and its error names it and what is allowed', (site) => {
    const { origins, errors } = readSites(`example.com\n${site}`);
    expect(origins).toEqual(['https://example.com', 'https://www.example.com']);
    expect(errors).toEqual([
      expect.stringMatching(/^Site: got ".*, allowed: a domain such as example\.com.* on this machine/),
    ]);
    expect(errors[0]).toContain(JSON.stringify(site).slice(0, 20));
  });

  it('mean only what may be an origin of a key', () => {
    const { origins } = readSites('example.com localhost, https://example.org/a 192.0.2.7');
    expect(originErrors(origins)).toEqual([]);
  });
});
