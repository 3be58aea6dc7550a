import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { generateToken } from '../../../src/access/keys/token.ts';
import { mailKinds } from '../../../src/access/mails/kinds.ts';
import { errorStatuses } from '../../../src/lib/errors.ts';
import { mailOutcomes } from '../../../src/lib/mail/outcome.ts';
import { type CallOptions, openTestGateway } from '../../support/gateway.ts';
import { record } from '../../support/records.ts';

const LOCAL = { address: '127.0.0.1' };
const TOKEN = 'a-token-of-some-length';

const gateway = await openTestGateway({ records: [record('one'), record('two')] });
const guarded = await openTestGateway({
  database: gateway.database,
  metricsToken: TOKEN,
  // Nothing listens there.
  redisUrl: 'redis://127.0.0.1:1',
});
const authorization = `Bearer ${TOKEN}`;

/** Every value by its name and labels. */
async function read(): Promise<Map<string, number>> {
  const { status, text } = await gateway.call('/metrics', LOCAL);
  expect(status).toBe(200);
  return new Map(
    [...text.matchAll(/^([^#].*) (.*)$/gm)].map(([, name = '', value]) => [name, Number(value)]),
  );
}

describe('who may read the metrics', () => {
  it.each([
    ...['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'].map((address) => [address, undefined]),
    ['127.0.0.1', 'localhost:4000'],
    ['127.0.0.1', '127.0.0.1:4000'],
    ['::1', '[::1]:4000'],
  ])('without a token: %s, by the name %s', async (address, host) => {
    const answer = await gateway.call('/metrics', { address: `${address}`, headers: host ? { host } : {} });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers).not.toHaveProperty('x-ratelimit-limit');
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  const others: [string, CallOptions][] = [
    ['another machine', { address: '192.0.2.1' }],
    ['an address that looks alike', { address: '127.0.0.1.example' }],
    ['nobody knows whom', { address: '' }],
    ['a proxy of this machine', { ...LOCAL, headers: { 'x-forwarded-for': '192.0.2.1' } }],
    ['a proxy that says so otherwise', { ...LOCAL, headers: { forwarded: 'for=192.0.2.1' } }],
    ['a proxy that only says its name', { ...LOCAL, headers: { via: '1.1 proxy' } }],
    ['a web site whose name was pointed here', { ...LOCAL, headers: { host: 'rebound.example:4000' } }],
    ['somebody with any token', { address: '192.0.2.1', headers: { authorization } }],
  ];
  it.each(others)('without a token, not: %s', async (_who, options) => {
    const answer = await gateway.call('/metrics', options);
    expect([answer.status, answer.json.error.code]).toEqual([404, 'NOT_FOUND']);
    expect(answer.text).not.toContain('revgate_');
  });

  it.each(['Bearer ', 'bearer  '])('with a token, any client that sends it after "%s"', async (scheme) => {
    const headers = { authorization: scheme + TOKEN };
    const answer = await guarded.call('/metrics', { address: '192.0.2.1', headers });
    expect([answer.status, answer.text.includes('revgate_requests_total')]).toEqual([200, true]);
  });

  const wrong = ['', 'Bearer ', 'Bearer a-token-of-some-lengt', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, TOKEN];
  it.each<readonly [string, string | undefined]>([
    ['nothing', undefined],
    ...wrong.map((header) => [header, header] as const),
    ['a huge one', `Bearer ${'x'.repeat(15_000)}`],
  ])('with a token, not who brings %j', async (_shown, authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const answer = await guarded.call('/metrics', { ...LOCAL, headers });
    expect([answer.status, answer.json.error.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it('without a token, nobody behind a proxy on this machine', async () => {
    const proxied = await openTestGateway({ database: gateway.database, app: { isPrivate: false } });
    expect((await proxied.call('/metrics', LOCAL)).status).toBe(404);
  });
});

describe('the metrics', () => {
  it('count requests by surface and status, and what limits decided by tier', async () => {
    const before = await read();
    const { key } = await gateway.key();
    const premium = await gateway.key({ tier: 'premium' });
    await Promise.all(Array.from({ length: 12 }, () => gateway.call('/api/v1/startups', { key })));
    await gateway.graphql('{ startups { meta { total } } }', {}, { key: premium.key });
    await gateway.call('/api/v1/startups', { address: '198.51.100.7' });
    const after = await read();
    const grown = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(grown('revgate_requests_total{surface="rest",status="200"}')).toBe(10);
    expect(grown('revgate_requests_total{surface="rest",status="429"}')).toBe(2);
    expect(grown('revgate_requests_total{surface="rest",status="401"}')).toBe(1);
    expect(grown('revgate_requests_total{surface="graphql",status="200"}')).toBe(1);
    expect(grown('revgate_limit_decisions_total{tier="standard",outcome="admitted"}')).toBe(10);
    expect(grown('revgate_limit_decisions_total{tier="standard",outcome="refused"}')).toBe(2);
    expect(grown('revgate_limit_decisions_total{tier="premium",outcome="admitted"}')).toBe(1);
    expect(grown('revgate_limit_decisions_total{tier="none",outcome="admitted"}')).toBe(1);
    expect(grown('revgate_request_duration_seconds_count{surface="rest"}')).toBe(13);
    expect(grown('revgate_request_duration_seconds_bucket{le="+Inf",surface="rest"}')).toBe(13);
    expect(after.get('revgate_request_duration_seconds_sum{surface="rest"}')).toBeGreaterThan(0);
  });

  it('tell the state of the node', async () => {
    const values = await read();
    expect(values.get('revgate_catalogue_startups')).toBe(2);
    expect(values.get('revgate_catalogue_builds_total')).toBeGreaterThanOrEqual(1);
    expect(values.get('revgate_limit_state{state="memory"}')).toBe(1);
    expect(values.get('revgate_limit_state{state="fallback"}')).toBe(0);
    expect(values.get('revgate_database_connections{state="total"}')).toBeGreaterThanOrEqual(1);
    expect(values.get('process_resident_memory_bytes')).toBeGreaterThan(10e6);
    for (const name of [
      'catalogue_age_seconds',
      'catalogue_lag_seconds',
      'catalogue_faults_total',
      'limit_fallbacks_total',
      'database_connections{state="waiting"}',
      'database_silence_seconds',
      'keys_remembered',
      'event_loop_lag_seconds{percentile="99"}',
      'usage_pending',
      'usage_dropped_total',
      'log_dropped_total',
    ]) {
      expect(values.get(`revgate_${name}`), name).toBeGreaterThanOrEqual(0);
    }
  });

  it('of requests begin at 0 for each surface and status of an error, and for each decision of a limit', async () => {
    const { text } = await (await openTestGateway({ database: gateway.database })).call('/metrics', LOCAL);
    const valuesOf = (name: string) =>
      Object.fromEntries(
        [...text.matchAll(/^(\w+)(\{.*\}) (\d+)$/gm)].flatMap(([, series, labels, value]) =>
          series === name ? [[labels, Number(value)]] : [],
        ),
      );
    const requests = ['rest', 'graphql', 'mcp', 'feed', 'page'].flatMap((surface) =>
      Object.values(errorStatuses).map((status) => [`{surface="${surface}",status="${status}"}`, 0]),
    );
    expect(valuesOf('revgate_requests_total')).toEqual(Object.fromEntries(requests));
    const decisions = ['standard', 'premium', 'none'].flatMap((tier) =>
      ['admitted', 'refused'].map((outcome) => [`{tier="${tier}",outcome="${outcome}"}`, 0]),
    );
    expect(valuesOf('revgate_limit_decisions_total')).toEqual(Object.fromEntries(decisions));
  });

  it('of emails begin at 0 for each kind and outcome', async () => {
    const values = await read();
    for (const kind of mailKinds) {
      for (const outcome of mailOutcomes) {
        expect(
          values.get(`revgate_mails_total{kind="${kind}",outcome="${outcome}"}`),
          `${kind} ${outcome}`,
        ).toBe(0);
      }
    }
    const series = [...values.keys()].filter((name) => name.startsWith('revgate_mails_total'));
    expect(series).toHaveLength(mailKinds.length * mailOutcomes.length);
  });

  it('tell that Redis fails', async () => {
    const { text } = await guarded.call('/metrics', { headers: { authorization } });
    expect(text).toContain('revgate_limit_state{state="fallback"} 1\n');
    expect(text).toContain('revgate_limit_fallbacks_total 1\n');
  });

  it('have no label that a client can choose', async () => {
    const before = [...(await read()).keys()];
    for (const method of ['GET', 'BREW', 'PROPFIND']) {
      for (const path of ['/made/up', '/metrics/../up', '/api/v1/made-up', '/graphql?made=up', '/ready"\n']) {
        const headers = { 'user-agent': 'made-up', host: 'made-up.example', 'x-request-id': 'made-up' };
        await gateway.call(path, { method, headers, key: generateToken(randomBytes) });
      }
    }
    const names = [...(await read()).keys()];
    expect(names.join('\n')).not.toMatch(/made|BREW|PROPFIND/);
    // Further statuses at most.
    const added = names.filter((name) => !before.includes(name));
    expect(added.every((name) => /^revgate_(requests|limit_decisions)_total\{/.test(name))).toBe(true);
  });

  it('are well-formed, and keep the rules of promtool: only counters end in _total', async () => {
    const { text } = await gateway.call('/metrics', LOCAL);
    expect(text.endsWith('\n')).toBe(true);
    const types = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name = '', type]) => ({ name, type }));
    expect(new Set(types.map(({ name }) => name)).size).toBe(types.length);
    for (const { name, type } of types) {
      expect(type, name).toEqual(
        name.endsWith('_total') ? 'counter' : expect.stringMatching(/^(gauge|histogram)$/),
      );
      expect(name).not.toMatch(/_(ms|milliseconds|kb|mb)(_|$)/);
    }
    for (const line of text.trimEnd().split('\n')) {
      expect(line).toMatch(
        /^(|# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"\\]*"(,\w+="[^"\\]*")*\})? (-?\d+(\.\d+)?(e[+-]\d+)?|\+Inf))$/,
      );
    }
  });
});
