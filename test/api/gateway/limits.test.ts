import { describe, expect, it } from 'vitest';
import { hashDocument } from '../../../src/access/keys/documents/list.ts';
import { type Answer, openTestGateway } from '../../support/gateway.ts';
import { record } from '../../support/records.ts';

const PATH = '/api/v1/limits';
const QUERY = '{ rateLimit { limit remaining resetAt tier } }';
const PAGE = 'https://page.example';
const NOW = Date.parse('2026-11-20T10:00:00.250Z');

const gateway = await openTestGateway({ records: [record('acme')], now: () => NOW });

/** What the headers of a response say. */
const ofHeaders = ({ headers }: Answer) => ({
  limit: Number(headers['x-ratelimit-limit']),
  remaining: Number(headers['x-ratelimit-remaining']),
  resetAt: new Date(Number(headers['x-ratelimit-reset']) * 1_000).toISOString(),
});

describe('Query.rateLimit', () => {
  it('says what the headers say, the same in each run, compiled or not', async () => {
    const { key } = await gateway.key({ tier: 'premium' });
    for (let run = 1; run <= 8; run += 1) {
      const answer = await gateway.graphql(QUERY, {}, { key });
      const expected = {
        limit: 60,
        remaining: 60 - run,
        resetAt: '2026-11-20T10:01:01.000Z',
        tier: 'PREMIUM',
      };
      expect(answer.json.data.rateLimit).toEqual(expected);
      expect(ofHeaders(answer)).toEqual({ ...expected, tier: undefined });
    }
  });

  it('says what is left after all that its request reads', async () => {
    const { key } = await gateway.key();
    const query =
      '{ a: startup(slug: "acme") { name } rateLimit { remaining } b: startups { meta { total } } }';
    expect((await gateway.graphql(query, {}, { key })).json.data.rateLimit).toEqual({ remaining: 8 });
  });

  it('is never kept by a cache, also not with an embed key', async () => {
    const { id, key } = await gateway.key({ origins: [PAGE] });
    await gateway.publish(id, QUERY);
    const path = `/graphql?documentId=${hashDocument(QUERY)}`;
    const answer = await gateway.call(path, { key, headers: { origin: PAGE } });
    expect(answer.json.data.rateLimit).toMatchObject({ limit: 10, remaining: 9, tier: 'STANDARD' });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers).not.toHaveProperty('etag');
  });
});

describe(PATH, () => {
  it('says what the headers say, without taking any of it', async () => {
    const { key } = await gateway.key();
    await gateway.call('/api/v1/startups', { key });
    for (let run = 1; run <= 3; run += 1) {
      const answer = await gateway.call(PATH, { key });
      const expected = { limit: 10, remaining: 9, resetAt: '2026-11-20T10:01:01.000Z', tier: 'standard' };
      expect([answer.status, answer.json]).toEqual([200, { data: expected }]);
      expect(ofHeaders(answer)).toEqual({ ...expected, tier: undefined });
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers).not.toHaveProperty('etag');
    }
    expect((await gateway.call('/api/v1/startups', { key })).headers['x-ratelimit-remaining']).toBe('8');
  });

  it('answers where nothing is left, 60 times a minute', async () => {
    const { key } = await gateway.key();
    for (let run = 1; run <= 10; run += 1) {
      await gateway.call('/api/v1/startups', { key });
    }
    for (let run = 1; run <= 60; run += 1) {
      const { status, json } = await gateway.call(PATH, { key });
      expect([status, json.data.remaining]).toEqual([200, 0]);
    }
    const { status, headers, json } = await gateway.call(PATH, { key });
    expect([status, headers['retry-after'], json.error]).toEqual([
      429,
      '60',
      expect.objectContaining({
        code: 'RATE_LIMITED',
        message: 'Rate limit exceeded: 60 requests for limits a minute cost nothing. Retry in 60 seconds',
      }),
    ]);
  });

  it('needs a key, and takes no parameter', async () => {
    const address = '192.0.2.31';
    const unknown = await gateway.call(PATH, { address });
    expect([unknown.status, unknown.headers['x-ratelimit-remaining']]).toEqual([401, '9']);
    const { key } = await gateway.key();
    const { status, json } = await gateway.call(`${PATH}?tier=premium`, { key });
    expect([status, json.error.details]).toEqual([400, [expect.objectContaining({ parameter: 'tier' })]]);
    expect((await gateway.call(PATH, { key, method: 'POST' })).status).toBe(405);
  });
});
