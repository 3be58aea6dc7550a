import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readWebsite, writeWebsite } from '../../../src/startups/model/website.ts';
import { runs } from '../../support/runs.ts';

it.each([
  ['https://www.acme.io/pricing?x=1', 'acme.io/pricing'],
  ['ftp://Acme.IO:21/', 'acme.io'],
  ['https://acme.io./', 'acme.io'],
  ['https://münchen.de/Straße', 'xn--mnchen-3ya.de/stra%c3%9fe'],
  ['www.com', 'www.com'],
  ['localhost:3000/a/../b', 'localhost/b'],
])('reads %s as %s', (text, website) => {
  const read = readWebsite(text);
  expect(read && writeWebsite(read)).toBe(website);
});

it.each(['', '/', 'https://', 'http://.', 'mailto:me@acme.io', 'https://me@acme.io'])(
  'finds no host in %j',
  (text) => {
    expect(readWebsite(text)).toBeUndefined();
  },
);

const label = fc.stringMatching(/^[a-zA-Z\d]([a-zA-Z\d-]{0,5}[a-zA-Z\d])?$/);
const host = fc
  .array(fc.oneof(label, fc.constantFrom('münchen', '東京', 'www')), { minLength: 1, maxLength: 3 })
  .map((labels) => [...labels, 'example'].join('.'));
const path = fc.array(
  fc.oneof(fc.stringMatching(/^[\w.~%-]{1,6}$/), fc.constantFrom('é', '..', '%2e', ' ')),
  { maxLength: 4 },
);

it('reads any URL as a parser of URLs does, and what it writes as the same', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('', 'https://', 'HTTP://', '//'),
      fc.constantFrom('', 'www.', 'WWW.'),
      host,
      fc.constantFrom('', ':80', ':8080'),
      path,
      fc.constantFrom('', '/', '?a=/b', '#c', '/?a#b'),
      (scheme, www, host, port, names, end) => {
        const address = `${host}${port}/${names.join('/')}${end}`;
        fc.pre(URL.canParse(`https://${address}`));
        const { hostname, pathname } = new URL(`https://${address}`);
        const read = readWebsite(`${scheme}${www}${address}`);
        const expected = {
          host: hostname.replace(/^www\.(?=.+\.)/, ''),
          path: pathname.toLowerCase().replace(/\/+$/, ''),
        };
        // With www. twice, only one of them is ignored.
        fc.pre(!/^(www\.){2}.+\./i.test(www + hostname));
        expect(read).toEqual(expected);
        expect(readWebsite(writeWebsite(expected))).toEqual(expected);
      },
    ),
    runs(300),
  );
});
