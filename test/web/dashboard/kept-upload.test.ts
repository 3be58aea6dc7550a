import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deleteAccount, demoteAccount, promoteAccount } from '../../../src/access/accounts/change.ts';
import { openDatabase } from '../../../src/db/open.ts';
import { KEPT_MS } from '../../../src/startups/import/kept-upload.ts';
import { testDirectory } from '../../main/commands/process.ts';
import { emptyDatabase, fillDatabase } from '../../support/full-database.ts';
import { createGate } from '../../support/gate.ts';
import { textIn } from '../../support/html.ts';
import { record } from '../../support/records.ts';
import { type Browser, expectPage, openSite } from './site.ts';
import { type Fields, formOn, sendUpload, UPLOAD } from './upload-form.ts';

// What the dashboard keeps of an upload from step to step, and what becomes of it.

const app = { uploadsDirectory: join(testDirectory(), 'uploads') };
const site = await openSite({ app });
const { prisma } = site.database;

const LIST = '/dashboard/operator/imports';
const fileOf = (...slugs: string[]): string =>
  slugs.map((slug) => `${JSON.stringify(record(slug))}\n`).join('');
/** A file with one question. */
const ASKED = JSON.stringify(record('asked', { country: 'Atlantis' }));

let operators = 0;
const newOperator = () => site.operator(`op${++operators}@example.com`);
const send = (browser: Browser, fields: Fields, content?: string, name = 'a.ndjson') =>
  sendUpload(site, browser, fields, content, {}, name);
/** Uploads a file without a question: its preview, and the path of that. */
async function preview(browser: Browser, ...slugs: string[]) {
  const answer = await send(browser, {}, fileOf(...slugs));
  const form = formOn(answer.text);
  return { ...answer, form, path: form.action ?? '' };
}
const count = (slug: string) => prisma.startup.count({ where: { slug } });
const imports = () => prisma.import.count();
const GONE = 'This file is no longer kept';

