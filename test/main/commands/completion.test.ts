import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { only } from '../../support/only.ts';
import { run } from './process.ts';

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;
const scriptOf = async (shell: string): Promise<string> => {
  const { code, stdout, stderr } = await run(['completion', shell]);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
};

const cases: [line: string, candidates: string[]][] = [
  ['revgate ke', ['keys']],
  ['revgate keys re', ['revoke']],
  ['revgate keys create --em', ['--embed']],
  ['revgate import --dry-run --as', ['--as-of']],
  ['revgate documents publish a.json --da', ['--data-dir']],
  ["revgate keys create --tier ''", ['standard', 'premium']],
  ['revgate keys create --tier prem', ['premium']],
  ['revgate keys tier key_0123456789AB st', ['standard']],
  ['revgate completion z', ['zsh']],
];

/** Where any file fits: a shell offers files if it gets no candidates. */
const files = [
  "revgate import ''",
  "revgate import a.csv ''",
  "revgate import --rejects ''",
  "revgate restore ''",
  "revgate serve --data-dir ''",
];

describe('completion', () => {
  only(has('bash'), 'bash').it('in bash gives the words that fit', async () => {
    const script = await scriptOf('bash');
    for (const [line, candidates] of cases) {
      const ask = `COMP_WORDS=(${line}); COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 )); _revgate; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { stdout, stderr } = spawnSync('bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' });
      expect([stderr, stdout.trimEnd().split('\n')], line).toEqual(['', candidates]);
    }
    for (const line of files) {
      const ask = `COMP_WORDS=(${line}); COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 )); _revgate; echo "\${#COMPREPLY[@]}"`;
      expect(spawnSync('bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' }).stdout, line).toBe('0\n');
    }
  });

  only(has('zsh'), 'zsh').it('in zsh gives the words that fit', async () => {
    const script = await scriptOf('zsh');
    // Of zsh's completion, only what the script calls.
    const around = `compdef() {}; _describe() { print -rl -- "\${(@P)2}" }; _files() { echo files };`;
    for (const [line, candidates] of cases) {
      const ask = `words=(${line}); CURRENT=$#words; _revgate`;
      const { stdout, stderr } = spawnSync('zsh', ['-fc', `${around}\n${script}\n${ask}`], {
        encoding: 'utf8',
      });
      const words = stdout.split('\n').map((text) => text.replace(/:.*/, ''));
      const typed = line.slice(line.lastIndexOf(' ') + 1).replaceAll("'", '');
      expect([stderr, words.filter((word) => word !== '' && word.startsWith(typed))], line).toEqual([
        '',
        candidates,
      ]);
    }
  });

  only(has('zsh'), 'zsh').it('in zsh gives files where a file is meant', async () => {
    const script = await scriptOf('zsh');
    for (const line of files) {
      const ask = `compdef() {}; _files() { echo files };\n${script}\nwords=(${line}); CURRENT=$#words; _revgate`;
      expect(spawnSync('zsh', ['-fc', ask], { encoding: 'utf8' }).stdout, line).toBe('files\n');
    }
  });

  only(has('fish'), 'fish').it('in fish gives the words that fit', async () => {
    const script = await scriptOf('fish');
    for (const [line, candidates] of cases) {
      const ask = `complete -C "${line.replace("''", '')}"`;
      const { stdout, stderr } = spawnSync('fish', ['-c', `${script}\n${ask}`], { encoding: 'utf8' });
      const words = stdout
        .trimEnd()
        .split('\n')
        .map((text) => text.split('\t')[0]);
      expect([stderr, words.sort()], line).toEqual(['', [...candidates].sort()]);
    }
  });

  only(has('fish'), 'fish').it('in fish gives files where a file is meant', async () => {
    const script = await scriptOf('fish');
    for (const line of files) {
      const ask = `cd ${import.meta.dirname}; complete -C "${line.replace("''", '')}"`;
      const { stdout } = spawnSync('fish', ['-c', `${script}\n${ask}`], { encoding: 'utf8' });
      expect(stdout, line).toMatch(line.includes('--data-dir') ? /\n|^$/ : /completion\.test\.ts/);
    }
  });

  it('in every shell knows every command and option', async () => {
    const scripts = await Promise.all(['bash', 'zsh', 'fish'].map(scriptOf));
    for (const script of scripts) {
      for (const word of [
        '/keys/rotate',
        '/documents/publish',
        '/accounts/promote',
        'overlap',
        'accept-policy',
      ]) {
        expect(script).toContain(word);
      }
    }
  });
});
