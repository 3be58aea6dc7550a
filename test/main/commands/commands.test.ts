import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import type { CommandEnvironment } from '../../../src/main/command-line/command.ts';
import { createProgram } from '../../../src/main/program.ts';
import { root } from '../../support/suites.ts';
import { run, testDirectory } from './process.ts';

const PAGE = join(root, 'docs/publish/commands.md');
/** What many commands have: the page says it once. */
const COMMON = new Set(['--json', '--data-dir <directory>']);

const { stdout, stderr } = process;
const program = createProgram({ cwd: '.', env: {}, stdout, stderr } as unknown as CommandEnvironment);

/** A command with its options, or those below it. */
function describeCommand(command: Command, words: readonly string[]): string[] {
  const path = [...words, command.name()];
  if (command.commands.length > 0) {
    return command.commands.flatMap((one) => describeCommand(one as Command, path));
  }
  const usage = [
    ...path,
    ...command.registeredArguments.map((one) => {
      const name = `${one.name()}${one.variadic ? '...' : ''}`;
      return one.required ? `<${name}>` : `[${name}]`;
    }),
    ...command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags),
  ].join(' ');
  const options = command.options
    .filter(({ flags, mandatory, hidden }) => !COMMON.has(flags) && !mandatory && !hidden)
    .map(({ flags, description }) => `  - \`${flags}\`: ${description}`);
  const description = (command.summary() || command.description()).replace(/^./, (first) =>
    first.toUpperCase(),
  );
  return [[`- \`${usage}\`: ${description}`, ...options].join('\n')];
}

// Where they differ: npm run generate
it('docs/publish/commands.md has every command as its help describes it', async () => {
  const marked = /(?<=<!-- commands -->\n)[\s\S]*(?=<!-- \/commands -->)/;
  const page = readFileSync(PAGE, 'utf8');
  expect(page).toMatch(marked);
  const list = program.commands.flatMap((one) => describeCommand(one as Command, [])).join('\n');
  await expect(page.replace(marked, () => `\n${list}\n\n`)).toMatchFileSnapshot(PAGE);
});

it('the files of docs/publish/import-format.md are valid imports', async () => {
  const page = readFileSync(join(root, 'docs/publish/import-format.md'), 'utf8');
  const files = [...page.matchAll(/^```csv\n([\s\S]+?)^```$/gm)];
  expect(files).toHaveLength(2);
  const cwd = testDirectory();
  for (const [, text = ''] of files) {
    writeFileSync(join(cwd, 'startups.csv'), text);
    expect(await run(['import', '--dry-run', 'startups.csv'], { cwd })).toMatchObject({ code: 0 });
  }
});
