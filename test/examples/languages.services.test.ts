import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { testDirectory } from '../main/commands/process.ts';
import { closeAfterwards } from '../support/closing.ts';
import { openTestGateway } from '../support/gateway.ts';
import { only } from '../support/only.ts';
import { insertRecords, record } from '../support/records.ts';
import { root } from '../support/suites.ts';

const run = promisify(execFile);
const text = readFileSync(join(root, 'docs/use/languages.md'), 'utf8');

const records = Array.from({ length: 25 }, (_, index) =>
  record(`s-${index}`, {
    name: index === 3 ? 'A "quoted", name' : `S ${index}`,
    onSale: index % 2 === 1,
    askingPrice: index % 2 === 1 ? 1_000 + index : null,
    revenue: { last30Days: 1, mrr: index, total: 1 },
  }),
);
const gateway = await openTestGateway({ records, limits: 60 });
const url = await gateway.listen();

/** An address of the gateway whose first response is a 429. */
async function openBusy(): Promise<string> {
  let isBusy = true;
  const server = createServer(async ({ url: path, headers }, response) => {
    if (isBusy) {
      isBusy = false;
      response.writeHead(429, { 'Retry-After': '1' }).end('{}');
      return;
    }
    const found = await fetch(url + path, { headers: { authorization: headers.authorization ?? '' } });
    response.writeHead(found.status, { 'Content-Type': 'application/json' }).end(await found.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAfterwards(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const languages = [
  { language: 'Python', file: 'program.py', command: 'python3', before: [] as string[] },
  { language: 'PHP', file: 'program.php', command: 'php', before: [] },
  { language: 'Ruby', file: 'program.rb', command: 'ruby', before: [] },
  { language: 'Go', file: 'program.go', command: 'go', before: ['run'] },
];
for (const one of languages) {
  only(await isInstalled(one.command), `${one.command}, which .ci/run installs`).it(
    `the program in ${one.language} lists, writes CSV, keeps a mirror, and waits after a 429`,
    () => tryProgram(one),
  );
}

async function tryProgram({ language, file, command, before }: (typeof languages)[number]): Promise<void> {
  const [, program = ''] =
    new RegExp(`^## ${language}\n\n\`\`\`\\w+\n([\\s\\S]*?)\`\`\``, 'm').exec(text) ?? [];
  const directory = testDirectory();
  writeFileSync(join(directory, file), program);
  const { key } = await gateway.key();
  const env = { ...process.env, REVGATE_KEY: key, GOCACHE: join(directory, 'cache'), GO111MODULE: 'off' };
  const call = async (argument: string) => {
    const options = { cwd: directory, env: { ...env, REVGATE_URL: await openBusy() } };
    return (await run(command, [...before, file, argument], options)).stdout;
  };

  const listed = Array.from({ length: 10 }, (_, index) => `s-${24 - index} ${24 - index}\n`).join('');
  expect(await call('list')).toBe(listed);

  await call('csv');
  const lines = readFileSync(join(directory, 'startups.csv'), 'utf8').trim().split(/\r?\n/);
  expect(lines).toHaveLength(13);
  expect(lines[0]).toBe('slug,name,askingPrice,mrr');
  expect(lines).toContain('s-3,"A ""quoted"", name",1003,3');

  const mirrored = () => JSON.parse(readFileSync(join(directory, 'mirror.json'), 'utf8'));
  await call('mirror');
  const first = mirrored();
  expect(Object.keys(first.startups)).toHaveLength(25);
  expect(first.startups['s-1'].revenue.mrr).toBe(1);
  expect(first.startups['s-1']).not.toHaveProperty('rank');
  // It goes on where it ended.
  await insertRecords(gateway.database, [record(`new-${language.toLowerCase()}`)]);
  await expect
    .poll(async () => (await gateway.call(`/api/v1/startups/new-${language.toLowerCase()}`, { key })).status)
    .toBe(200);
  await call('mirror');
  const second = mirrored();
  expect(second.next).not.toBe(first.next);
  expect(Object.keys(second.startups)).toContain(`new-${language.toLowerCase()}`);
  await gateway.database.pool.query("DELETE FROM startups WHERE slug LIKE 'new-%'");
}

function isInstalled(command: string): Promise<boolean> {
  return run('which', [command]).then(
    () => true,
    () => false,
  );
}
