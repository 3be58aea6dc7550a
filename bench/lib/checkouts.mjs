// Another commit of the project, built beside this one.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { PROJECT } from './processes.mjs';

/** The directory of a commit, with its own packages; built once. Not here, where tools would check its files as well. */
export function openCheckout(commit) {
  const directory = `${tmpdir()}/revgate-bench-${commit}/`;
  if (!existsSync(`${directory}dist/cli/main.js`)) {
    mkdirSync(directory, { recursive: true });
    const archive = execFileSync('git', ['archive', commit], { cwd: PROJECT, maxBuffer: 1 << 28 });
    execFileSync('tar', ['-x'], { cwd: directory, input: archive });
    // Its lifecycle script builds it.
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: directory, stdio: ['ignore', 2, 2] });
  }
  return directory;
}
