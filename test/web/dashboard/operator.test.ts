import { describe, expect, it } from 'vitest';
import { demoteAccount, promoteAccount } from '../../../src/access/accounts/change.ts';
import { createAccount } from '../../../src/access/accounts/create.ts';
import { disableKey } from '../../../src/access/keys/change.ts';
import type { Answer } from '../../support/gateway.ts';
import { rowsOf } from '../../support/html.ts';
import { record } from '../../support/records.ts';
import { expectPage, openSite } from './site.ts';

const PATH = '/dashboard/operator';

const site = await openSite({
  records: [record('one'), record('two')],
  limits: { standard: 500, premium: 600 },
});
const op = await site.operator('op@example.com');
const holder = await site.member('holder@example.com');
const holderId = holder.accountId;
const { id: keyId, key } = await holder.createKey({ name: 'billing' });

const ask = async () => (await site.call('/api/v1/startups', { key })).status;
const lastAct = () => site.database.prisma.auditEntry.findFirstOrThrow({ orderBy: { id: 'desc' } });

it.each(['constructor', 'nothing', 'deleted', 'key-disable'])(
  'shows no notice that only a link names: %s',
  async (name) => {
    for (const [browser, path] of [
      [site.browser(), `/dashboard/sign-in?notice=${name}`],
      [holder, `/dashboard/account?notice=${name}`],
      [holder, `/dashboard/keys/${keyId}?notice=${name}`],
      [op, `${PATH}/keys/${keyId}?notice=${name}`],
      [op, `${PATH}/accounts/${holderId}?notice=${name}`],
    ] as const) {
      const page = await browser.get(path);
      expect(page.status).toBe(200);
      expect(page.text).not.toContain('class="notice');
    }
  },
);

it.each([
  ['an operator sees', () => op, true],
  ['a holder can open but does not see', () => holder, false],
  ['anybody can open but does not see', () => site.browser(), false],
] as const)('%s the documentation for operators listed', async (_who, browserOf, isListed) => {
  const browser = browserOf();
  const { text, headers } = await browser.get('/docs');
  expect(text.includes('href="/docs/backup"')).toBe(isListed);
  expect(headers['cache-control']).toBe(isListed ? 'private, no-cache' : 'no-cache');
  const page = await browser.get('/docs/backup');
  expect([page.status, page.text.includes('rel="next"')]).toEqual([200, isListed]);
});

it("an operator's right begins and ends from one request to the next", async () => {
  expect((await op.get(PATH)).status).toBe(200);
  // Nor does a method that a page lacks say that there is one.
  expect((await op.post(`${PATH}/audit`)).status).toBe(405);
  expect((await holder.post(`${PATH}/audit`)).status).toBe(404);
  expect((await op.get('/dashboard/account')).text).toContain('<dd>Operator');
  await demoteAccount(site.acting, 'op@example.com');
  expect((await op.get(PATH)).status).toBe(404);
  expect((await op.get('/dashboard/account')).text).not.toContain('<dd>Operator');
  await promoteAccount(site.acting, 'op@example.com');
  expect((await op.get(PATH)).status).toBe(200);
});

