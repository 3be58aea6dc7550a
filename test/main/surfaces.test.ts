import { expect, it } from 'vitest';
import { surfaces } from '../../src/main/surfaces.ts';
import { openTestGateway } from '../support/gateway.ts';
import { record } from '../support/records.ts';

it.each(surfaces)('$paths answers the methods that the table names', async ({ bind, methods }) => {
  const needs = { engine: {}, badges: { except: [] }, authenticateSession: async () => ({}) };
  expect((await bind(needs as never))?.methods).toEqual(methods);
});

it('a gateway without pages answers programs', async () => {
  const { key, call, graphql } = await openTestGateway({ records: [record('one')], app: { web: undefined } });
  const sent = { key: (await key()).key };
  expect((await call('/api/v1/startups/one', sent)).json.data.slug).toBe('one');
  expect((await graphql('{ dataset { total } }', {}, sent)).json.data).toEqual({ dataset: { total: 1 } });
  expect((await call('/ready')).json).toEqual({ status: 'ready' });
  expect((await call('/health', { method: 'POST' })).headers.allow).toBe('GET, HEAD');
  for (const path of ['/', '/docs', '/dashboard', '/dashboard/graphql', '/openapi.json']) {
    const { status, headers, json } = await call(path, { headers: { accept: 'text/html' } });
    expect([status, json.error.code, headers['cache-control']]).toEqual([404, 'NOT_FOUND', 'no-store']);
  }
});
