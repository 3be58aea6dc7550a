import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Tool } from '../../../src/api/mcp/tool.ts';
import { toolsWith } from '../../../src/api/mcp/tools.ts';
import { countries } from '../../../src/startups/model/countries.ts';
import { fieldsOf } from '../../../src/startups/model/fields.ts';
import { createTestClock } from '../../support/clock.ts';
import { openTestGateway } from '../../support/gateway.ts';
import { record } from '../../support/records.ts';
import { _meta, agentOf, initial } from './agent.ts';

const gateway = await openTestGateway({
  records: [
    record('acme', {
      category: 'ai',
      onSale: true,
      askingPrice: 9_999_950,
      revenue: { last30Days: 123_400, mrr: 100_000, total: 5_000_000 },
      growth30d: 24.25,
      website: 'https://acme.example',
    }),
    ...Array.from({ length: 24 }, (_, index) =>
      record(`other-${index}`, { name: `Other ${'long '.repeat(30)}`, description: 'words '.repeat(60) }),
    ),
  ],
  limits: 1_000,
});
const { key } = await gateway.key();
const agent = agentOf(gateway, key);

describe('discovery', () => {
  it('costs nothing, also if nothing is left of the limit', async () => {
    const clock = createTestClock();
    const limited = await openTestGateway({ records: [record('acme')], limits: 1, clock });
    const visitor = agentOf(limited, (await limited.key()).key);
    expect((await visitor.call('get_startup', { slug: 'acme' })).isError).toBeUndefined();
    for (const method of ['initialize', 'ping', 'tools/list', 'resources/list', 'resources/templates/list']) {
      const { status, headers, message } = await visitor.send(method, method === 'initialize' ? initial : {});
      const free = [200, '0', undefined];
      expect([status, headers['x-ratelimit-remaining'], message.error], method).toEqual(free);
    }
    const { text, isError, headers, status } = await visitor.call('get_startup', { slug: 'acme' });
    expect([status, isError, headers['retry-after']]).toEqual([200, true, '60']);
    expect(text).toMatch(/^RATE_LIMITED: Rate .+: .*0 of 1 are left\. Retry after .*Z \(in 60 seconds\)\n/);
  });

  it('is free for 300 messages a minute', async () => {
    const limited = await openTestGateway({ records: [record('acme')], clock: createTestClock() });
    const visitor = agentOf(limited, (await limited.key()).key);
    const statuses = new Set<number>();
    for (let index = 0; index < 300; index += 1) {
      statuses.add((await visitor.post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status);
    }
    expect([...statuses]).toEqual([202]);
    const { status, headers, message } = await visitor.send('ping');
    expect([status, message.id, message.error.data.code]).toEqual([429, 1, 'RATE_LIMITED']);
    expect(headers['retry-after']).toBe('60');
    expect((await visitor.call('search_startups')).isError).toBeUndefined();
  });

  const newest = { 'mcp-protocol-version': '2026-07-28' };
  const open: [string, object, object?][] = [
    ['initialize', initial],
    ['ping', {}],
    ['tools/list', {}],
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['resources/read', { uri: 'http://localhost:4000/docs/agents.md' }],
    ['server/discover', { _meta }, { ...newest, 'mcp-method': 'server/discover' }],
  ];

  it('needs no key, whose limit of an address is not that of its requests', async () => {
    const visited = await openTestGateway({ records: [record('acme')] });
    const more = { address: '192.0.2.1' };
    const stranger = agentOf(visited, undefined);
    // The limit of the address is used up.
    for (let request = 0; request < 10; request += 1) {
      await visited.call('/api/v1/startups', more);
    }
    for (const [method, params, headers] of open) {
      const { status, message } = await stranger.send(method, params, { ...more, headers: { ...headers } });
      expect([method, status, message.error]).toEqual([method, 200, undefined]);
    }
    const { message } = await stranger.send('tools/list', {}, more);
    expect(message.result.tools).toHaveLength(5);
  });

  it('without a key is free for 60 messages a minute of an address, which are counted before they are read', async () => {
    const clock = createTestClock();
    const visited = await openTestGateway({ records: [record('acme')], clock });
    const stranger = agentOf(visited, undefined);
    const more = { address: '192.0.2.2' };
    for (let index = 0; index < 60; index += 1) {
      // Also what is no message at all.
      const [body, expected] =
        index % 10 === 0
          ? (['{', 400] as const)
          : ([{ jsonrpc: '2.0', id: 1, method: 'ping' }, 200] as const);
      expect((await stranger.post(body, more)).status).toBe(expected);
    }
    const { status, headers, message } = await stranger.post('{', more);
    expect([status, headers['retry-after'], message.error.data.code]).toEqual([429, '60', 'RATE_LIMITED']);
    expect((await stranger.send('ping', {}, { address: '192.0.2.3' })).status).toBe(200);
    await clock.advance(60_000);
    expect((await stranger.send('ping', {}, more)).status).toBe(200);
  });

  it('is refused with a wrong key, and a call without one says where to get it', async () => {
    const { status, message, headers } = await agentOf(gateway, undefined).send('tools/call', {
      name: 'search_startups',
      arguments: {},
    });
    expect([status, headers['www-authenticate'], message.error.data.code]).toEqual([
      401,
      'Bearer',
      'UNAUTHENTICATED',
    ]);
    expect(message.error.message).toMatch(/^An API key is required\. .+ (Create a key at|Ask the operator) /);
    for (const wrong of ['rvg_wrong', `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`]) {
      const refused = await agentOf(gateway, wrong).send('tools/list');
      expect([refused.status, refused.headers['www-authenticate']]).toEqual([
        401,
        'Bearer error="invalid_token"',
      ]);
      expect(refused.message).not.toHaveProperty('result');
    }
  });

  it('says for how long what does not change may be kept', async () => {
    for (const [method, params] of open.slice(2)) {
      const headers = { ...newest, 'mcp-method': method };
      const uri = 'uri' in params ? { 'mcp-name': String(params.uri) } : {};
      const { message } = await agent.send(method, { ...params, _meta }, { headers: { ...headers, ...uri } });
      expect([method, message.result]).toEqual([
        method,
        expect.objectContaining({ ttlMs: 300_000, cacheScope: 'public' }),
      ]);
    }
  });

  it('lists read-only tools whose schemas follow from the parameters of REST', async () => {
    const { message } = await agent.send('tools/list');
    const { tools } = message.result;
    const names = 'search_startups get_startup summarize_startups read_market list_changes';
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(names.split(' '));
    for (const { annotations, outputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
      expect(outputSchema).toBeUndefined();
    }
    expect(tools[0].inputSchema.properties.category.items.enum).toContain('developer-tools');
    expect(tools[0].inputSchema.properties.fields.items.enum).toContain('revenue.mrr');
    // Clients give these to the agent with every question, and some refuse or drop these keywords.
    const text = JSON.stringify(tools);
    expect(Buffer.byteLength(text)).toBeLessThan(16_000);
    for (const { name, inputSchema } of tools) {
      for (const [parameter, { description }] of Object.entries<{ description?: string }>(
        inputSchema.properties,
      )) {
        expect([name, parameter, description]).toEqual([
          name,
          parameter,
          expect.stringMatching(/^[A-Z].+\.$/),
        ]);
      }
    }
    // Nothing in a schema refuses what models send for an argument that they do not need.
    expect(text).not.toMatch(/"(minItems|minLength|pattern)"/);
    expect(text).not.toMatch(/"(anyOf|uniqueItems|additionalProperties)"|"format":"(?!date-time)/);
  });

  it('has the documentation, the schema and the policy as resources', async () => {
    const { message, headers } = await agent.send('resources/list');
    const uris: string[] = message.result.resources.map(({ uri }: { uri: string }) => uri);
    const origin = 'http://localhost:4000';
    expect(uris.filter((uri) => /backup|deploy/.test(uri))).toEqual([]);
    for (const [uri, text] of [
      [`${origin}/docs/rate-limits.md`, /^# .*ate limits/],
      [`${origin}/schema.graphql`, /type Query/],
      [`${origin}/policy`, /^Be fair\.$/],
    ] as const) {
      expect(uris).toContain(uri);
      const read = await agent.send('resources/read', { uri });
      expect(read.message.result.contents[0].text).toMatch(text);
      expect(read.headers['x-ratelimit-remaining']).toBe(headers['x-ratelimit-remaining']);
    }
  });
});

describe('a call', () => {
  it('returns fields of REST, and a text in dollars with the cost and what is left', async () => {
    const args = { category: ['ai', 'saas'], onSale: true, minRevenue: 100_000, sort: 'growth-desc' };
    const { structuredContent, text, headers } = await agent.call('search_startups', args);
    expect(structuredContent).toMatchObject({
      source: expect.stringContaining('third parties'),
      data: [{ slug: 'acme', askingPrice: 9_999_950, revenue: { last30Days: 123_400 }, growth30d: 24.25 }],
      meta: { total: 1, page: 1, limit: 10, hasMore: false },
      rateLimit: { cost: 1, remaining: Number(headers['x-ratelimit-remaining']), limit: 1_000 },
    });
    expect(Object.keys(structuredContent.data[0])).not.toContain('description');
    expect(text).toMatch(
      /^1 startup found; page 1 of 1\. Bounds: minRevenue \$1,000\.\nCost 1; \d+ of 1000 left until \S+Z\.\nData from third parties\./,
    );
    expect(text).toContain(
      'revenue.last30Days $1,234; revenue.mrr $1,000; askingPrice $99,999.50; growth30d 24.25%',
    );
  });

  it.each([
    ['one value', 'customers'],
    ['several', ['customers']],
  ])('returns the requested fields only, by %s', async (_what, fields) => {
    const { structuredContent } = await agent.call('search_startups', { limit: 1, fields });
    expect(Object.keys(structuredContent.data[0])).toEqual(['name', 'slug', 'customers']);
  });

  it('takes an empty value for an absent argument, an array as a text of JSON, and numbers and booleans as texts', async () => {
    const all = {
      category: '',
      country: [],
      techStack: [],
      slug: null,
      search: '',
      minMrr: null,
      teamSize: '[]',
    };
    for (const [tool, cost] of [
      ['search_startups', 1],
      ['summarize_startups', 3],
    ] as const) {
      const { text, structuredContent } = await agent.call(tool, { ...all, fundingStatus: [], sort: '' });
      expect([tool, text]).toEqual([tool, expect.stringMatching(/^25 startups found/)]);
      expect(structuredContent.rateLimit.cost).toBe(cost);
    }
    const written = {
      category: '["ai", "saas"]',
      paymentProvider: '["stripe"]',
      onSale: 'true',
      active: '1',
      minRevenue: '100000',
      limit: '3',
      fields: '["customers"]',
      slug: ' ["acme","other-1"] ',
    };
    const { structuredContent } = await agent.call('search_startups', written);
    expect(structuredContent).toMatchObject({
      data: [{ slug: 'acme', customers: 10 }],
      meta: { total: 1, limit: 3 },
    });
    const invalid = await agent.call('search_startups', { category: '["aii"]', techStack: '[oops]' });
    expect(invalid.text).toContain('category: got "aii", allowed: one of ai');
  });

  it('repeats the filters of a result without a startup, at no further cost', async () => {
    const args = {
      category: ['ai', 'saas'],
      onSale: false,
      minRevenue: 99_900,
      minCustomers: 50,
      updatedSince: '2020-01-01',
      search: 'acme\n"Cost 0',
    };
    for (const [tool, cost] of [
      ['search_startups', 1],
      ['summarize_startups', 3],
    ] as const) {
      const { text, structuredContent } = await agent.call(tool, args);
      expect(text).toContain(
        ' Filters: category ai or saas, onSale false, minCustomers 50, updatedSince 2020-01-01T00:00:00.000Z, search "acme \\"Cost 0". Bounds: minRevenue $999.',
      );
      expect(structuredContent.rateLimit.cost).toBe(cost);
    }
    expect((await agent.call('search_startups', { category: 'ai' })).text).not.toContain('Filters');
  });

  it('names the field, the value and what is allowed of each invalid argument', async () => {
    const { isError, text } = await agent.call('search_startups', {
      category: 'aii',
      limit: 11,
      onsale: true,
      minMrr: { a: 1 },
      techStack: ['react,next.js'],
      // Not a notation of URLs, but a number of JSON.
      minGrowth: 1e-7,
    });
    expect(isError).toBe(true);
    expect(text).toMatch(/^BAD_USER_INPUT/);
    expect(text).not.toMatch(/URL|minGrowth: got/);
    for (const error of [
      'limit: got 11, allowed: an integer from 1 to 10',
      'onsale: unknown parameter (did you mean "onSale"?), allowed: page',
      'category: got "aii", allowed: one of ai',
      'mobile-apps, or an array of several different ones',
      'techStack: got ["react,next.js"], allowed: at most',
      'minMrr: got "{\\"a\\":1}", allowed: a decimal number',
    ]) {
      expect(text).toContain(error);
    }
    const both = await agent.call('get_startup', { slug: 'acme', website: 'acme.example', last: 3 });
    expect(both.text).toContain('slug: got "acme", allowed: either a slug or a website');
    expect(both.text).toContain('history: got null, allowed: true');
    const notAnObject = await agent.send('tools/call', { name: 'search_startups', arguments: [] });
    expect(notAnObject.message.error.code).toBe(-32602);
  });

  it('says what its bounds mean, so that an agent sees when it used another unit', async () => {
    for (const tool of ['search_startups', 'summarize_startups']) {
      const { text } = await agent.call(tool, { minGrowth: 20, maxPrice: 100_000, minCustomers: 3 });
      expect(text).toMatch(/^.*Bounds: minGrowth 2,000% \(for 20%, write 0\.2\), maxPrice \$1,000\./);
    }
    const { text } = await agent.call('search_startups', { minGrowth: 0.2 });
    expect(text).toContain('Bounds: minGrowth 20%.');
  });

  it('finds a startup by its slug or website, with its history on request', async () => {
    for (const args of [{ slug: 'acme' }, { website: 'www.acme.example' }]) {
      const { structuredContent } = await agent.call('get_startup', { ...args, history: true, last: 5 });
      const history = [{ revenue: { mrr: 100_000 } }];
      expect(structuredContent.data).toMatchObject({ slug: 'acme', fundingStatus: null, history });
      expect(structuredContent.rateLimit.cost).toBe(2);
    }
    for (const args of [{ slug: 'nobody' }, { website: 'nobody.example' }]) {
      const { isError, text } = await agent.call('get_startup', args);
      expect(isError).toBe(true);
      expect(text).toMatch(/^NOT_FOUND: No startup has the (slug|website) "nobody/);
    }
  });

  it('summarizes, reads the market and lists changes', async () => {
    const { structuredContent, text } = await agent.call('summarize_startups', { category: 'ai' });
    expect(structuredContent.data.stats.revenue.median).toBe(123_400);
    expect(structuredContent.rateLimit.cost).toBe(3);
    for (const part of ['revenue of 1: sum $1,234, min $1,234', 'onSale: true 1', 'techStack: unknown 1']) {
      expect(text).toContain(part);
    }
    const grouped = await agent.call('summarize_startups', { by: 'category' });
    expect(grouped.structuredContent.rateLimit.cost).toBe(3);
    expect(grouped.text).toContain(
      'ai: 1 startup, 1 for sale; revenue sum $1,234, median $1,234; MRR sum $1,000, median $1,000; price median $99,999.50; growth median 24.25%',
    );
    const market = await agent.call('read_market', { category: 'ai' });
    expect(market.structuredContent.meta).toMatchObject({ count: market.structuredContent.data.length });
    const changes = await agent.call('list_changes', { limit: 20 });
    expect(changes.structuredContent).toMatchObject({ meta: { hasMore: true }, rateLimit: { cost: 2 } });
    const { next } = changes.structuredContent.meta;
    expect(changes.text).toContain(`Pass this as since of the next call: ${next}`);
    const rest = await agent.call('list_changes', { since: next });
    expect(rest.structuredContent.data).toHaveLength(5);
  });
});

describe('the text of a result', async () => {
  const long = await openTestGateway({
    limits: 10_000,
    records: Array.from({ length: 120 }, (_, index) =>
      record(`startup-with-a-long-slug-${index}`, {
        name: `Name "${index}" ${'of a startup '.repeat(12)}`,
        description: 'a description '.repeat(14),
        founderMessage: 'a message '.repeat(90),
        valueProposition: 'a value '.repeat(90),
        problemSolved: 'a problem '.repeat(90),
        website: `https://shared.example/${'path/'.repeat(50)}`,
        country: ['DE', 'FR', 'US', 'GB', 'JP'][index % 5] as string,
        techStack: Array.from({ length: 20 }, (_, tech) => `technology number ${tech}`),
        revenue: { last30Days: 1_234_567_890 + index, mrr: 123_456_789 - index, total: 9_999_999_999 },
        growth30d: index % 7 === 0 ? null : index,
      }),
    ),
  });
  const reader = agentOf(long, (await long.key()).key);
  /** The numbers of the records that a text or a result names. */
  const named = (of: unknown): string[] => [
    ...new Set(JSON.stringify(of).match(/startup-with-a-long-slug-\d+/g)),
  ];

  it.each([
    ['search_startups', {}, 10],
    ['search_startups', { fields: fieldsOf('list', 'detail').map(({ path }) => path) }, 10],
    ['list_changes', { limit: 100 }, 50],
    ['get_startup', { website: 'shared.example' }, 10],
    ['get_startup', { slug: 'startup-with-a-long-slug-7', history: true, fill: true }, 1],
  ])('of %s %j has the records of structuredContent', async (name, args, count) => {
    const { text, structuredContent } = await reader.call(name, args);
    expect(text.length).toBeLessThanOrEqual(12_000);
    expect(text).not.toMatch(/more lines$/);
    expect(named(text)).toEqual(named(structuredContent));
    expect(named(text)).toHaveLength(count);
  });

  it('of changes continues after the last that it shows, and costs what it shows', async () => {
    const first = await reader.call('list_changes', { limit: 100 });
    expect(first.structuredContent).toMatchObject({ meta: { hasMore: true }, rateLimit: { cost: 5 } });
    const since = /next call: (\S+)/.exec(first.text)?.[1];
    const second = await reader.call('list_changes', { since, limit: 100 });
    const third = await reader.call('list_changes', { since: second.structuredContent.meta.next, limit: 50 });
    expect(new Set([first, second, third].flatMap(({ text }) => named(text))).size).toBe(120);
  });

  it('of groups shows the first in an order, with their MRR', async () => {
    const args = { by: 'country', sort: 'mrr-asc', top: 2 };
    const { text, structuredContent } = await reader.call('summarize_startups', args);
    const groups = [{ value: 'JP' }, { value: 'GB' }];
    expect(structuredContent).toMatchObject({ data: { groups }, meta: { groups: 5 } });
    expect(text).toContain('5 groups, the first 2 by mrr-asc.');
    expect(text).toMatch(/^JP: 24 startups, 0 for sale; revenue sum \$.*; MRR sum \$.*, median \$/m);
    const { text: refused } = await reader.call('summarize_startups', { top: 2 });
    expect(refused).toContain('by: got null, allowed: a field with top, sort or after');
  });

  it('of groups has as many as it holds, also of all countries, and continues after the last by a median', async () => {
    const all = countries.map((country, index) =>
      record(`in-${country.toLowerCase()}`, {
        country,
        revenue: { last30Days: 1_000_000 + index * 100, mrr: 0, total: 9_999_999_999 },
      }),
    );
    const worldwide = await openTestGateway({ limits: 1_000, records: [...all, record('nowhere')] });
    const traveller = agentOf(worldwide, (await worldwide.key()).key);
    const found: string[] = [];
    let after: string | undefined;
    do {
      const args = { by: 'country', sort: 'median-revenue-desc', ...(after && { after }) };
      const { text, structuredContent } = await traveller.call('summarize_startups', args);
      const { groups } = structuredContent.data;
      expect(text.length).toBeLessThanOrEqual(12_000);
      expect(text.match(/^(\w\w|unknown): 1 startup,/gm)).toHaveLength(groups.length);
      expect(groups.length > 40 || structuredContent.meta.next === null).toBe(true);
      found.push(...groups.map(({ value }: { value: string | null }) => value ?? 'unknown'));
      const named = /call again with after (\w+)\./.exec(text)?.[1];
      expect(named ?? null).toBe(structuredContent.meta.next);
      after = named;
    } while (after !== undefined);
    expect(found).toEqual([...countries.toReversed(), 'unknown']);
    const wrong = await traveller.call('summarize_startups', { by: 'country', after: 'XX' });
    expect(wrong.text).toContain('after: got "XX", allowed: the next of a call with the same filters');
  });

  it.each([
    // A founder with the word for none, the largest, and 252 with two startups each, of whom two are left out.
    [
      'xHandle',
      '@unknown: 4 startups',
      'founders of fewer than 2 startups and all but the 250 largest groups',
    ],
    ['techStack', '"unknown": 4 startups', 'all but the 250 largest groups'],
  ])('of groups by %s has all of the largest, and says what is left out', async (by, largest, leftOut) => {
    const founded = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => {
        // In any case.
        const xHandle = index % 2 === 1 ? name.toUpperCase() : name;
        return record(`${name}-${index}`, { xHandle, techStack: [xHandle] });
      });
    const names = Array.from({ length: 252 }, (_, index) => `f${index}`);
    const records = [
      record('nobody'),
      ...founded('single', 1),
      ...names.flatMap((name) => founded(name, 2)),
      ...founded('unknown', 4),
    ];
    const serial = await openTestGateway({ limits: 1_000, records });
    const reader = agentOf(serial, (await serial.key()).key);
    const found: string[] = [];
    let after: string | undefined;
    do {
      const args = { by, ...(after && { after }) };
      const { text, structuredContent } = await reader.call('summarize_startups', args);
      const { groups } = structuredContent.data;
      expect(text).toContain(` Left out: ${leftOut}.`);
      expect(structuredContent.meta.leftOut).toBe(leftOut);
      expect(text.match(/^\S+: \d+ startups?,/gm)).toHaveLength(groups.length);
      found.push(...groups.map(({ value }: { value: string | null }) => value ?? 'none'));
      expect(text.includes(largest)).toBe(after === undefined);
      // As an agent reads it: with @ or without the quotes.
      after = /call again with after "?([^".]+)"?\./.exec(text)?.[1];
      expect(after === undefined).toBe(structuredContent.meta.next === null);
    } while (after !== undefined);
    // Equal technologies are in the order of their names.
    const inOrder = by === 'xHandle' ? names : [...names, 'single'].toSorted();
    expect(found).toEqual(['unknown', ...inOrder.slice(0, 249), 'none']);
  });

  it('of groups by technology continues after exactly the one that is named, also with @', async () => {
    const records = [record('one', { techStack: ['@scope/kit', 'scope/kit', 'tool'] })];
    const serial = await openTestGateway({ records });
    const reader = agentOf(serial, (await serial.key()).key);
    const readAfter = (name: string) => reader.call('summarize_startups', { by: 'techStack', after: name });
    const { text, structuredContent } = await readAfter('@scope/kit');
    expect(text).toContain(' after "@scope/kit".');
    expect(structuredContent.data.groups.map(({ value }: { value: string }) => value)).toEqual([
      'scope/kit',
      'tool',
    ]);
    expect((await readAfter('@tool')).text).toContain('after: got "@tool", allowed: the next of a call');
  });
});

describe('a client', () => {
  const accepted = ['application/json', '*/*', 'application/*, text/*', 'text/html', '', 'text/event-stream'];
  it.each(accepted)('gets an answer whatever it accepts: %s', async (accept) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const headers = { 'content-type': 'application/json', ...(accept && { accept }) };
    for (const path of ['/mcp', '/mcp/']) {
      const answer = await gateway.call(path, { method: 'POST', key, headers, body });
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
      expect(answer.json.result.tools).toHaveLength(5);
    }
  });

  it('is refused before its call is prepared, once its limit is used up', async () => {
    const limited = await openTestGateway({ records: [record('acme')], limits: 1 });
    const prepare = vi.spyOn(toolsWith([])[0] as Tool, 'prepare');
    onTestFinished(() => prepare.mockRestore());
    const visitor = agentOf(limited, (await limited.key()).key);
    for (let call = 0; call < 3; call += 1) {
      await visitor.call('search_startups', { fields: Array(4_000).fill('name') });
    }
    expect(prepare).toHaveBeenCalledTimes(1);
  });

  it('finds code and request id in every error', async () => {
    for (const [method, params, number, code] of [
      ['tools/call', { name: 'nothing' }, -32602, 'BAD_USER_INPUT'],
      ['made/up', {}, -32601, 'NOT_FOUND'],
      ['resources/read', { uri: 'file:///x' }, -32602, 'BAD_USER_INPUT'],
    ] as const) {
      const { message, headers } = await agent.send(method, params);
      const data = { code, requestId: headers['x-request-id'] };
      expect(message.error).toMatchObject({ code: number, data });
    }
    const { structuredContent, headers } = await agent.call('get_startup', { slug: 'nobody' });
    const error = { code: 'NOT_FOUND', requestId: headers['x-request-id'] };
    expect(structuredContent).toEqual({ error });
  });
});

describe('what is refused', () => {
  it('other methods, media types, batches, and what is not JSON', async () => {
    const { headers: before } = await agent.send('ping');
    // The limit of the key, of which these cost nothing.
    const limits = { 'x-ratelimit-limit': '1000', 'x-ratelimit-remaining': before['x-ratelimit-remaining'] };
    for (const method of ['GET', 'DELETE']) {
      const { status, headers, json } = await agent.post('', { method });
      expect([status, json.error.data.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
      expect(headers).toMatchObject({ allow: 'POST, OPTIONS', ...limits });
    }
    const text = await agent.post('{}', { headers: { 'content-type': 'text/plain' } });
    expect(text.status).toBe(415);
    const batch = '[{"jsonrpc":"2.0","id":1,"method":"ping"}]';
    for (const body of ['', '{', '[]', batch, '1', 'null', `${'['.repeat(40)}1${']'.repeat(40)}`]) {
      const { status, json } = await agent.post(body);
      expect([status, json.error.data.code], body).toEqual([400, 'BAD_USER_INPUT']);
    }
    expect((await agent.post({})).status).toBe(400);
  });

  it('a key that may run only published documents', async () => {
    const { key: restricted, id } = await gateway.key();
    await gateway.database.prisma.apiKey.update({ where: { id }, data: { trustedOnly: true } });
    const visitor = agentOf(gateway, restricted);
    const { status, message } = await visitor.send('tools/list');
    expect([status, message.error.data.code]).toEqual([403, 'DOCUMENT_NOT_TRUSTED']);
  });
});

it('answers by the newest revision of the protocol as well', async () => {
  const called = { 'mcp-method': 'tools/call', 'mcp-name': 'get_startup' };
  const headers = { 'mcp-protocol-version': '2026-07-28', ...called };
  const params = { name: 'get_startup', arguments: { slug: 'acme' }, _meta };
  const { headers: sent, json } = await agent.send('tools/call', params, { headers });
  expect(sent['content-type']).toContain('application/json');
  expect(json.result).toMatchObject({ structuredContent: { data: { slug: 'acme' } } });
  const mismatch = await agent.send('tools/call', params, { headers: { ...headers, 'mcp-name': 'other' } });
  expect([mismatch.status, mismatch.json.error.code]).toEqual([400, -32020]);
});

it('presents itself by the name of the service', async () => {
  const named = await openTestGateway({ app: { service: { name: 'Acme Data' } } });
  const { message } = await agentOf(named, (await named.key()).key).send('initialize', initial);
  expect(message.result.serverInfo).toMatchObject({ name: 'revgate', title: 'Acme Data' });
});

it('is counted and logged as a surface of its own', async () => {
  const own = await openTestGateway({ records: [record('acme')], clock: createTestClock() });
  await agentOf(own, (await own.key()).key).call('search_startups');
  const lines = own.logs.map((line) => JSON.parse(line)).filter(({ path }) => path === '/mcp');
  expect(lines).toMatchObject([{ surface: 'mcp', status: 200 }]);
  const { text } = await own.call('/metrics', { address: '127.0.0.1' });
  expect(text).toContain('revgate_requests_total{surface="mcp",status="200"} 1\n');
});