describe('a key', () => {
  it('is disabled with a reason that its holder reads, and enabled again', async () => {
    for (const reason of ['   ', 'x'.repeat(501), 'a\u0000b']) {
      expectPage(await op.post(`${PATH}/keys/${keyId}/disable`, { reason }), 400, 'role="alert"');
    }
    expect(await ask()).toBe(200);

    const details = { reason: 'sold <the> data' };
    const done = await op.submit(`${PATH}/keys/${keyId}/disable`, details);
    expect(done.text).toContain('The key is disabled');
    await site.notice();
    expect(await ask()).toBe(403);
    expect((await holder.get(`/dashboard/keys/${keyId}`)).text).toContain('sold &lt;the&gt; data');
    expect(await lastAct()).toMatchObject({
      actor: op.accountId,
      action: 'key.disable',
      subject: keyId,
      details,
    });
    expect((await op.get(`${PATH}/keys?state=disabled`)).text).toContain(keyId);
    expect((await op.get(`${PATH}/keys?state=active`)).text).not.toContain(keyId);
    await op.submit(`${PATH}/keys/${keyId}/enable`);
    await site.notice();
    expect(await ask()).toBe(200);
    expect(await lastAct()).toMatchObject({ action: 'key.enable', subject: keyId });
  });

  it('has a tier, a limit of its own and a permission, of which only what changes is recorded', async () => {
    const limitOf = async () => {
      await site.notice();
      return (await site.call('/api/v1/startups', { key })).headers['x-ratelimit-limit'];
    };
    const snapshot = async () => (await site.call('/api/v1/snapshot', { key, method: 'HEAD' })).status;
    const set = (fields: Record<string, string>) =>
      op.submit(`${PATH}/keys/${keyId}/limits`, { tier: 'standard', limit: '', ...fields });
    expect((await set({ tier: 'gold' })).status).toBe(400);
    expect((await set({ limit: 'many' })).status).toBe(400);
    // Nothing of a form with an error is applied.
    expect((await set({ limit: '700', tier: 'gold' })).status).toBe(400);
    expect((await holder.get(`/dashboard/keys/${keyId}`)).text).toContain('500 requests a minute');
    expect((await set({ tier: 'premium' })).text).toContain('Premium, 600 requests a minute');
    expect([await limitOf(), await snapshot()]).toEqual(['600', 403]);
    expect(await lastAct()).toMatchObject({ action: 'key.tier' });

    await set({ limit: '700' });
    expect((await holder.get(`/dashboard/keys/${keyId}`)).text).toContain('700 requests a minute');
    expect(await limitOf()).toBe('700');
    const before = await lastAct();
    await set({ limit: '700' });
    expect(await lastAct()).toEqual(before);
    await set({ limit: ' ' });
    expect(await limitOf()).toBe('500');

    expect((await set({ snapshot: 'on' })).text).toContain('Can download all startups, once an hour');
    expect(await lastAct()).toMatchObject({ action: 'key.allow', subject: keyId });
    expect([await limitOf(), await snapshot()]).toEqual(['500', 200]);
    await set({});
    expect(await lastAct()).toMatchObject({ action: 'key.forbid', details: { permission: 'snapshot' } });
    expect([await limitOf(), await snapshot()]).toEqual(['500', 403]);
  });

  it.each(['key_000000000000', '%00', 'x'])('an unknown or invalid id is a 404: %s', async (id) => {
    expect((await op.get(`${PATH}/keys/${id}`)).status).toBe(404);
    expect((await op.post(`${PATH}/keys/${id}/disable`, { reason: 'x' })).status).toBe(404);
    const unknown = await op.get(`${PATH}/accounts/${id}`);
    expectPage(unknown, 404, `<p class="back"><a href="${PATH}/accounts">Accounts</a></p>`);
    expect((await op.post(`${PATH}/accounts/${id}/enable`)).status).toBe(404);
    expect((await op.get(`${PATH}/policies/${id}`)).status).toBe(404);
  });
});

it('an account is disabled with its keys, for a reason that its holder reads, and enabled again', async () => {
  expect((await op.post(`${PATH}/accounts/${holderId}/disable`, { reason: ' ' })).status).toBe(400);
  await op.submit(`${PATH}/accounts/${holderId}/disable`, { reason: 'bulk republication' });
  await site.notice();
  expect(await ask()).toBe(403);
  expect((await holder.get('/dashboard/keys')).headers.location).toMatch(/sign-in/);
  expect((await op.get(`${PATH}/accounts?state=disabled`)).text).toContain('holder@example.com');
  expect((await op.get(`${PATH}/keys?state=disabled`)).text).toContain(keyId);
  await op.submit(`${PATH}/accounts/${holderId}/enable`, { reason: 'a mistake' });
  await site.notice();
  expect(await ask()).toBe(200);
  expect(await lastAct()).toMatchObject({ action: 'account.enable', details: { reason: 'a mistake' } });
  await holder.signIn('holder@example.com');
});

