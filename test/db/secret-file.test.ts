import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keepSecret } from '../../src/db/secret-file.ts';
import { testDirectory } from '../cli/process.ts';

it('a secret is made once, long and random, and only its owner can read it', () => {
  const directory = join(testDirectory(), 'new');
  const secret = keepSecret(directory);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(keepSecret(directory)).toBe(secret);
  const file = join(directory, 'auth-secret');
  expect(readFileSync(file, 'utf8')).toBe(secret);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(keepSecret(join(directory, 'other'))).not.toBe(secret);
});

it('a database in memory has one of its own', () => {
  expect(keepSecret(undefined)).not.toBe(keepSecret(undefined));
});
