import { existsSync } from 'node:fs';
import { afterAll, it } from 'vitest';
import { LAUNCHER, serveBuilt } from '../cli/built-command.ts';
import { expectToSurvive, floodRequests } from '../cli/flood.ts';
import { temporaryDirectory } from '../cli/process.ts';
import { only } from '../support/only.ts';

const { path, remove } = temporaryDirectory();
const server = await serveBuilt({ DATA_DIR: path, RATE_LIMIT_STANDARD: '1000000000' }, { program: LAUNCHER });
afterAll(async () => {
  await server.kill();
  remove();
});

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