describe('deleting an account', () => {
  it('follows a confirmation, ends its keys and sessions, and is recorded without personal data', async () => {
    const ned = await site.member('ned@example.com');
    const id = ned.accountId;
    const phone = await ned.createKey({ name: 'Ned’s phone' });
    await ned.createKey({ name: 'Ned’s page', origins: 'https://ned.example' });
    await ned.post(`/dashboard/keys/${phone.id}/documents`, { document: '{ dataset { total } } # Ned’s' });
    await ned.post(`/dashboard/keys/${phone.id}/rename`, { name: 'Ned’s tablet' });
    expect((await holder.get(`${PATH}/accounts/${id}/delete`)).status).toBe(404);
    expect((await holder.post(`${PATH}/accounts/${id}/delete`)).status).toBe(404);
    expectPage(await op.get(`${PATH}/accounts/${id}/delete`), 200, 'ned@example.com');
    expect((await ned.get('/dashboard/account')).status).toBe(200);

    await op.submit(`${PATH}/accounts/${id}/delete`);
    expect((await op.get(`${PATH}/accounts/${id}`)).status).toBe(404);
    expect((await ned.get('/dashboard/account')).headers.location).toMatch(/sign-in/);
    await site.notice();
    expect((await site.call('/api/v1/startups', { key: phone.key })).status).toBe(401);
    const details = { revokedKeys: 2 };
    expect(await lastAct()).toMatchObject({ action: 'account.delete', subject: id, details });
    expect(await site.tablesWith('ned@|Ned’s|ned\\.example')).toEqual([]);
  });

  it('of an operator is refused, one’s own included', async () => {
    const refused = await op.post(`${PATH}/accounts/${op.accountId}/delete`);
    expectPage(refused, 400, 'revgate accounts demote');
    expect((await op.get(PATH)).status).toBe(200);
  });
});

it('an operator who is disabled can do nothing more, including enabling itself', async () => {
  const mallory = await site.member('mallory@example.com', { accepts: false });
  const id = mallory.accountId;
  await promoteAccount(site.acting, id);
  expect((await mallory.get(`${PATH}/accounts/${id}`)).status).toBe(200);
  await op.submit(`${PATH}/accounts/${id}/disable`, { reason: 'abuse' });
  expect((await mallory.post(`${PATH}/accounts/${id}/enable`)).headers.location).toMatch(/sign-in/);
  const again = await mallory.signIn('mallory@example.com');
  expectPage(again, 403, 'Your account is disabled under the acceptable-use policy: abuse');
  expect((await site.accountOf('mallory@example.com')).disabledAt).not.toBeNull();
  const wrong = await mallory.signIn('mallory@example.com', 'wrong one');
  expect(wrong.status).toBe(400);
  expect(wrong.text).not.toContain('abuse');
  await op.submit(`${PATH}/accounts/${id}/enable`);
  expect((await mallory.signIn('mallory@example.com')).status).toBe(303);
});

