import { serverAudits } from 'graphql-http';
import { describe, expect, it } from 'vitest';
import { openTestGateway } from '../../support/gateway.ts';
import { record } from '../../support/records.ts';

// The public audits of GraphQL over HTTP, against a server that listens.

const gateway = await openTestGateway({ records: [record('one')], limits: 10_000 });
const { key } = await gateway.key();
const server = await gateway.listen();

const fetchWithKey = (input: string, init: RequestInit = {}): Promise<Response> =>
  fetch(input, { ...init, headers: { ...(init.headers as object), authorization: `Bearer ${key}` } });

describe('GraphQL over HTTP', () => {
  const audits = serverAudits({ url: () => `${server}/graphql`, fetchFn: fetchWithKey });

  it.each(audits.map(({ id, name, fn }) => ({ id, name, fn })))('$id $name', async ({ fn }) => {
    const result = await fn();
    expect('reason' in result ? result.reason : result.status).toBe('ok');
  });

  it.each(['mutation', 'subscription'])('a %s is refused as no part of the schema', async (operation) => {
    const headers = { accept: 'application/graphql-response+json' };
    const query = `${operation} { __typename }`;
    for (const answer of [
      await gateway.graphql(query, {}, { key, headers }),
      await gateway.call(`/graphql?query=${encodeURIComponent(query)}`, { key, headers }),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.json).not.toHaveProperty('data');
      expect(answer.json.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    }
  });
});