describe('a step of an upload', () => {
  it('is the preview at once where nothing is asked, and a page that can be opened again', async () => {
    const op = await newOperator();
    const { path, status } = await preview(op, 'plain');
    expect([status, path]).toEqual([200, expect.stringMatching(/\/[\da-f]{64}\/preview$/)]);
    for (let visit = 0; visit < 2; visit += 1) {
      expectPage(await op.get(path), 200, '<li aria-current="step">Preview</li>', 'Import 1 record');
    }
    expectPage(await op.get(path.replace('preview', 'columns')), 200, 'Nothing to answer');
  });

  it('asks what is to be answered, keeps the answers, and leads there from a later one', async () => {
    const op = await newOperator();
    const { text } = await send(op, {}, ASKED);
    const form = formOn(text);
    expect(form.action).toMatch(/columns$/);
    const early = await op.get((form.action ?? '').replace('columns', 'preview'));
    expect([early.status, early.headers.location]).toEqual([303, form.action]);
    await send(op, { ...form, 'country.0.is': 'DE', act: 'preview' });
    const back = await op.get(form.action ?? '');
    expect(formOn(back.text)).toMatchObject({ 'country.0.is': 'DE' });
    expect(back.text).not.toContain('type="file"');
  });

  it('imports the file once, which is gone then, however often its form is sent', async () => {
    const op = await newOperator();
    const { form, path } = await preview(op, 'twice');
    const before = await imports();
    const answers = await Promise.all([1, 2].map(() => send(op, { ...form, act: 'import' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404]);
    expect(answers.map(({ text }) => text.includes(GONE)).sort()).toEqual([false, true]);
    expectPage(await send(op, { ...form, act: 'import' }), 404, GONE);
    expectPage(await op.get(path), 404, GONE);
    expect(await imports()).toBe(before + 1);
    expect(await count('twice')).toBe(1);
  });

  it('says which other file is kept meanwhile, and imports nothing', async () => {
    const op = await newOperator();
    const first = await preview(op, 'first');
    const columns = formOn((await op.get(first.path.replace('preview', 'columns'))).text);
    const second = await send(op, {}, fileOf('second'), 'second.ndjson');
    const before = await imports();
    const path = formOn(second.text).action;
    for (const answer of [
      await op.get(first.path),
      await op.get(columns.action ?? ''),
      await send(op, { ...columns, act: 'preview' }),
      await send(op, { ...first.form, act: 'preview' }),
      await send(op, { ...first.form, act: 'import' }),
      await op.post(first.path.replace('preview', 'remove')),
    ]) {
      expectPage(answer, 409, 'Another file is kept', 'Nothing was imported. second.ndjson was uploaded');
      expect(answer.text).toContain(`href="${path}"`);
    }
    expect(await imports()).toBe(before);
    expect((await send(op, { ...formOn(second.text), act: 'import' })).status).toBe(303);
    expect([await count('first'), await count('second')]).toEqual([0, 1]);
  });

  it('is nobody else’s, who cannot even tell that there is a file', async () => {
    const [op, other] = [await newOperator(), await newOperator()];
    const { form, path } = await preview(op, 'private');
    for (const step of ['preview', 'columns', 'list']) {
      expectPage(await other.get(path.replace('preview', step)), 404, GONE);
    }
    expectPage(await send(other, { ...form, act: 'import' }), 404, GONE);
    expectPage(await other.post(path.replace('preview', 'remove')), 404, GONE);
    expectPage(await other.get(path.replace(/[\da-f]{64}/, '0'.repeat(64))), 404, GONE);
    expectPage(await op.get(path), 200, 'Import 1 record');
  });

  it('waits for an import that runs, and then says that the file can be imported', async () => {
    const [op, other] = [await newOperator(), await newOperator()];
    const [one, two] = [await preview(op, 'one'), await preview(other, 'two')];
    const statuses = await Promise.all(
      [op, other].map(
        async (sender, index) =>
          (await send(sender, { ...(index === 0 ? one : two).form, act: 'import' })).status,
      ),
    );
    expect(statuses).toEqual([303, 303]);
    expect([await count('one'), await count('two')]).toEqual([1, 1]);
  });
});

describe('the first step', () => {
  it('offers the file that waits, which can be removed', async () => {
    const op = await newOperator();
    expect((await op.get(UPLOAD)).text).not.toContain('Continue</a>');
    const { path } = await preview(op, 'waits');
    const shown = await op.get(UPLOAD);
    expect(textIn(shown.text)).toMatch(/a\.ndjson\s*\d+ bytes, not imported yet\. It is kept until/);
    expect(shown.text).toContain(`href="${path}"`);
    const removed = await op.submit(path.replace('preview', 'remove'));
    expectPage(removed, 200, 'The file was removed. Nothing was imported.');
    expect(textIn(removed.text)).not.toContain('not imported yet');
    expectPage(await op.get(path), 404, GONE);
    expect(await count('waits')).toBe(0);
  });

  it('keeps the file of before if the next one is no table, or breaks off', async () => {
    const op = await newOperator();
    const { path } = await preview(op, 'stays');
    expectPage(await send(op, {}, 'PK\x03\x04 and so on'), 400, 'got an Excel workbook', 'a.ndjson');
    const type = { 'content-type': 'multipart/form-data; boundary=b' };
    const cut = '--b\r\nContent-Disposition: form-data; name="file"; filename="b.csv"\r\n\r\nname\nAc';
    expect((await op.send('POST', UPLOAD, cut, type)).status).toBe(400);
    expectPage(await op.get(path), 200, 'Import 1 record');
  });
});

describe('the kept file', () => {
  it('stays where the database has no room for the import, which says so', async () => {
    const op = await newOperator();
    const { form, path } = await preview(op, 'room');
    await fillDatabase(site.database);
    const full = await send(op, { ...form, act: 'import' });
    await emptyDatabase(site.database);
    expectPage(full, 400, 'The database has no room left: nothing was imported.');
    expect(await count('room')).toBe(0);
    expectPage(await op.get(path), 200, 'Import 1 record');
    expect((await send(op, { ...form, act: 'import' })).status).toBe(303);
  });

  it('is gone after an hour', async () => {
    const op = await newOperator();
    const { form, path } = await preview(op, 'late');
    site.wait(KEPT_MS - 1);
    expectPage(await op.get(path), 200, 'Import 1 record');
    site.wait(1);
    expectPage(await send(op, { ...form, act: 'import' }), 404, GONE, 'A file is kept for an hour');
    expect(textIn((await op.get(UPLOAD)).text)).not.toContain('not imported yet');
    expect(await count('late')).toBe(0);
  });

  it('is gone with the role, also if that comes back', async () => {
    const op = await newOperator();
    const { path } = await preview(op, 'role');
    await demoteAccount(site.acting, op.accountId);
    expect((await op.get(path)).text).not.toContain(GONE);
    await promoteAccount(site.acting, op.accountId);
    expectPage(await op.get(path), 404, GONE);
  });

  it('is gone with the account', async () => {
    const op = await newOperator();
    await preview(op, 'account');
    await deleteAccount(site.acting, op.accountId);
    expect(await prisma.keptUpload.count({ where: { accountId: op.accountId } })).toBe(0);
  });

  it('is not imported if it is removed while its import runs', async () => {
    const op = await newOperator();
    const { form, path } = await preview(op, 'removed');
    const gate = createGate();
    site.beforeTransaction(async () => {
      await prisma.keptUpload.deleteMany({ where: { accountId: op.accountId } });
      gate.open();
    });
    const answer = await send(op, { ...form, act: 'import' });
    await gate.opened;
    expectPage(answer, 404, GONE);
    expectPage(await op.get(path), 404, GONE);
    expect(await count('removed')).toBe(0);
  });

  it('is there after a restart of the embedded database', async () => {
    const directory = testDirectory();
    const openAgain = async () => {
      const database = await openDatabase({ kind: 'embedded', directory }, () => {});
      const again = await openSite({ database, app: { uploadsDirectory: join(directory, 'uploads') } });
      const closeAll = async (): Promise<void> => {
        await again.close();
        await database.close();
      };
      return { ...again, closeAll };
    };
    const before = await openAgain();
    const op = await before.operator('op@example.com');
    const { text } = await sendUpload(before, op, {}, fileOf('restart'), {}, 'a.ndjson');
    const { action = '' } = formOn(text);
    await before.closeAll();
    const after = await openAgain();
    const browser = after.browser();
    browser.takeCookies(op.jar);
    expectPage(await browser.get(action), 200, 'Import 1 record');
    await after.closeAll();
  });

  it('is read by another node', async () => {
    const op = await newOperator();
    const { form, path } = await preview(op, 'node');
    const node = await openSite({ database: site.database, app });
    const there = node.browser();
    there.takeCookies(op.jar);
    expectPage(await there.get(path), 200, 'Import 1 record');
    const { status, headers } = await there.post(`${path}/import`, form);
    expect([status, headers.location]).toEqual([303, expect.stringContaining(`${LIST}/`)]);
    expect(await count('node')).toBe(1);
    expectPage(await op.get(path), 404, GONE);
  });
});
