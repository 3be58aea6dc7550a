import { describe, expect, it } from 'vitest';
import { textIn } from '../../support/html.ts';
import { record } from '../../support/records.ts';
import { setUpFactor } from './factor.ts';
import { expectPage, openSite } from './site.ts';

const site = await openSite({ records: [record('kept', { customers: 7 }), record('gone')] });
const { prisma } = site.database;
const op = await site.operator('op@example.com');

const LIST = '/dashboard/operator/imports';
const slugs = async (): Promise<string[]> =>
  (await prisma.startup.findMany({ orderBy: { slug: 'asc' } })).map(({ slug }) => slug);

describe('undoing an import', { shuffle: false }, () => {
  it('says what it would do, asks, and does it', async () => {
    const id = await site.importRecords([record('kept', { customers: 9 }), record('made')], {
      replace: { yes: true },
    });
    await prisma.sentMail.create({
      data: {
        accountId: op.accountId,
        kind: 'saved',
        subject: '',
        occasion: '',
        outcome: 'sent',
        recordedAt: new Date(Date.now() + 60_000),
      },
    });
    expect((await op.get(`${LIST}/${id}`)).text).toContain(`href="${LIST}/${id}/undo"`);
    const asked = await op.get(`${LIST}/${id}/undo`);
    expectPage(
      asked,
      200,
      'Changed back1There again1Gone1',
      'Get their earlier valuesKEPT',
      'Are there againGONE',
      'Are goneMADE',
      'Emails sent since1 email about searches and saved startups, to op@example.com',
      // Which an undo does not load again.
      'All data except the sample is then as it was',
    );
    expect(await slugs()).toEqual(['kept', 'made']);
    expectPage(await op.submit(`${LIST}/${id}/undo`), 200, 'The import was undone.', 'by op@example.com');
    expect(await slugs()).toEqual(['gone', 'kept']);
    expect(await prisma.startup.findUnique({ where: { slug: 'kept' } })).toMatchObject({ customers: 7 });
    expect((await op.get(`${LIST}/${id}`)).text).not.toContain(`href="${LIST}/${id}/undo"`);
    expect(textIn((await op.get(LIST)).text)).toContain('Undone');
    const entry = await prisma.auditEntry.findFirstOrThrow({ where: { action: 'startups.undo' } });
    expect(entry).toMatchObject({ actor: op.accountId, subject: String(id) });
    expect((await op.get('/dashboard/operator/audit')).text).toContain(`href="${LIST}/${id}"`);
  });

  it('is done once, however often its form is sent', async () => {
    const id = await site.importRecords([record('clicked')]);
    const path = `${LIST}/${id}/undo`;
    const before = await slugs();
    const answers = await Promise.all([op.post(path), op.post(path)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    const told = `Import ${id} was undone`;
    expect(answers.map(({ text }) => textIn(text).includes(told)).sort()).toEqual([false, true]);
    for (const later of [await op.post(path), await op.get(path)]) {
      expectPage(later, 409, told, 'by op@example.com', 'Nothing was changed now.');
    }
    expect(await slugs()).toEqual(before.filter((slug) => slug !== 'clicked'));
  });

  it('does nothing if the import is not the last one any more', async () => {
    const first = await site.importRecords([record('first')]);
    const second = await site.importRecords([record('second')]);
    for (const answer of [await op.get(`${LIST}/${first}/undo`), await op.post(`${LIST}/${first}/undo`)]) {
      expectPage(answer, 409, `Import ${first} cannot be undone`, `can be undone is ${second}`);
    }
    expect((await op.get(`${LIST}/${first}`)).text).not.toContain('/undo"');
    expect(await slugs()).toEqual(expect.arrayContaining(['first', 'second']));
    expect((await op.get(`${LIST}/999999/undo`)).status).toBe(404);
  });

  it('names the startups that were changed since', async () => {
    const id = await site.importRecords([record('edited')]);
    await prisma.startup.update({ where: { slug: 'edited' }, data: { customers: 1 } });
    const page = await op.get(`${LIST}/${id}/undo`);
    expectPage(page, 409, '1 startup changed since: EDITED, edited');
    // What others see next can be undone again.
    await prisma.startup.delete({ where: { slug: 'edited' } });
    await prisma.undoEntry.deleteMany({ where: { importId: id } });
  });

  it('needs the second factor again after 15 minutes', async () => {
    const boss = await site.operator('boss@example.com');
    const { app } = await setUpFactor(site, boss);
    const id = await site.importRecords([record('late')]);
    site.wait(15 * 60_000);
    const path = `${LIST}/${id}/undo`;
    expect((await boss.get(path)).text).toContain('name="factor"');
    expectPage(await boss.post(path), 400, 'Enter a code of your second factor.');
    expect(await slugs()).toContain('late');
    expect((await boss.post(path, { factor: app() })).status).toBe(303);
    expect(await slugs()).not.toContain('late');
  });
});
