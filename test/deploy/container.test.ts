import { existsSync, readFileSync } from 'node:fs';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');

// No engine builds images here, so what can be told without one is held: the rest is not tested.
describe('the Dockerfile', () => {
  it('has no fault that a linter finds', () => {
    expect(validate(read('Dockerfile'))).toEqual([]);
    expect(validate('FROM node\nRUNS npm ci\n')).not.toEqual([]);
  });

  const instructions = read('Dockerfile')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const start = instructions.findLastIndex((line) => line.startsWith('FROM '));
  const last = instructions.slice(start);

  it('builds on images of one version, and keeps the last one alone', () => {
    const images = instructions.filter((line) => line.startsWith('FROM ')).map((line) => line.split(' ')[1]);
    expect(images).toHaveLength(2);
    expect(new Set(images).size).toBe(1);
    expect(images[0]).toMatch(/^node:\d+-\w+-slim$/);
  });

  it('holds all that the package does, and no sources or development packages', () => {
    const copied = last
      .filter((line) => line.startsWith('COPY '))
      .flatMap((line) => line.split(' ').filter((word) => word.startsWith('/app/')));
    const { files } = JSON.parse(read('package.json')) as { files: string[] };
    expect(copied.map((path) => path.slice('/app/'.length)).sort()).toEqual(
      [...files, 'node_modules', 'package.json'].sort(),
    );
    expect(last.filter((line) => line.startsWith('COPY ')).every((line) => line.includes('--from='))).toBe(
      true,
    );
    expect(instructions).toContain(
      'RUN npm run build && npm prune --omit=dev --omit=optional --ignore-scripts',
    );
  });

  it('runs the command itself, not as root, and asks it whether it is ready without other programs', () => {
    expect(last.findLast((line) => line.startsWith('USER '))).toBe('USER 1000:1000');
    const { start } = (JSON.parse(read('package.json')) as { scripts: { start: string } }).scripts;
    expect(JSON.parse(last.at(-1)?.replace(/^CMD /, '') ?? '')).toEqual(start.split(' '));
    expect(read('README.md')).toContain(start);
    const check = last.find((line) => line.startsWith('HEALTHCHECK '));
    expect(JSON.parse(check?.replace(/^.* CMD /, '') ?? '')).toEqual([
      'node',
      '-e',
      expect.stringContaining('/ready'),
    ]);
  });

  it('is given all that it copies', () => {
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

  it('opens nothing but the gateway, and that to this machine only', () => {
    const ports = [...text.matchAll(/^ +ports: (.*)$/gm)].map(([, value]) => value);
    expect(ports).toEqual(['["127.0.0.1:4000:4000"]']);
    expect(text).toMatch(/^ {2}back: \{ internal: true \}$/m);
  });

  it('has no password of its own', () => {
    const secrets = [...text.matchAll(/\$\{(\w+_PASSWORD)(.*?)\}/g)];
    expect(secrets.length).toBeGreaterThan(3);
    expect(secrets.every(([, , rest]) => rest === ':?set it in .env')).toBe(true);
  });
});
