import { expect, it, onTestFinished } from 'vitest';
import { openTestDatabase } from '../support/database.ts';
import { openTestGateway } from '../support/gateway.ts';

it('a fault of the inside is masked on both surfaces, and logged with the id of its request', async () => {
  const database = await openTestDatabase();
  // Stands for any fault that nobody foresaw.
  const node = await openTestGateway({ database });
  const query = database.pool.query.bind(database.pool) as (...args: unknown[]) => unknown;
  database.pool.query = ((...args: unknown[]) =>
    JSON.stringify(args[0]).includes('FROM startups')
      ? Promise.reject(new Error('the inside'))
      : query(...args)) as typeof database.pool.query;
  onTestFinished(async () => {
    await node.close();
    await database.close();
  });
  const { key } = await node.key();
  const rest = await node.call('/api/v1/startups/one', { key });
  expect([rest.status, rest.json.error.code, rest.json.error.message]).toEqual([
    500,
    'INTERNAL_SERVER_ERROR',
    'Internal server error',
  ]);
  const graphql = await node.graphql('{ startup(slug: "one") { name } }', {}, { key });
  expect(graphql.json.errors[0]).toMatchObject({
    message: 'Internal server error',
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  });
  for (const answer of [rest, graphql]) {
    expect(answer.text).not.toContain('the inside');
    const id = answer.headers['x-request-id'] ?? '';
    expect(node.logs.some((text) => text.includes(id) && text.includes('the inside'))).toBe(true);
  }
});
