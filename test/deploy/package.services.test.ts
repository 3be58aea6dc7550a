import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { serveBuilt, servingProcess } from '../main/commands/built-command.ts';
import { testDirectory } from '../main/commands/process.ts';
import { root } from '../support/suites.ts';

const run = promisify(execFile);

/** The tarball, and the files in it. */
async function pack() {
  const directory = testDirectory();
  // Built before: building again here would pull the files from under tests that run beside.
  const packed = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', directory], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  const [{ filename, files }] = JSON.parse(packed.stdout) as [
    { filename: string; files: { path: string }[] },
  ];
  return { tarball: join(directory, filename), paths: files.map(({ path }) => path) };
}

const { tarball, paths } = await pack();

it('has what it needs, and nothing else', () => {
  for (const needed of [
    'client/dist/index.js',
    'dist/main/main.js',
    'dist/db/embedded/template.gz',
    'dist/bundled/better-auth.js',
    'docs/policy.md',
    'schema.graphql',
    'deploy/nginx.conf',
    'deploy/revgate.service',
    'deploy/revgate@.service',
    '.env.example',
    'compose.yaml',
    'Dockerfile',
    'dist/web/site/graphiql/LICENSE',
  ]) {
    expect(paths).toContain(needed);
  }
  const expected =
    /^(assets|bin|client|deploy|dist|docs|examples|prisma\/migrations)\/|^bench\/README.md$|^[\w.]+$/;
  expect(paths.filter((path) => !expected.test(path))).toEqual([]);
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = '']) => path);
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((path) => !paths.includes(path))).toEqual([]);
});

it('has the license of each package in dist/bundled', () => {
  const folder = join(root, 'dist/bundled');
  const licenses = readFileSync(join(folder, 'LICENSES.txt'), 'utf8');
  expect(licenses).toMatch(/^better-auth \d\S+ \(MIT\)\n\n[\s\S]+?Permission is hereby granted/m);
  const scripts = paths.filter((path) => path.startsWith('dist/bundled/') && path.endsWith('.js'));
  // Rolldown says which file each part is from.
  const parts = scripts.flatMap((path) => [
    ...readFileSync(join(root, path), 'utf8').matchAll(/^\/\/ .*node_modules\/((?:@[^/]+\/)?[^/]+)\//gm),
  ]);
  const names = new Set(parts.map(([, name = '']) => name));
  expect(names.size).toBeGreaterThan(5);
  const missing = [...names].filter(
    (name) => !licenses.includes(`\n${name} `) && !licenses.startsWith(`${name} `),
  );
  expect(missing).toEqual([]);
});

const INSTALL_MS = 600_000;

/** Installs the tarball with a version of npm: globally, or into an empty project. */
async function install(npm: string, isGlobal: boolean) {
  const directory = testDirectory();
  writeFileSync(join(directory, 'package.json'), '{"private":true}');
  const where = isGlobal ? ['--global', '--prefix', directory] : [];
  const options = ['--prefer-offline', '--no-audit', '--no-fund', ...where];
  const { stdout, stderr } = await run('npx', ['--yes', `npm@${npm}`, 'install', ...options, tarball], {
    cwd: directory,
  });
  // Engines and peers of versions that were never tested. graphql-rate-limit is one that was.
  expect(stdout + stderr).not.toMatch(/EBADENGINE|deprecated/);
  expect(stderr.match(/ERESOLVE/g) ?? []).toHaveLength(1);
  return isGlobal
    ? {
        directory,
        command: join(directory, 'bin/revgate'),
        packages: join(directory, 'lib/node_modules/revgate/node_modules'),
      }
    : {
        directory,
        command: join(directory, 'node_modules/.bin/revgate'),
        packages: join(directory, 'node_modules'),
      };
}

const examine = async (command: string, cwd: string): Promise<unknown> => {
  const options = { cwd, env: { PATH: process.env.PATH } };
  const { stdout } = await run(command, ['doctor', '--json'], options).catch((ended) => ended);
  return JSON.parse(stdout).checks.find(({ check }: { check: string }) => check === 'package');
};

describe.each([
  { npm: '10', isGlobal: true },
  { npm: '11', isGlobal: true },
  { npm: '10', isGlobal: false },
  { npm: '11', isGlobal: false },
])('installed by npm $npm, globally: $isGlobal', ({ npm, isGlobal }) => {
  it(
    'serves, with the options of the launcher',
    async () => {
      const { directory, command, packages } = await install(npm, isGlobal);
      for (const development of ['typescript', 'vitest', 'prisma', '@biomejs', 'fast-check', 'better-auth']) {
        expect(existsSync(join(packages, development)), development).toBe(false);
      }
      expect(await examine(command, directory)).toMatchObject({ verdict: 'ok' });
      await expectServed(command, directory);

      rmSync(join(packages, 'graphql'), { recursive: true });
      // As npm 11 left it when the package contained some of its dependencies.
      mkdirSync(join(packages, 'graphql'));
      expect(await examine(command, directory)).toMatchObject({
        verdict: 'error',
        message: expect.stringContaining('graphql'),
        fix: 'Remove revgate, and install it again.',
      });
    },
    INSTALL_MS,
  );
});

/** Starts an installed command, and uses what it serves. */
async function expectServed(command: string, directory: string): Promise<void> {
  const env = { DATA_DIR: join(directory, 'data'), RATE_LIMIT_PREMIUM: '1000000' };
  const { url, child, stdout, exit } = await serveBuilt(env, { program: command, cwd: directory });
  const key = /rvg_[0-9A-Za-z]{38}/.exec(stdout())?.[0] ?? '';
  try {
    expect(readFileSync(`/proc/${servingProcess(child.pid)}/cmdline`, 'utf8')).toContain(
      '--max-semi-space-size=8',
    );
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: '{ startups { meta { total } } }' }),
    });
    expect([answer.status, ((await answer.json()) as { data: unknown }).data]).toEqual([
      200,
      { startups: { meta: { total: 500 } } },
    ]);
    for (const path of [
      '/',
      '/docs',
      '/docs/changelog',
      '/policy',
      '/schema.graphql',
      '/ready',
      '/dashboard',
    ]) {
      expect((await fetch(url + path)).status).toBe(200);
    }
    writeFileSync(
      join(directory, 'startups.csv'),
      'slug,name,paymentProvider,revenue.last30Days,revenue.mrr,revenue.total,customers,activeSubscriptions,onSale\n' +
        'acme,Acme,stripe,1000,900,5000,3,2,false\n',
    );
    const imported = await run(command, ['import', 'startups.csv'], {
      cwd: directory,
      env: { PATH: process.env.PATH, ...env },
    });
    expect(imported.stdout).toContain('1');
    const findName = async (): Promise<unknown> => {
      const response = await fetch(`${url}/graphql?query={startup(slug:"acme"){name}}`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      return response.json();
    };
    await expect.poll(findName, { interval: 100 }).toMatchObject({ data: { startup: { name: 'Acme' } } });
    const page = await (await fetch(`${url}/graphql`, { headers: { Accept: 'text/html' } })).text();
    for (const [path] of page.matchAll(/\/graphiql\/[\w.-]+/g)) {
      expect((await fetch(url + path)).status, path).toBe(200);
    }
  } finally {
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  }
}
