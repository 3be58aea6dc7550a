import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestGateway, type TestGateway } from '../support/gateway.ts';
import { record } from '../support/records.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({
    records: [record('one', { onSale: true, askingPrice: 1_234_500 }), record('two')],
  });
});
afterAll(() => gateway.close());

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('the first page', () => {
  it('leads on, and shows a query with what it gives, but no record', async () => {
    const { status, headers, text } = await gateway.call('/', { headers: BROWSER });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    for (const path of ['/docs', '/graphql', '/dashboard', '/policy']) {
      expect(text).toContain(`href="${path}"`);
    }
    expect(text).toContain('stats { price { median }');
    expect(text).toContain('&quot;median&quot;: 1234500');
    expect(text).not.toContain('one.example');
  });

  it('shows what the query gives after a change', async () => {
    await gateway.database.pool.query("UPDATE startups SET asking_price = 777 WHERE slug = 'one'");
    await expect.poll(async () => (await gateway.call('/')).text).toContain('&quot;median&quot;: 777');
  });

  it('has the icon that browsers look for', async () => {
    for (const path of ['/favicon.ico', '/favicon.svg']) {
      const { status, headers } = await gateway.call(path);
      expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml']);
    }
  });
});

describe('a page that does not exist', () => {
  it('is HTML for browsers, with the path as text', async () => {
    const { status, headers, text } = await gateway.call('/<b>nowhere', { headers: BROWSER });
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).toContain('&lt;b&gt;nowhere');
  });

  it('is JSON for programs, and everywhere under the API', async () => {
    for (const [path, status, options] of [
      ['/nowhere', 404, {}],
      ['/nowhere', 404, { headers: { accept: 'application/json' } }],
      ['/api/v1/startups', 401, { headers: BROWSER }],
    ] as const) {
      const answer = await gateway.call(path, options);
      expect([answer.status, answer.headers['content-type']]).toEqual([
        status,
        'application/json; charset=utf-8',
      ]);
    }
  });
});
