import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, serve, testDirectory } from './process.ts';

const POLICY = '# Our policy\n\nVersion: 2026-12-01\n\n1. **Be fair.** Ask [us](mailto:us@acme.example).\n';

/** The errors of a start with these settings and files. */
async function startErrors(env: Record<string, string>, files: Record<string, string> = {}) {
  const cwd = testDirectory();
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(cwd, name), content);
  }
  const ended = await run(['serve'], { cwd, env: { DATA_DIR: 'data', PORT: '0', ...env } });
  expect([ended.code, ended.stdout, existsSync(join(cwd, 'data'))]).toEqual([1, '', false]);
  return ended.stderr.trimEnd().split('\n');
}

describe('a start with files of the service', () => {
  it('rejects HTML, images and links that are no addresses in a policy, and a logo that is no image, before it writes anything', async () => {
    const odd = ['<script>alert(1)</script>', '[x](javascript:alert(2))', '![y](https://a.example/y.png)'];
    const errors = await startErrors(
      { POLICY_FILE: 'policy.md', SERVICE_LOGO: 'logo.svg' },
      { 'policy.md': `${POLICY}\n${odd.join('\n\n')} <b>z</b>\n`, 'logo.svg': '<html><svg></svg></html>' },
    );
    const allowed = 'allowed: Markdown without HTML and images, with http, https and mailto links.';
    expect(errors).toEqual([
      'revgate: SERVICE_LOGO: logo.svg is neither an SVG nor a PNG image.',
      ...[...odd, '<b>', '</b>'].map((one) => `revgate: POLICY_FILE: policy.md has "${one}", ${allowed}`),
    ]);
  });

  it('names a file that is missing, and a policy without a version', async () => {
    const logo = { SERVICE_LOGO: 'logo.png' };
    const unversioned = { 'policy.md': '# Rules' };
    expect(await startErrors({ ...logo, POLICY_FILE: 'policy.md' }, unversioned)).toEqual([
      'revgate: policy.md has no line "Version: YYYY-MM-DD" among its first 5: add the day from which it applies.',
      'revgate: No such file: logo.png. Check its path and the current directory.',
    ]);
    expect(await startErrors(logo, { 'logo.png': '\0'.repeat(300_000) })).toEqual([
      'revgate: SERVICE_LOGO: logo.png is larger than 256 kB. Use a smaller image.',
    ]);
  });

  it('shows them, and asks who creates a key to accept this policy', async () => {
    const cwd = testDirectory();
    writeFileSync(join(cwd, 'policy.md'), POLICY);
    const env = { DATA_DIR: 'data', SERVICE_NAME: 'Acme', POLICY_FILE: 'policy.md' };
    const served = await serve(env, { cwd });
    const page = await (await fetch(`${served.url}/policy`, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain('<title>Acceptable-use policy · Acme</title>');
    expect(page).toContain('<a href="mailto:us@acme.example">us</a>');
    const create = ['keys', 'create', '--name', 'a', '--tier', 'standard'];
    const refused = await run(create, { cwd, env });
    expect(refused.stderr).toContain('Read version 2026-12-01 in policy.md or at /policy');
    await run([...create, '--accept-policy'], { cwd, env });
    const { stdout } = await run(['audit', '--json', '--limit', '1'], { cwd, env });
    expect(JSON.parse(stdout)).toMatchObject([{ details: { policyVersion: '2026-12-01' } }]);
    expect(await served.stop()).toBe(0);

    writeFileSync(join(cwd, 'policy.md'), POLICY.replace('fair', 'kind'));
    expect((await run(['serve'], { cwd, env: { ...env, PORT: '0' } })).stderr).toBe(
      'revgate: policy.md differs from the recorded text of version 2026-12-01: a changed policy needs a new version.\n',
    );
  });
});
