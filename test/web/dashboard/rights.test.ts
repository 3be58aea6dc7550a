import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createOperatorToken } from '../../../src/access/accounts/operator-tokens.ts';
import { documentId, hashDocument } from '../../../src/access/keys/documents/list.ts';
import type { Prisma } from '../../../src/db/generated/client/client.ts';
import { addOwnField } from '../../../src/startups/own/declarations.ts';
import { pagesOf } from '../../../src/web/dashboard/routes.ts';
import type { Audience } from '../../../src/web/page/page.ts';
import { formsOf } from '../../../src/web/page/page-table.ts';
import type { Services } from '../../../src/web/page/services.ts';
import { testDirectory } from '../../main/commands/process.ts';
import { record } from '../../support/records.ts';
import { expectPage, openSite, policy } from './site.ts';
import { formOn, sendUpload, UPLOAD } from './upload-form.ts';

// Every page and form of the tables of pages: who gets it, and that a right that ends meanwhile changes nothing.

// Both gateways of the database have its files.
const app = { uploadsDirectory: join(testDirectory(), 'uploads') };
const site = await openSite({ records: [record('acme')], app });
const { prisma } = site.database;
const op = await site.operator('op@example.com');
const holder = await site.member('holder@example.com');
// Operators pass on links only where there is no mail server.
const noMail = await openSite({ mail: 'none', database: site.database, app });
/** A visitor of that gateway with the cookies of another. */
const there = (one: Pick<typeof op, 'jar'>) => {
  const browser = noMail.browser();
  browser.takeCookies(one.jar);
  return browser;
};

const DOCUMENT = '{ dataset { total } }';
const { id: keyId } = await holder.createKey({ name: 'billing' });
await site.publish(keyId, DOCUMENT);
const { id: embedKeyId } = await holder.createKey({ name: 'page', origins: 'https://blog.example' });
const token = await createOperatorToken(
  { ...site.acting, operators: [] },
  { name: 'nightly', account: op.accountId },
);
await addOwnField(prisma, { name: 'employees', kind: 'count' });
const importId = await site.importRecords([record('imported')]);
const uploaded = await sendUpload(site, op, {}, 'name\nAcme\n');
const [, digest = ''] = /new\/(\w+)\/columns/.exec(formOn(uploaded.text).action ?? '') ?? [];
// Each test begins another minute.
await prisma.keptUpload.updateMany({ data: { expiresAt: new Date('2100-01-01') } });
const ANSWERS = `${UPLOAD}/:id/columns`;

/** What the names in a path stand for. */
const ids: Readonly<Record<string, string>> = {
  'accounts/:id': holder.accountId,
  'keys/:id': keyId,
  'explorer/:id': 'acme',
  'tokens/:id': token.id,
  'fields/:id': 'employees',
  'imports/:id': String(importId),
  'new/:id': digest,
  'documents/:document': documentId(hashDocument(DOCUMENT)),
  'policies/:version': policy.version,
};
const filled = (path: string): string =>
  path.replace(/(\w+)\/(:\w+)/g, (named, part: string) => {
    // Only an embed key has origins.
    const id = path.endsWith('/origins') ? embedKeyId : ids[named];
    if (id === undefined) {
      throw new Error(`What is ${named}? Add it to the ids of this test.`);
    }
    return `${part}/${id}`;
  });

/** Fields with which every form does something. */
const fields: Readonly<Record<string, string>> = {
  reason: 'a reason',
  email: 'new@example.com',
  name: 'late',
  kind: 'count',
  label: 'Late',
  overlap: '0',
  query: 'onSale=true',
  origins: 'https://page.example',
  tier: 'premium',
  limit: '7',
  document: '{ __typename }',
  accept: policy.version,
  path: 'startups',
};
/** As much of the services as the tables of pages need. */
const services = { mail: 'none', policy, service: {}, hasGithub: true } as Services;
const pagesFor = (audience: Audience) =>
  pagesOf(audience, services).flatMap(({ path, view, isFormOnly }) => (view && !isFormOnly ? [path] : []));
