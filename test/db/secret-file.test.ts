import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keepSecret } from '../../src/db/secret-file.ts';
import { testDirectory } from '../main/commands/process.ts';

it('a secret is made once, long and random, and only its owner can read it', async () => {
  const directory = join(testDirectory(), 'new');
  const secret = await keepSecret(directory);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(await keepSecret(directory)).toBe(secret);
  const file = join(directory, 'auth-secret');
  expect(readFileSync(file, 'utf8')).toBe(secret);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await keepSecret(join(directory, 'other'))).not.toBe(secret);
});

it('a database in memory has one of its own', async () => {
  expect(await keepSecret(undefined)).not.toBe(await keepSecret(undefined));
});

it.each(['', 'short', `${'x'.repeat(40)} y`])(
  'a file that holds %j is refused, not replaced',
  async (text) => {
    const directory = testDirectory();
    writeFileSync(join(directory, 'auth-secret'), text);
    await expect(keepSecret(directory)).rejects.toThrow(/auth-secret must hold 32 to 256 letters/);
    expect(readdirSync(directory)).toEqual(['auth-secret']);
  },
);
