import { expect, it } from 'vitest';
import { serveBuilt } from '../main/commands/built-command.ts';
import { testDirectory } from '../main/commands/process.ts';
import { runs } from '../support/runs.ts';

// Distinct documents, as a client sends them that puts values into the text, or one that attacks.

/** 30,000 of each kind, unless fewer are enough. */
const COUNT = runs(1_500).numRuns;

const server = await serveBuilt({
  DATA_DIR: testDirectory(),
  RATE_LIMIT_PREMIUM: '1000000000',
  NODE_OPTIONS: '--max-old-space-size=512',
});
const key = /rvg_\w+/.exec(server.stdout())?.[0] as string;

const repeat = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ');

/** By kind: the request with a number, and the code of its error. */
const kinds: Record<string, [(index: number) => { query: string; operationName?: string }, string?]> = {
  'a hundred unknown fields': [
    (index) => ({ query: `{ ${repeat(100, (field) => `nope${index}x${field}`)} }` }),
    'GRAPHQL_VALIDATION_FAILED',
  ],
  'a syntax error': [(index) => ({ query: `{ nope${index} ${'a '.repeat(1_000)}` }), 'GRAPHQL_PARSE_FAILED'],
  'too many tokens': [
    (index) => ({ query: `{ a${index}: __typename ${'__typename '.repeat(2_000)} }` }),
    'OPERATION_TOO_COMPLEX',
  ],
  'almost as many tokens as allowed': [
    (index) => ({
      query: `{ ${repeat(55, (field) => `a${index}x${field}: startup(slug: "a") { ${'name slug rank '.repeat(8)}}`)} }`,
    }),
  ],
  'a long comment': [(index) => ({ query: `{ __typename } #${index}${'\u0416'.repeat(40_000)}` })],
  'many operations, each used until it is compiled': [
    (index) => {
      const [document, operation] = [Math.floor(index / 60), index % 20];
      const query = repeat(20, (number) => `query Q${document}x${number} { dataset { total version } }`);
      return { query, operationName: `Q${document}x${operation}` };
    },
  ],
  'an unknown operation name': [
    (index) => ({ query: 'query Q { __typename }', operationName: `nope${index}` }),
    'BAD_USER_INPUT',
  ],
};
const headers = {
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
  accept: 'application/graphql-response+json',
};

it.each(Object.entries(kinds))(
  'a node with a heap of 512 MB survives any number of documents with %s',
  async (_name, [request, code]) => {
    let next = 0;
    const clients = Array.from({ length: 8 }, async () => {
      for (let index = next++; index < COUNT; index = next++) {
        const body = JSON.stringify(request(index));
        const response = await fetch(`${server.url}/graphql`, { method: 'POST', headers, body });
        const { errors } = await response.json();
        expect([response.status, errors?.[0].extensions.code]).toEqual([
          code === undefined ? 200 : 400,
          code,
        ]);
      }
    });
    await Promise.all(clients);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    expect(server.child.exitCode).toBeNull();
  },
  3_600_000,
);
