import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/main/settings/config.ts';
import { testDirectory } from '../main/commands/process.ts';
import { only } from '../support/only.ts';
import { findProgram } from '../support/program.ts';
import { root } from '../support/suites.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const unit = read('deploy/revgate.service');
const directive = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

const { it: itAnalyzes } = only(
  findProgram('systemd-analyze') !== undefined,
  'systemd-analyze: apt-get install systemd',
);

itAnalyzes('deploy/revgate-backup.timer and its service have no error', async () => {
  const directory = testDirectory();
  const files = ['revgate-backup.timer', 'revgate-backup.service'].map((name) => {
    writeFileSync(join(directory, name), read(`deploy/${name}`).replaceAll('/opt/revgate', root));
    return join(directory, name);
  });
  expect(await promisify(execFile)('systemd-analyze', ['verify', ...files])).toMatchObject({
    stdout: '',
    stderr: '',
  });
});

describe('deploy/revgate.service', () => {
  it('waits for a drain and the slowest request', () => {
    const { drainDelay } = readConfig({ HOST: '0.0.0.0', PUBLIC_URL: 'https://api.example.com' });
    const bodyTimeout = Number(/bodyTimeoutMs: (\d+)_000/.exec(read('src/lib/http/node-server.ts'))?.[1]);
    expect(parseInt(directive('TimeoutStopSec'), 10)).toBeGreaterThanOrEqual(drainDelay + bodyTimeout);
  });

  const analyze = findProgram('systemd-analyze');
  const { it: itVerifies } = only(analyze !== undefined, 'systemd-analyze: apt-get install systemd');
  /** Checks the unit, with the launcher of this checkout. */
  const run = (args: string[], text = unit) => {
    const file = join(testDirectory(), 'revgate.service');
    writeFileSync(file, text.replaceAll('/opt/revgate/', root));
    return promisify(execFile)(analyze as string, [...args, file]);
  };

  itVerifies('has no error, and nothing that systemd warns of', async () => {
    expect(await run(['verify'])).toMatchObject({ stdout: '', stderr: '' });
    const { stderr } = await run(['verify'], unit.replace('PrivateTmp=yes', 'PrivatTmp=yes'));
    expect(stderr).toContain("'PrivatTmp'");
  });

  itVerifies('is hardened: systemd counts at most 1.5 of 10 points of exposure', async () => {
    const { stdout } = await run(['security', '--offline=true', '--threshold=15']);
    expect(stdout).toMatch(/Overall exposure level/);
  });
});

it('deploy/revgate@.service is the same, but for the port and the directory of a node', () => {
  const lines = read('deploy/revgate@.service').split('\n');
  const others = unit.split('\n').filter((line) => !lines.includes(line) && !line.startsWith('#'));
  expect(others).toEqual([
    'Description=revgate',
    'Environment=NODE_ENV=production DATA_DIR=/var/lib/revgate',
    'ExecStart=/opt/revgate/bin/revgate serve',
    'StateDirectory=revgate',
  ]);
  expect(lines.filter((line) => line.includes('%i'))).toHaveLength(others.length);
});
