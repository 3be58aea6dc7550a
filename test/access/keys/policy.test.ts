import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadPolicy } from '../../../src/access/keys/policy.ts';
import { OperatorError } from '../../../src/lib/errors.ts';

const text = readFileSync(new URL('../../../docs/policy.md', import.meta.url), 'utf8');

describe('the policy', () => {
  it('carries its version', () => {
    expect(loadPolicy(text)).toEqual({ version: '2026-11-23', text, file: 'docs/policy.md' });
  });

  it.each([
    /clone/i,
    /rebuild/i,
    /in bulk/i,
    /search/i,
    /abusive/i,
    /share credentials/i,
    /access controls/i,
    /may also keep a complete copy of the data for your own use, as long as you keep it up to date/,
    /status 403/,
    /permanent ban/,
  ])('says what the interface names: %s', (topic) => {
    expect(text.replaceAll('\n', ' ')).toMatch(topic);
  });

  it('is refused without a version', () => {
    expect(() => loadPolicy('# Policy\n\nBe kind.\n')).toThrow(OperatorError);
  });
});
