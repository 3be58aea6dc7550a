import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const file = new URL('../../docs/security.md', import.meta.url);
const rows = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (from|---) /.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

it('every threat has a measure, and tests that exist', () => {
  expect(rows.length).toBeGreaterThan(15);
  for (const [, , threat, measure, tests = ''] of rows) {
    expect(measure, threat).not.toBe('');
    const named = [...tests.matchAll(/\[[\w-]+\]\((\.\.\/test\/[\w/-]+\.test\.ts)\)/g)];
    expect(named.length, threat).toBeGreaterThan(0);
    for (const [, path = ''] of named) {
      expect(existsSync(new URL(path, file)), path).toBe(true);
    }
  }
});

it.each(['proxy headers', 'Host', 'Origin', 'pages', 'socket', 'logs', 'keys', 'documents', 'imports'])(
  'covers %s',
  (from) => {
    expect(rows.some(([, where]) => where === from)).toBe(true);
  },
);
