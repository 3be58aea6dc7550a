import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

describe.each(['crawl.mjs', 'mirror.mjs'])('examples/%s', (name) => {
  const script = fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [script, ...args], { env: {}, encoding: 'utf8' });

  it.each(['--help', '-h'])('prints its help with %s', (option) => {
    const { status, stdout, stderr } = run(option);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`REVGATE_KEY=rvg_… node examples/${name}`);
  });

  it('says in one line that it needs a key', () => {
    const { status, stderr } = run(name === 'crawl.mjs' ? '{}' : 'copy.ndjson');
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^(INVALID_OPTIONS: )?Invalid options of createClient; key: missing.*\n$/),
    ]);
  });
});
