import { existsSync } from 'node:fs';
import { it } from 'vitest';
import { LAUNCHER, serveBuilt } from '../main/commands/built-command.ts';
import { expectToSurvive, floodRequests } from '../main/commands/flood.ts';
import { testDirectory } from '../main/commands/process.ts';
import { only } from '../support/only.ts';

const settings = { DATA_DIR: testDirectory(), RATE_LIMIT_PREMIUM: '1000000000' };
const server = await serveBuilt(settings, { program: LAUNCHER });

const KINDS = [
  'a file of GraphiQL',
  'the reference',
  'the API without a key',
  'REST with a key',
  'GraphQL with a key',
];

only(existsSync('/proc/self/status'), '/proc').describe('a process with 512 MB', () => {
  it.each(KINDS)('survives floods of requests for %s', async (kind) => {
    const request = floodRequests(server)[kind] as string;
    for (let times = 0; times < 5; times += 1) {
      await expectToSurvive(server, [request], { connections: 250, holdMs: 2_000, megabytes: 512 });
    }
  });
});
