import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { serveBuilt, servingProcess } from '../main/commands/built-command.ts';
import { testDirectory } from '../main/commands/process.ts';
import { root } from '../support/suites.ts';

const run = promisify(execFile);

it('the packed package installs without warnings and works alone, with the options of the launcher', async () => {
  const directory = testDirectory();
  // Built before: building again here would pull the files from under tests that run beside.
  const packed = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', directory], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  const [{ filename, files }] = JSON.parse(packed.stdout) as [
    { filename: string; files: { path: string }[] },
  ];
  const paths = files.map(({ path }) => path);
  for (const needed of [
    'client/dist/index.js',
    'dist/main/main.js',
    'dist/db/embedded/template.gz',
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
    /^(assets|bin|client|deploy|dist|docs|examples|node_modules|prisma\/migrations)\/|^bench\/README.md$|^[\w.]+$/;
  expect(paths.filter((path) => !expected.test(path))).toEqual([]);
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = '']) => path);
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((path) => !paths.includes(path))).toEqual([]);

  const app = join(directory, 'app');
  await run('mkdir', [app]);
  writeFileSync(join(app, 'package.json'), '{"private":true}');
  const options = ['--prefer-offline', '--no-audit', '--no-fund'];
  const installed = await run('npm', ['install', ...options, join(directory, filename)], { cwd: app });
  // Engines and peers of versions that were never tested.
  expect(installed.stdout + installed.stderr).not.toMatch(/EBADENGINE|ERESOLVE|deprecated/);
  for (const development of [
    'typescript',
    'vitest',
    'prisma',
    '@biomejs',
    'fast-check',
    '@graphql-yoga/render-graphiql',
  ]) {
    expect(existsSync(join(app, 'node_modules', development)), development).toBe(false);
  }

  const command = join(app, 'node_modules/.bin/revgate');
  const env = { DATA_DIR: join(directory, 'data'), RATE_LIMIT_PREMIUM: '1000000' };
  const { url, child, stdout, exit } = await serveBuilt(env, { program: command, cwd: app });
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
      join(app, 'startups.csv'),
      'slug,name,paymentProvider,revenue.last30Days,revenue.mrr,revenue.total,customers,activeSubscriptions,onSale\n' +
        'acme,Acme,stripe,1000,900,5000,3,2,false\n',
    );
    const imported = await run(command, ['import', 'startups.csv'], {
      cwd: app,
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
}, 240_000);
