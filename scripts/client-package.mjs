// Makes of client/ what the gateway serves: dist/client.js, and dist/revgate-client.tgz, which npm installs. The same
// sources give the same bytes, so that a lock file stays valid.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const client = new URL('../client/', import.meta.url);
const dist = new URL('../dist/', import.meta.url);

// TypeScript looks for types by the extension of the module that it imports, and tsc writes .ts.
rmSync(new URL('dist/print-document.d.ts', client));
for (const name of ['api', 'elements', 'index']) {
  const types = readFileSync(new URL(`dist/${name}.d.ts`, client), 'utf8');
  for (const kind of ['', 'c']) {
    const text = types.replaceAll(/'\.\/(\w+)\.ts'/g, `'./$1.${kind}js'`);
    writeFileSync(new URL(`dist/${name}.d.${kind}ts`, client), text);
  }
}

const files = {
  'package.json': 'package.json',
  'README.md': 'README.md',
  LICENSE: '../LICENSE',
  'bin.js': 'bin.js',
  'react.d.ts': 'react.d.ts',
  'preact.d.ts': 'preact.d.ts',
  ...Object.fromEntries(
    [
      'index.js',
      'index.cjs',
      ...['api', 'elements', 'index'].flatMap((name) => [`${name}.d.ts`, `${name}.d.cts`]),
    ].map((name) => [`dist/${name}`, `dist/${name}`]),
  ),
};

/** The header and the content of one file, in the format ustar. */
function entry(name, content) {
  const header = Buffer.alloc(512);
  const octal = (value, digits) => `${value.toString(8).padStart(digits, '0')}\0`;
  const write = (text, at) => header.write(text, at, 'latin1');
  write(`package/${name}`, 0);
  write(octal(0o644, 7), 100);
  write(octal(0, 7) + octal(0, 7), 108);
  write(octal(content.length, 11), 124);
  // The time that npm itself writes into packages.
  write(octal(Date.UTC(1985, 9, 26, 8, 15) / 1000, 11), 136);
  // The checksum counts its own field as spaces.
  write('        0', 148);
  write('ustar\x0000', 257);
  write(
    octal(
      header.reduce((sum, byte) => sum + byte),
      6,
    ),
    148,
  );
  return Buffer.concat([header, content, Buffer.alloc(-content.length & 511)]);
}

const entries = Object.entries(files).map(([name, path]) => entry(name, readFileSync(new URL(path, client))));
writeFileSync(
  new URL('revgate-client.tgz', dist),
  gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]), { level: 9 }),
);
const { name, version, license } = JSON.parse(readFileSync(new URL('package.json', client), 'utf8'));
const script = readFileSync(new URL('dist/index.js', client), 'utf8');
writeFileSync(new URL('client.js', dist), `/*! ${name} ${version}, ${license} license */\n${script}`);
