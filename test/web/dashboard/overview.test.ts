import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../support/html.ts';
import { record } from '../../support/records.ts';
import { openSite } from './site.ts';

const PATH = '/dashboard/operator';
const HOUR_MS = 3_600_000;
const NOON = Date.parse('2026-11-20T12:30:00.000Z');

const site = await openSite({ records: [record('one'), record('two')], startsAt: NOON });
const op = await site.operator('op@example.com');
const ada = await site.member('ada@example.com');
const { id: first } = await ada.createKey({ name: 'first' });
const { id: second } = await ada.createKey({ name: 'second' });
const commandKey = await site.key({ name: 'by command' });

const use = (keyId: string, hoursAgo: number, status: number, requests: number) => ({
  keyId,
  hour: new Date(NOON - (NOON % HOUR_MS) - hoursAgo * HOUR_MS),
  surface: 'rest',
  status,
  requests: BigInt(requests),
});
await site.database.prisma.keyUsage.createMany({
  data: [
    use(first, 1, 200, 100),
    use(first, 30, 429, 7),
    use(second, 1, 500, 5),
    use(second, 1, 499, 3),
    use(commandKey.id, 48, 200, 50),
    use('key_deleted00000', 2, 200, 20),
    // Before the period.
    use(first, 24 * 40, 200, 100_000),
  ],
});

describe('the overview of an operator', () => {
  it('shows the requests of all keys by day, and who sent most', async () => {
    const { status, text } = await op.get(PATH);
    expect(status).toBe(200);
    expect(text).toContain('185 requests, 7 of them rate limited.');
    expect(rowsOf(text, 'Newest first').slice(0, 3)).toEqual([
      ['2026-11-20', '128', '5', '0'],
      ['2026-11-19', '7', '0', '7'],
      ['2026-11-18', '50', '0', '0'],
    ]);
    expect(rowsOf(text, 'Busiest keys')).toEqual([
      ['first', '107', '0', '7'],
      ['by command', '50', '0', '0'],
      ['key_deleted00000', '20', '0', '0'],
      ['second', '8', '5', '0'],
    ]);
    expect(rowsOf(text, 'Busiest accounts')).toEqual([['ada@example.com', '115', '5', '7']]);
    expect(text).toContain(`href="${PATH}/accounts/${ada.accountId}"`);
  });

  it('shows the freshness of the data, the last import and this node', async () => {
    const { text } = await op.get(PATH);
    expect(text).toContain('<dt><a href="/dashboard/explorer">Startups</a></dt><dd>2</dd>');
    for (const [name, path] of [
      ['Working keys', '/keys?state=active'],
      ['Accounts', '/accounts'],
    ]) {
      expect(text).toContain(`<a href="${PATH}${path}">${name}</a>`);
    }
    expect(text).toContain('<dt>Data</dt><dd><span class="badge good">Up to date</span></dd>');
    expect(text).toContain('<dt>Last import</dt><dd>None yet</dd>');
    expect(text).toContain('<dt>Rate limits</dt><dd><span class="badge good">In memory</span>');
    expect(text).toContain('<dt>This node</dt><dd><span class="badge good">Ready</span></dd>');
  });

  it('finds a key or an account by its id, and others by a search', async () => {
    const found = async (q: string) =>
      (await op.get(`${PATH}/find?${new URLSearchParams({ q })}`)).headers.location;
    expect(await found(` ${first} `)).toBe(`${PATH}/keys/${first}`);
    expect(await found(ada.accountId)).toBe(`${PATH}/accounts/${ada.accountId}`);
    expect(await found('ada@example')).toBe(`${PATH}/accounts?q=ada%40example`);
    expect(await found('first')).toBe(`${PATH}/keys?q=first`);
    expect(await found('//evil.example/@')).toBe(`${PATH}/accounts?q=%2F%2Fevil.example%2F%40`);
  });
});
