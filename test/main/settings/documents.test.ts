import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { checkConfig } from '../../../src/main/settings/config.ts';
import {
  allSettings,
  exampleEnvironment,
  settings,
  settingsTable,
} from '../../../src/main/settings/settings.ts';
import { root } from '../../support/suites.ts';
import { run } from '../commands/process.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const isSetting = (name: string): boolean => Object.hasOwn(settings, name);
const secrets = allSettings.filter(([, { kind }]) => kind.isSecret).map(([name]) => name);

// Where they differ: npm run generate
describe('the documentation of settings', () => {
  it('in docs/publish/settings.md is the table of the code', async () => {
    const page = read('docs/publish/settings.md');
    const marked = /(?<=<!-- settings -->\n)[\s\S]*(?=<!-- \/settings -->)/;
    expect(page).toMatch(marked);
    const written = page.replace(marked, () => `\n${settingsTable()}\n\n`);
    await expect(written).toMatchFileSnapshot(join(root, 'docs/publish/settings.md'));
  });

  it('in .env.example follows from the code', async () => {
    const head =
      '# Settings of a production server behind one proxy. Load them with your process manager, or with\n' +
      '# set -a; . ./.env; npx revgate serve\n\n';
    await expect(head + exampleEnvironment()).toMatchFileSnapshot(join(root, '.env.example'));
  });

  it('in the help of serve names every setting', async () => {
    const { stdout } = await run(['serve', '--help']);
    expect(allSettings.filter(([name]) => !stdout.includes(`\n  ${name} `))).toEqual([]);
  });
});

describe('.env.example', () => {
  const text = read('.env.example');

  it('is valid as it is, and with every default in it', () => {
    expect(checkConfig(parseEnv(text)).errors).toEqual([]);
    expect(checkConfig(parseEnv(text.replace(/^#(?=[A-Z_]+=)/gm, ''))).errors).toEqual([]);
  });
});

it('compose.yaml sets only settings that exist', () => {
  const [service = ''] = /^ {2}revgate:\n[\s\S]+?\n\n/m.exec(read('compose.yaml')) ?? [];
  const names = [...service.matchAll(/^ {6}([A-Z_]+): .+$/gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(2);
  expect(names.filter((name) => !isSetting(name))).toEqual([]);
});

it('never shows an invalid secret', () => {
  const invalid = Object.fromEntries(secrets.map((name) => [name, 'hunter2 ']));
  const messages = checkConfig(invalid).errors.map(({ message }) => message);
  expect(messages.length).toBeGreaterThanOrEqual(5);
  expect(messages.filter((message) => message.includes('hunter2'))).toEqual([]);
});
