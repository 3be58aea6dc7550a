import { describe, expect, it } from 'vitest';
import { createTestClock } from '../../support/clock.ts';
import { type Answer, type CallOptions, openTestGateway } from '../../support/gateway.ts';
import { record } from '../../support/records.ts';

const clock = createTestClock();
const gateway = await openTestGateway({ clock, records: [record('one'), record('two')] });

const LIST = '/api/v1/startups';
const FLOOD = 60;
const LIMIT = 10;

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const post = (body: object): CallOptions => ({ method: 'POST', headers: json, body: JSON.stringify(body) });
const many = (count: number, text: string): string => Array.from({ length: count }, () => text).join(' ');
/** A document that costs 2, and takes long to validate; each time another text. */
const costly = (at: number): string =>
  `{ a: startups { ${many(100, 'page { name slug }')} } b: startups { meta { page } } } #${at}`;
const invalid = (at: number): string => `{ ${many(99, `nothing${at}`)} }`;
const call = (name: string): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: {} },
});

/** Requests of one surface, each a path and its options. */
const floods: [surface: string, request: (at: number) => [path: string, options?: CallOptions]][] = [
  ['GraphQL', (at) => ['/graphql', post({ query: costly(at) })]],
  ['GraphQL by GET', (at) => [`/graphql?query=${encodeURIComponent(costly(at))}`]],
  ['GraphQL, invalid', (at) => ['/graphql', post({ query: invalid(at) })]],
  ['REST', () => [`${LIST}/one/history`]],
  ['REST, invalid', (at) => [`${LIST}?unknown${at}=1`]],
  ['REST, a path that does not exist', (at) => [`/api/v1/nothing${at}`]],
  ['MCP', () => ['/mcp', post(call('summarize_startups'))]],
  ['MCP, a tool that does not exist', () => ['/mcp', post(call('nothing'))]],
];

/** Whether a response says what its request asked for, or what was wrong with it: it was read. */
const wasRead = ({ text }: Answer): boolean => !text.includes('Rate limit exceeded: 0 of 10 are left');

describe('a flood with one standard key', () => {
  it.each(floods)(
    'is read at most as often as its limit, and others are answered: %s',
    async (_surface, request) => {
      const { key } = await gateway.key();
      const other = await gateway.key();
      const send = (at: number): Promise<Answer> => {
        const [path, options] = request(at);
        return gateway.call(path, { key, ...options });
      };
      const answers: Answer[] = [];
      const lists: Answer[] = [];
      for (let at = 0; at < FLOOD; at += 1) {
        answers.push(await send(at));
        if (at % (FLOOD / LIMIT) === 0) {
          lists.push(await gateway.call(LIST, { key: other.key }));
        }
      }
      expect(answers.filter(wasRead).length).toBeLessThanOrEqual(LIMIT);
      expect(answers.slice(LIMIT).every((answer) => !wasRead(answer))).toBe(true);
      expect(lists.map(({ status }) => status)).toEqual(Array.from({ length: LIMIT }, () => 200));
    },
  );
});

describe('a flood without a key', () => {
  it.each(floods)('is read by no surface: %s', async (_surface, request) => {
    const address = '203.0.113.9';
    await clock.advance(60_000);
    const answers = await Promise.all(
      Array.from({ length: FLOOD }, (_, at) => {
        const [path, options] = request(at);
        return gateway.call(path, { address, ...options });
      }),
    );
    const count = (status: number): number => answers.filter((answer) => answer.status === status).length;
    expect([count(401), count(429)]).toEqual([LIMIT, FLOOD - LIMIT]);
    const { key } = await gateway.key();
    expect((await gateway.call(LIST, { key, address })).status).toBe(200);
  });
});

describe('a flood takes turns with another client', () => {
  const together: typeof floods = [
    ...floods.filter(([surface]) => surface.startsWith('GraphQL')),
    ['MCP, tools', () => ['/mcp', post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })]],
    ['MCP, calls', () => ['/mcp', post(call('summarize_startups'))]],
  ];
  it.each(together)('when 200 requests arrive together: %s', async (_surface, request) => {
    const large = await openTestGateway({ records: [record('one')], limits: 1_000 });
    const [{ key }, other] = [await large.key(), await large.key()];
    const send = ([path, options]: ReturnType<typeof request>) => large.call(path, { key, ...options });
    // What is loaded at the first request, and both keys: how long a busy machine takes to read one is not asked here.
    await send(request(0));
    await large.call(LIST, { key: other.key });
    const order: string[] = [];
    const note = (who: string) => () => order.push(who);
    const answers = Array.from({ length: 200 }, (_, at) => send(request(at + 1)).then(note('flood')));
    const list = large.call(LIST, { key: other.key }).then(note('other'));
    await Promise.all([...answers, list]);
    expect(order.indexOf('other')).toBeLessThan(100);
  });
});
