import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { readRecordedResponses, type SampleId } from '../../../src/web/docs/sample-requests.ts';
import type { Language } from '../../../src/web/shared/code-samples.ts';
import { textIn } from '../../support/html.ts';
import { only } from '../../support/only.ts';
import { allSamples, openSampleGateway, withoutDatabase } from './sample-gateway.ts';

const run = promisify(execFile);

let url = '';
const gateway = await openSampleGateway(() => url);
url = await gateway.listen();
const recorded = readRecordedResponses()(url);
const list = (await gateway.call('/llms.txt')).text;
const paths = ['/docs', ...[...list.matchAll(/(\/docs\/[\w-]+)\.md/g)].map(([, path = '']) => path)];
const page = (await Promise.all(paths.map((path) => gateway.call(path)))).map(({ text }) => text).join('');

const shown = allSamples.filter(({ id }) => page.includes(`<code id="${id}-curl">`));

it('all samples are on a page but those that are examples of OpenAPI alone', () => {
  const others = allSamples.filter((sample) => !shown.includes(sample));
  expect(others.map(({ id }) => id)).toEqual(['market', 'rateLimit']);
});

/** A sample as the page shows it, to be copied. */
function shownCode(id: string, language: string): string {
  const [, found = ''] = page.split(`<code id="${id}-${language}">`);
  return textIn(found.split('</pre>')[0] ?? '');
}

/** How the code of a language is run. What it prints ends with the body. */
const programs: Record<Exclude<Language, 'graphql'>, (code: string) => [string, string[]]> = {
  curl: (code) => [
    'bash',
    ['-c', code.replace('curl ', 'curl --silent --show-error --write-out "\\n%{http_code}" ')],
  ],
  javascript: (code) => [process.execPath, ['--input-type=module', '--eval', code]],
  python: (code) => ['python3', ['-c', code]],
};

for (const [language, toCommand] of Object.entries(programs)) {
  const [program] = toCommand('');
  const command = language === 'curl' ? 'curl' : program;
  const ifThere = only(spawnSync(command, ['--version']).status === 0, command);
  /** What the code prints with a key. */
  const print = async (code: string, key: string): Promise<string> =>
    (await run(...toCommand(code), { env: { PATH: process.env.PATH, REVGATE_KEY: key } })).stdout;

  for (const sample of shown) {
    const id = sample.id as SampleId;
    ifThere.it(`the ${language} sample “${id}” gives the response that is shown`, async () => {
      const stdout = await print(shownCode(id, language), await gateway.sampleKey(sample));
      const { status = 0, body } = recorded[id].rest ?? recorded[id].graphql ?? {};
      // curl prints the status last, the others first.
      const parts =
        language === 'curl' ? /^(?<body>.*)\n(?<status>\d+)$/s : /^(?<status>\d+) (?<body>.*)\n$/s;
      const printed = parts.exec(stdout)?.groups;
      expect(printed?.status).toBe(String(status));
      expect(withoutVariation(printed?.body ?? '')).toEqual(withoutVariation(JSON.stringify(body ?? '')));
    });
  }

  ifThere.it(`the ${language} request of the first page gets the response that it shows`, async () => {
    const first = (await gateway.call('/')).text;
    const [, code = ''] = new RegExp(`<code id="${language}"[^>]*>(.*?)</code>`, 's').exec(first) ?? [];
    const [, response = ''] = /aria-label="Response"><code>(.*?)<\/code>/s.exec(first) ?? [];
    const stdout = await print(textIn(code), (await gateway.key()).key);
    expect(withoutVariation(stdout.replace(/^200 |\n(200)?$/g, ''))).toEqual(JSON.parse(textIn(response)));
  });
}

/** A body without what each response has of its own: its name, and the budget at that time, which a GET does not have. */
function withoutVariation(text: string): unknown {
  const plain = text === '' ? '""' : withoutDatabase(text);
  return JSON.parse(plain, (name, value) =>
    name === 'requestId' || name === 'rateLimit' || (name === 'extensions' && Object.keys(value).length === 0)
      ? undefined
      : value,
  );
}
