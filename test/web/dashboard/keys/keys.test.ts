import { beforeEach, describe, expect, it } from 'vitest';
import { OWN_KEYS_MAX } from '../../../../src/access/keys/create.ts';
import { hashDocument } from '../../../../src/access/keys/documents/list.ts';
import { textIn } from '../../../support/html.ts';
import { expectPage, keyOn, openSite, textOf } from '../site.ts';

const DOCUMENT = 'query Total { startups { meta { total } } }';

const site = await openSite();
const ada = await site.member('ada@example.com');

beforeEach(site.nextMinute);

const find = (name: string) => site.database.prisma.apiKey.findFirstOrThrow({ where: { name } });
const ask = (key: string) => site.call('/api/v1/startups', { key });

describe('a key', () => {
  it('is created for its account, shown once to be copied, and works', async () => {
    // Fields that the form does not have set nothing.
    const more = { tier: 'premium', accountId: 'acc_x', demo: 'true' };
    const answer = await ada.post('/dashboard/keys', { name: ' billing ', ...more });
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const key = keyOn(answer);
    expect(key).toMatch(/^rvg_[0-9A-Za-z]{38}$/);
    expect(answer.text).toContain(`Authorization: Bearer ${key}`);
    expect(answer.text).toContain('/graphql');
    expect((await ask(key)).status).toBe(200);

    const id = ada.accountId;
    const stored = await find('billing');
    const accepted = { policyAcceptedBy: id, policyVersion: '2026-11-20' };
    const usual = { tier: 'standard', demo: false, expiresAt: null };
    expect(stored).toMatchObject({ accountId: id, ...accepted, ...usual });
    for (const path of ['/dashboard/keys', `/dashboard/keys/${stored.id}`]) {
      const page = await ada.get(path);
      expectPage(page, 200, key.slice(0, 8));
      expect(page.text).not.toContain(key);
    }
    const audit = await site.database.prisma.auditEntry.findFirstOrThrow({ where: { subject: stored.id } });
    expect(audit).toMatchObject({ actor: id, action: 'key.create' });
  });

  it.each([
    ['a long name', { name: 'x'.repeat(101) }],
    ['a date that is none', { name: 'late', expires: 'tomorrow' }],
    ['no id of a form', { name: 'odd' }, ''],
    ['an odd id', { name: 'odd' }, "key_'0123456789a"],
  ])('is refused with %s, and the form keeps what was typed', async (_what, typed, id?: string) => {
    const before = await site.database.prisma.apiKey.count();
    const answer = await ada.post('/dashboard/keys', { ...typed, ...(id !== undefined && { id }) });
    expectPage(answer, 400, 'role="alert"', ...Object.values(typed).map((value) => `value="${value}"`));
    expect(await site.database.prisma.apiKey.count()).toBe(before);
  });

  it.each([
    ['my shop page', ['my shop page']],
    ['https://a.example,http://b.example\nhttps://c.example\nd', ['https://a.example,http://b.example', 'd']],
  ])('has one error for each wrong line of origins, at the field: %j', async (origins, wrong) => {
    const { status, text } = await ada.post('/dashboard/keys', { name: 'wrong', origins });
    expect(status).toBe(400);
    expect(text).not.toContain('role="alert"');
    const error = textIn(/<p class="error" id="origins-error">([\s\S]*?)<\/p>/.exec(text)?.[1] ?? '');
    expect([...error.matchAll(/Site: got "([^"]*)"/g)].map(([, got]) => got)).toEqual(wrong);
    expect(text).toMatch(/<textarea id="origins"[^>]* aria-invalid="true"/);
    expect(text).toContain(origins);
  });

  it('is rotated with an overlap during which both work', async () => {
    const { id, key: old } = await ada.createKey({ name: 'turning' });
    const answer = await ada.post(`/dashboard/keys/${id}/rotate`, { overlap: '1h' });
    expectPage(answer, 200, 'works until', `data-address="/dashboard/keys/key_`);
    const next = keyOn(answer);
    expect(next).not.toBe(old);
    expect([(await ask(old)).status, (await ask(next)).status]).toEqual([200, 200]);
    const again = await ada.post(`/dashboard/keys/${id}/rotate`, { overlap: '1h' });
    expect([again.status, keyOn(again)]).toEqual([400, '']);
    const successor = await site.database.prisma.apiKey.findUniqueOrThrow({ where: { rotatedFrom: id } });
    const { text: page } = await ada.get(`/dashboard/keys/${id}`);
    const { text: successorPage } = await ada.get(`/dashboard/keys/${successor.id}`);
    expect(page).toContain(`<dt>Replaced by</dt><dd><a href="/dashboard/keys/${successor.id}"`);
    expect(page).not.toContain(`/dashboard/keys/${id}/rotate`);
    expect(successorPage).toContain(`<dt>Replaces</dt><dd><a href="/dashboard/keys/${id}"`);
    expect(successorPage).toContain(`/dashboard/keys/${successor.id}/rotate`);
  });

  it('is renamed, and its new name is checked like that of a new key', async () => {
    const { id } = await ada.createKey({ name: 'typo' });
    expect((await ada.get(`/dashboard/keys/${id}/rename`)).text).toMatch(/name="name"[^>]*value="typo"/);
    const refused = await ada.post(`/dashboard/keys/${id}/rename`, { name: 'a\u0000b' });
    expectPage(refused, 400, '1 to 100 characters');
    expect((await find('typo')).id).toBe(id);
    const done = await ada.submit(`/dashboard/keys/${id}/rename`, { name: ' <b>right</b> ' });
    expect(done.text).toContain('<h1>&lt;b&gt;right&lt;/b&gt;</h1>');
  });

  it('is revoked only after a confirmation', async () => {
    const { id, key } = await ada.createKey({ name: 'leaving' });
    expectPage(await ada.get(`/dashboard/keys/${id}/revoke`), 200, 'Revoke this key?');
    expect((await ask(key)).status).toBe(200);
    await ada.submit(`/dashboard/keys/${id}/revoke`);
    await site.notice();
    expect((await ask(key)).status).toBe(401);
    expect((await ada.get(`/dashboard/keys/${id}`)).text).toContain('Revoked');
  });
});

describe('a form that creates a key', async () => {
  const una = await site.member('una@example.com');
  const formId = async (path: string): Promise<string> =>
    textOf(await una.get(path), /name="id" value="(key_[0-9A-Za-z]{12})"/) ?? '';

  it('creates one when it is sent again, and shows it once', async () => {
    const id = await formId('/dashboard/keys/new');
    expect(await formId('/dashboard/keys/new')).not.toBe(id);
    const fields = { id, name: 'sent twice' };
    const [first, second] = await Promise.all([
      una.post('/dashboard/keys', fields),
      una.post('/dashboard/keys', fields),
    ]);
    const [shown, other] = first.status === 200 ? [first, second] : [second, first];
    const key = keyOn(shown);
    expect(key).not.toBe('');
    for (const again of [other, await una.post('/dashboard/keys', fields)]) {
      expect(again.headers.location).toBe(`/dashboard/keys/${id}?notice=created-before`);
    }
    const page = await una.visit(`/dashboard/keys/${id}?notice=created-before`);
    expect(page.text).toContain('This form was sent before');
    expect(page.text).not.toContain(key);
    expect(await site.database.prisma.apiKey.count({ where: { name: 'sent twice' } })).toBe(1);
  });

  it('rotates a key once when it is sent again', async () => {
    const { id } = await una.createKey({ name: 'rotated twice' });
    const fields = { id: await formId(`/dashboard/keys/${id}/rotate`), overlap: '24h' };
    const shown = await una.post(`/dashboard/keys/${id}/rotate`, fields);
    expect(keyOn(shown)).not.toBe('');
    const again = await una.post(`/dashboard/keys/${id}/rotate`, fields);
    expect(again.headers.location).toBe(`/dashboard/keys/${fields.id}?notice=created-before`);
    expect(await site.database.prisma.apiKey.count({ where: { name: 'rotated twice' } })).toBe(2);
  });

  it("gives nothing of another account's key away, and does not change it", async () => {
    await una.createKey({ name: 'guarded' });
    const guarded = await find('guarded');
    const bea = await site.member('bea@example.com');
    const answer = await bea.submit('/dashboard/keys', { id: guarded.id, name: 'mine now' });
    expect(answer.status).toBe(404);
    expect(answer.text).not.toContain('guarded');
    expect(await find('guarded')).toEqual(guarded);
  });
});

it('a first request is asked for until one was received', async () => {
  const joe = await site.member('joe@example.com');
  expect((await joe.get('/dashboard/keys')).text).toContain('Create your first key');
  const { key } = await joe.createKey({ name: 'first' });
  expect((await joe.get('/dashboard/keys')).text).toContain('id="first-command"');
  expect((await ask(key)).status).toBe(200);
  // What was used is stored some seconds later.
  const page = async () => {
    site.nextMinute();
    return (await joe.get('/dashboard/keys')).text;
  };
  await expect.poll(page).not.toContain('id="first-command"');
});

it("another account's key and documents do not exist: not to be seen, changed or revoked", async () => {
  const cat = await site.member('cat@example.com');
  const { id, key } = await cat.createKey({ name: 'private' });
  const hash = hashDocument(DOCUMENT);
  await cat.post(`/dashboard/keys/${id}/documents`, { document: DOCUMENT });
  const bob = await site.member('bob@example.com');
  const forms = ['rename', 'revoke', 'rotate', 'documents', `documents/${hash}/remove`];
  const posts = forms.map((form) => `/dashboard/keys/${id}/${form}`);
  const pages = [id, `${id}/documents/${hash}`, 'key_000000000000', '%00'];
  for (const path of [...posts, ...pages.map((page) => `/dashboard/keys/${page}`)]) {
    const answers = [await bob.get(path)];
    if (posts.includes(path)) {
      answers.push(await bob.post(path, { name: 'taken', overlap: '0', document: '{ __typename }' }));
    }
    for (const { status, text } of answers) {
      expect([path, status, /private|Total/.test(text)]).toEqual([path, 404, false]);
    }
  }
  expect((await bob.get('/dashboard/keys')).text).not.toContain(id);
  expect((await ask(key)).status).toBe(200);
  expect((await cat.get(`/dashboard/keys/${id}/documents/${hash}`)).status).toBe(200);
});

describe('an account', () => {
  it('creates no key before it accepts the policy in force, and the acceptance is recorded', async () => {
    const cyd = await site.member('cyd@example.com', { accepts: false });
    await cyd.get('/dashboard/keys/new');
    for (const accept of ['', '2020-01-01', 'on']) {
      expect((await cyd.post('/dashboard/policy', { accept })).status).toBe(400);
    }
    const id = cyd.accountId;
    expect(await site.database.prisma.policyAcceptance.count({ where: { accountId: id } })).toBe(0);
    expect((await cyd.post('/dashboard/policy', { accept: '2026-11-20' })).headers.location).toBe(
      '/dashboard/keys/new',
    );
    await cyd.createKey({ name: 'then' });
    const where = { action: 'policy.accept', subject: id };
    const act = await site.database.prisma.auditEntry.findFirst({ where });
    expect(act).toMatchObject({ actor: id, details: { version: '2026-11-20' } });
  });

  it('must accept a new version, also before it rotates a key', async () => {
    const dan = await site.member('dan@example.com');
    const { id } = await dan.createKey({ name: 'of the old version' });
    const later = await openSite({
      database: site.database,
      policy: { version: '2027-01-01', text: '# Policy\n\nVersion: 2027-01-01\n\nBe fairer.' },
    });
    const again = later.browser();
    await again.signIn('dan@example.com');
    for (const path of ['', `/${id}/rotate`]) {
      const { headers } = await again.post(`/dashboard/keys${path}`, { name: 'x', overlap: '0' });
      expect(headers.location).toBe('/dashboard/policy');
    }
    // What it has goes on.
    expect((await find('of the old version')).revokedAt).toBeNull();
    await again.submit('/dashboard/policy', { accept: '2027-01-01' });
    expect((await again.post(`/dashboard/keys/${id}/rotate`, { overlap: '0' })).status).toBe(200);
  });

  it('has at most ten working keys, also with concurrent requests', async () => {
    const eve = await site.member('eve@example.com');
    const names = Array.from({ length: OWN_KEYS_MAX + 3 }, (_, index) => `key ${index}`);
    const answers = await Promise.all(names.map((name) => eve.post('/dashboard/keys', { name })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(OWN_KEYS_MAX);
    expect(answers.filter(({ text }) => text.includes('You have 10 working keys'))).toHaveLength(3);
  });

  it('is limited in changes of keys per minute', async () => {
    const gus = await site.member('gus@example.com');
    const change = async (path: string, fields = {}): Promise<number> =>
      (await gus.post(`/dashboard/keys${path}`, fields)).status;
    const { id } = await gus.createKey({ name: 'passing' });
    expect(await change(`/${id}/revoke`)).toBe(303);
    // So do changes that are refused.
    for (let refused = 0; refused < 28; refused++) {
      expect(await change('/none/revoke')).toBe(404);
    }
    expect([await change('', { name: 'too many' }), await change(`/${id}/revoke`)]).toEqual([429, 429]);
    site.nextMinute();
    expect((await gus.post('/dashboard/keys', { name: 'later' })).status).toBe(200);
  });

  it('sees its revoked and expired keys page by page', async () => {
    const hal = await site.member('hal@example.com');
    for (let index = 0; index < 30; index += 1) {
      const { id } = await site.key({ name: `ended ${index}`, accountId: hal.accountId });
      const data = { createdAt: new Date(index), revokedAt: new Date() };
      await site.database.prisma.apiKey.update({ where: { id }, data });
    }
    const named = async (path: string): Promise<number[]> =>
      [...(await hal.get(path)).text.matchAll(/>ended (\d+)</g)].map(([, number]) => Number(number));
    expect(await named('/dashboard/keys')).toEqual(Array.from({ length: 25 }, (_, index) => 29 - index));
    expect(await named('/dashboard/keys?page=2')).toEqual([4, 3, 2, 1, 0]);
    expect((await hal.get('/dashboard/keys')).text).toContain('href="/dashboard/keys?page=2"');
  });
});