describe('a search', () => {
  it('finds accounts and keys by their properties, and treats wildcards literally', async () => {
    const acting = site.acting;
    await createAccount(acting, { name: '100% _fair_ \\o/' });
    await createAccount(acting, { name: '100 unfair' });
    const find = async (kind: string, q: string): Promise<(string | undefined)[]> => {
      const { text } = await op.get(`${PATH}/${kind}?${new URLSearchParams({ q })}`);
      return [...text.matchAll(new RegExp(`operator/${kind}/(\\w+)"`, 'g'))].map(([, id]) => id);
    };
    const counts = { 'HOLDER@': 1, [holderId]: 1, 100: 2, '100%': 1, _fair: 1, '\\o': 1, "' OR 1=1 --": 0 };
    for (const [q, count] of Object.entries({ ...counts, '\u0000': 0 })) {
      expect(await find('accounts', q), q).toHaveLength(count);
    }
    const listed = await op.get(`${PATH}/accounts?q=${holderId}&state=active`);
    expect(rowsOf(listed.text, 'Newest first')[0]?.slice(1, 3)).toEqual(['Active', '1']);
    expect(listed.text).toContain(`href="${PATH}/keys?q=${holderId}"`);
    const none = await op.get(`${PATH}/accounts?q=${holderId}&state=disabled`);
    expect(none.text).toContain(`href="${PATH}/accounts">Show all</a>`);
    for (const q of ['BILL', keyId, key.slice(0, 8), holderId]) {
      expect(await find('keys', q)).toEqual([keyId]);
    }
    // The key itself is nothing to search by.
    expect(await find('keys', key)).toEqual([]);
    expect(await find('keys', '%')).toEqual([]);
  });

  it('is paged, and so is the audit log', async () => {
    for (let index = 0; index < 30; index++) {
      await createAccount(site.acting, { name: `crowd ${index}` });
    }
    const namesOn = ({ text }: Answer) => [...text.matchAll(/>(crowd \d+)</g)].map(([, name]) => name);
    const first = namesOn(await op.get(`${PATH}/accounts?q=crowd`));
    const second = await op.get(`${PATH}/accounts?q=crowd&page=2`);
    expect(first).toHaveLength(25);
    expect(new Set([...first, ...namesOn(second)]).size).toBe(30);
    expect(second.text).toContain('href="/dashboard/operator/accounts?q=crowd&amp;page=1"');
    expect(second.text).not.toContain('rel="next"');
    expect((await op.get(`${PATH}/accounts?q=crowd&page=999`)).text).toContain('There is no such page.');

    const audit = await op.get(`${PATH}/audit?action=account.create`);
    expect(audit.text.match(/<span class="badge">Created account/g)).toHaveLength(25);
    const { id } = await site.key({ name: 'audited' });
    await disableKey(site.acting, id, 'cloned <it>');
    const found = await op.get(`${PATH}/audit?q=${id}`);
    expect(found.text).toContain('Reason: cloned &lt;it&gt;');
    expect(found.text).toContain(`title="${id}" href="${PATH}/keys/${id}">audited</a>`);
    const details = {
      notes: ['line 1'],
      leftOut: [],
      first: 'one two three four'.split(' '),
      text: 'x'.repeat(90),
    };
    const entry = { at: new Date(), actor: 'command line', action: 'startups.import', subject: '7', details };
    await site.database.prisma.auditEntry.create({ data: entry });
    const { text } = await op.get(`${PATH}/audit?q=7`);
    expect(text).toContain(`href="${PATH}/imports/7">import 7</a>`);
    expect(text).toContain(`Text: ${'x'.repeat(80)}… · first startups: one, two, three and 1 more<`);
    expect(found.text).not.toContain('crowd');
  });
});

describe('the records', () => {
  it('list every version of the policy, with its acceptances', async () => {
    const { text } = await op.get(`${PATH}/policies`);
    expect(text).toMatch(/2026-11-20<\/a> <span class="badge good">In force/);
    expect(text).toContain('<td data-label="Accepted by">2 accounts</td>');
    expect(text).toContain('POLICY_FILE');
    expect((await op.get(`${PATH}/policies/2026-11-20`)).text).toContain('<strong>Be</strong> fair.');
  });

  it('list every import, with the number of rejected records', async () => {
    expect((await op.get(`${PATH}/imports`)).text).toContain('No import yet');
    const counts = { created: 1_000, updated: 2, unchanged: 3, rejected: 4, removed: 5 };
    await site.database.prisma.import.create({
      data: { sources: ['<b>.ndjson', '-'], importedBy: 'root', durationMs: 1_250, ...counts },
    });
    const { text } = await op.get(`${PATH}/imports`);
    const [row, ...others] = rowsOf(text, 'Newest first');
    expect(others).toEqual([]);
    expect(row?.join(' | ')).toMatch(
      /by root \| 4 rejected \| &lt;b&gt;.ndjson, standard inputCommand line \| 1,000 created, 2 updated, 5 removed \| 1.3 s$/,
    );
    const [, path = ''] = new RegExp(`href="(${PATH}/imports/\\d+)"`).exec(text) ?? [];
    const details = ['Import of &lt;b&gt;.ndjson', '<dt>Unchanged</dt><dd>3</dd>', '.rejects.ndjson'];
    expectPage(await op.get(path), 200, ...details);
    await site.database.prisma.import.updateMany({ data: { via: 'dashboard' } });
    expect((await op.get(path)).text).not.toContain('.rejects.ndjson');
    expect((await op.get(`${PATH}/imports/99`)).status).toBe(404);
  });
});