const formsFor = (audience: Audience) =>
  pagesOf(audience, services).flatMap((row) => formsOf(row).map(([path]) => path));

const update = (data: Prisma.AccountUpdateInput) =>
  prisma.account.update({ where: { id: op.accountId }, data, select: { id: true } });

beforeEach(async () => {
  site.nextMinute();
  noMail.nextMinute();
  // A test may have ended these rights.
  await update({ operator: true, disabledAt: null });
  await op.signIn('op@example.com');
  await holder.signIn('holder@example.com');
});

describe('what only operators get', () => {
  it.each(pagesFor('operators'))('a page: %s', async (path) => {
    expect([200, 303]).toContain((await there(op).get(filled(path))).status);
    const hidden = await there(holder).get(filled(path));
    expect(hidden.status).toBe(404);
    expect(hidden.text).not.toContain('op@example.com');
    const { status, headers } = await noMail.browser().get(filled(path));
    expect([status, headers.location]).toEqual([303, expect.stringContaining('/dashboard/sign-in?next=')]);
  });

  it.each([...formsFor('operators'), UPLOAD, ANSWERS])('a form: %s', async (path) => {
    const before = await prisma.auditEntry.count();
    expect((await there(holder).post(filled(path), fields)).status).toBe(404);
    const { status, headers } = await noMail.browser().post(filled(path), fields);
    expect([status, headers.location]).toEqual([303, '/dashboard/sign-in?notice=expired']);
    expect(await prisma.auditEntry.count()).toBe(before);
  });
});

describe('what only members get', () => {
  it.each(pagesFor('members'))('a page: %s', async (path) => {
    const { status, headers } = await site.browser().get(filled(path));
    expect([status, headers.location]).toEqual([303, expect.stringMatching(/sign-(in|up)\?next=/)]);
  });

  it.each([...formsFor('members'), '/dashboard/policy'])('a form: %s', async (path) => {
    const { status, headers } = await site.browser().post(filled(path), fields);
    expect([status, headers.location]).toEqual([303, '/dashboard/sign-in?notice=expired']);
  });

  it('after they accept the policy', async () => {
    const newcomer = await site.member('new@example.com', { accepts: false });
    const rows = pagesOf('members', services).filter(({ needsPolicy }) => needsPolicy);
    for (const row of rows) {
      expectPage(await newcomer.get(filled(row.path)), 403, 'policy');
      for (const [path] of formsOf(row)) {
        const { status, headers } = await newcomer.post(filled(path), fields);
        expect([status, headers.location], path).toEqual([303, '/dashboard/policy']);
      }
    }
  });
});

describe('a right that ends when a form begins to act', () => {
  const ends = {
    demoted: () => update({ operator: false }),
    'signed out': () => prisma.session.deleteMany({ where: { userId: op.accountId } }),
    disabled: () => update({ disabledAt: new Date(0) }),
  };
  it.each(
    formsFor('operators').flatMap((path) =>
      Object.entries(ends).map(([how, end]) => [how, path, end] as const),
    ),
  )('of an operator who is %s, changes nothing: %s', async (how, path, end) => {
    const before = await prisma.auditEntry.count();
    site.beforeTransaction(end);
    const answer = await there(op).post(filled(path), fields);
    const [status, text] =
      how === 'demoted' ? [404, 'There is no such page.'] : [401, 'Your session has ended'];
    expectPage(answer, status, text);
    expect(await prisma.auditEntry.count()).toBe(before);
  });

  // What changes keys and documents is recorded; the rest of an account is not.
  const recorded = formsFor('members').filter((path) => /^\/dashboard\/(keys|embed)/.test(path));
  it.each([...recorded, '/dashboard/policy'])('of a member, changes nothing: %s', async (path) => {
    const before = await prisma.auditEntry.count();
    site.beforeTransaction(() => prisma.session.deleteMany({ where: { userId: holder.accountId } }));
    expectPage(await holder.post(filled(path), fields), 401, 'Your session has ended');
    expect(await prisma.auditEntry.count()).toBe(before);
  });
});
