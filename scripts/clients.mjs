// Installs the packages of test/clients: programs of others that only `npm run test:services` needs.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const directory = new URL('../test/clients/', import.meta.url);
const installed = new URL('node_modules/.installed', directory);
const lock = readFileSync(new URL('package-lock.json', directory), 'utf8');

if (!existsSync(installed) || readFileSync(installed, 'utf8') !== lock) {
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: fileURLToPath(directory),
    stdio: 'inherit',
  });
  if (status !== 0) {
    console.error('Cannot install the packages of test/clients.');
    process.exit(1);
  }
  writeFileSync(installed, lock);
}
