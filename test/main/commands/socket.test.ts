import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { only } from '../../support/only.ts';
import { isRoot, runBuilt } from './built-command.ts';
import { serve, testDirectory } from './process.ts';

const path = testDirectory();
const directory = join(path, 'data');
const socket = join(directory, '.s.PGSQL.5432');
await serve({ DATA_DIR: directory });

const asNobody = (command: string) =>
  spawnSync('su', ['nobody', '-s', '/bin/sh', '-c', command], { encoding: 'utf8', cwd: '/' });
const canSwitch = isRoot && existsSync('/bin/sh') && asNobody('true').status === 0;

only(canSwitch, 'root and su').it(
  'refuses another user of the machine, even where the directory lets him in',
  () => {
    const attempt = `
    require('node:net').connect('${socket}')
      .on('connect', () => { console.log('connected'); process.exit(); })
      .on('error', ({ code }) => console.log(code));`;
    const connect = () => asNobody(`'${process.execPath}' -e "${attempt}"`).stdout.trim();
    expect(connect()).toBe('EACCES');
    chmodSync(path, 0o755);
    chmodSync(directory, 0o755);
    expect(connect()).toBe('EACCES');
    chmodSync(directory, 0o700);
  },
);

only(isRoot, 'root').it('says to a command of another user whose database it is', async () => {
  expect(await runBuilt(['keys', 'list'], { env: { DATA_DIR: directory }, uid: 65_534 })).toEqual({
    code: 1,
    stdout: '',
    stderr: `revgate: This user may not use the data directory ${directory}: run the command as the user who owns it, or set DATA_DIR to another directory.\n`,
  });
});
