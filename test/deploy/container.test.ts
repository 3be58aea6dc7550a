import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { settings } from '../../src/main/settings/settings.ts';

describe('the compose file', () => {
  const text = readFileSync(new URL('../../compose.yaml', import.meta.url), 'utf8');

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
