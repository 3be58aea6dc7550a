import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { validate } from 'dockerfile-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import { settings } from '../../src/main/settings/settings.ts';
import { documentFiles } from '../../src/web/docs/contents.ts';

const root = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');
const { files } = JSON.parse(read('package.json')) as { files: string[] };

// No engine builds images here: what can be proven without one is.
describe('the Dockerfile', () => {
  it('has no error that a linter finds', () => {
    expect(validate(read('Dockerfile'))).toEqual([]);
    expect(validate('FROM node\nRUNS npm ci\n')).not.toEqual([]);
  });

  const instructions = read('Dockerfile')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));
  const copied = last
    .filter((line) => line.startsWith('COPY '))
    .flatMap((line) => line.split(' ').slice(1, -1))
    .filter((word) => !word.startsWith('--'))
    .map((path) => path.replace(/^\/app\//, ''));
  /** The words of an instruction in JSON, after what stands before them. */
  const words = (start: RegExp): [string, ...string[]] =>
    JSON.parse(last.findLast((line) => start.test(line))?.replace(start, '') ?? '[]');

  it('copies all of the package but the documentation that is not served, from where the build leaves it, and no sources', () => {
    // The others are for operators, or for the examples.
    const needed = files.filter((path) => ['assets', 'bin', 'dist', 'prisma/migrations'].includes(path));
    expect(needed).toHaveLength(4);
    const served = ['docs/policy.md', ...documentFiles.filter((file) => file !== 'client/README.md')];
    const included = (path: string, among: readonly string[]): boolean =>
      among.some((one) => path === one || path.startsWith(`${one}/`));
    const ignored = readFileSync(new URL('.dockerignore', root), 'utf8').split('\n');
    const sent = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(served.filter((path) => !included(path, sent))).toEqual([]);
    expect(served.filter((path) => !included(path, copied))).toEqual([]);
    expect(copied).toEqual(
      expect.arrayContaining([...needed, 'client/README.md', 'package.json', 'node_modules']),
    );
    expect(copied.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
    expect(copied.filter((path) => /^(\.|src|test)(\/|$)/.test(path))).toEqual([]);
  });

  it('does not run as root', () => {
    const user = last.findLast((line) => line.startsWith('USER '))?.split(/[ :]/)[1];
    expect(Number(user)).toBeGreaterThan(0);
  });

  it('starts the launcher, which it copied', () => {
    expect(words(/^CMD /)).toEqual(['bin/revgate', 'serve']);
    expect(copied).toContain('bin');
  });

  it.each([
    [200, 0],
    [503, 1],
  ])('takes a server whose /ready answers %i for one of exit code %i', async (status, expected) => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.writeHead(status).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const [node, ...args] = words(/^HEALTHCHECK .* CMD /);
    expect(node).toBe('node');
    const env = { PORT: String((server.address() as AddressInfo).port) };
    const code = await new Promise((resolve) => {
      execFile(process.execPath, args, { env }, (error) => resolve(error?.code ?? 0));
    });
    expect([asked, code]).toEqual([['/ready'], expected]);
  });

  it('is given all that it copies, and no secrets', () => {
    const kept = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    expect(kept.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
    expect(kept).not.toContain('.env');
  });
});

describe('the compose file', () => {
  const text = read('compose.yaml');

  it('opens nothing but to this machine', () => {
    const ports = [...text.matchAll(/^ +ports: (.*)$/gm)].flatMap(([, value = '']) => JSON.parse(value));
    expect(ports).not.toEqual([]);
    expect(ports.filter((port: string) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('passes every setting that the image does not fix', () => {
    const passed = [...text.matchAll(/^ {6}([A-Z0-9_]+): (.*)$/gm)];
    const fixed = ['PORT', 'HOST', 'DATA_DIR'];
    const names = Object.keys(settings).filter((name) => !fixed.includes(name));
    expect(passed.map(([, name]) => name)).toEqual(expect.arrayContaining(names));
    for (const [, name, value] of passed.filter(([, name = '']) => name in settings)) {
      expect(value).toMatch(/^(DATABASE|REDIS)_URL$/.test(`${name}`) ? /^postgres:|^redis:/ : `\${${name}:`);
    }
  });

  it('has no password of its own', () => {
    const secrets = [...text.matchAll(/\$\{\w+_(?:PASSWORD|SECRET)(.*?)\}/g)].map(([, rest = '']) => rest);
    expect(secrets.length).toBeGreaterThan(3);
    // Those without which it does not start, and those that may be empty.
    expect(secrets.filter((rest) => !/^(:\?.+|:-)$/.test(rest))).toEqual([]);
  });
});
