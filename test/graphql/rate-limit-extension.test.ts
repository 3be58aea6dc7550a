import { expect, it } from 'vitest';
import { type Answer, openTestGateway } from '../support/gateway.ts';
import { record } from '../support/records.ts';

const gateway = await openTestGateway({ records: [record('one')] });

function expectExtension(answer: Answer, cost: number | undefined): void {
  const { headers, json } = answer;
  expect(json.extensions).toEqual({
    rateLimit: {
      limit: Number(headers['x-ratelimit-limit']),
      remaining: Number(headers['x-ratelimit-remaining']),
      resetAt: new Date(Number(headers['x-ratelimit-reset']) * 1000).toISOString(),
      ...(cost !== undefined && { cost }),
    },
  });
}

it('an answer to POST that is refused tells the budget as its headers do', async () => {
  const { key } = await gateway.key();
  const unknown = await gateway.graphql('{ __typename }', {}, { address: '198.51.100.9' });
  expect(unknown.status).toBe(401);
  expectExtension(unknown, 1);
  await gateway.graphql('{ a: node(id: "x") { id } b: node(id: "x") { id } }', {}, { key });
  const reads = Array.from({ length: 9 }, (_, i) => `a${i}: node(id: "x") { id }`).join(' ');
  const refused = await gateway.graphql(`{ ${reads} }`, {}, { key });
  expect([refused.status, refused.json.data]).toEqual([429, undefined]);
  expectExtension(refused, 9);
  expect(refused.json.extensions.rateLimit.remaining).toBe(8);
  const notJson = await gateway.post('{ __typename }', { key, headers: { 'content-type': 'text/plain' } });
  expect(notJson.status).toBe(415);
  expectExtension(notJson, 1);
});

it('an answer that is refused before its operation is read states no cost', async () => {
  const { key } = await gateway.key();
  const ten = Array.from({ length: 10 }, (_, i) => `a${i}: node(id: "x") { id }`).join(' ');
  expectExtension(await gateway.graphql(`{ ${ten} }`, {}, { key }), 10);
  const refused = await gateway.graphql(`{ ${ten} }`, {}, { key });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expectExtension(refused, undefined);
  const message = /^Rate limit exceeded: 0 of 10 are left\. Retry after \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
  expect(refused.json.errors).toMatchObject([
    { message: expect.stringMatching(message), extensions: { code: 'RATE_LIMITED' } },
  ]);
  const history = await gateway.call('/api/v1/startups/one/history', { key });
  expect(history.status).toBe(429);
  expect(history.json.error).toMatchObject({ code: 'RATE_LIMITED', message: expect.stringMatching(message) });
});

it('an answer to GET does not: it stays the same while the data does', async () => {
  const { key } = await gateway.key();
  for (const query of ['{ startups { meta { total } } }', '{']) {
    const answer = await gateway.call(`/graphql?query=${encodeURIComponent(query)}`, { key });
    expect(answer.json).not.toHaveProperty('extensions');
  }
});
