import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { testDirectory } from '../cli/process.ts';
import { startPackage } from './start-package.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

it('the packed package works where only it and what it needs is installed', async () => {
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
    'dist/cli/main.js',
    'dist/db/template.gz',
    'docs/policy.md',
    'schema.graphql',
    'dist/http/graphiql/LICENSE',
  ]) {
    expect(paths).toContain(needed);
  }
  const strays = paths.filter((path) => !/^(assets|dist|prisma\/migrations|docs)\/|^[\w.]+$/.test(path));
  expect(strays).toEqual([]);

  const app = join(directory, 'app');
  await run('mkdir', [app]);
  writeFileSync(join(app, 'package.json'), '{"private":true}');
  const options = ['--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...options, join(directory, filename)], { cwd: app });
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

  const { url, key, stop } = await startPackage(join(app, 'node_modules/.bin/revgate'), {
    cwd: app,
    env: { DATA_DIR: join(directory, 'data') },
  });
  try {
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: '{ startups { meta { total } } }' }),
    });
    expect([answer.status, ((await answer.json()) as { data: unknown }).data]).toEqual([
      200,
      { startups: { meta: { total: 500 } } },
    ]);
    for (const path of ['/policy', '/schema.graphql', '/ready', '/dashboard']) {
      expect((await fetch(url + path)).status).toBe(200);
    }
    const page = await (await fetch(`${url}/graphql`, { headers: { Accept: 'text/html' } })).text();
    for (const [path] of page.matchAll(/\/graphiql\/[\w.-]+/g)) {
      expect((await fetch(url + path)).status, path).toBe(200);
    }
  } finally {
    expect(await stop()).toBe(0);
  }
}, 240_000);
