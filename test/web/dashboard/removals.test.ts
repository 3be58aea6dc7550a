import { describe, expect, it } from 'vitest';
import { textIn } from '../../support/html.ts';
import { record } from '../../support/records.ts';
import { expectPage, openSite } from './site.ts';
import { type Fields, formOn, sendUpload } from './upload-form.ts';

const site = await openSite();
const { prisma } = site.database;
const op = await site.operator('op@example.com');

const fileOf = (...records: readonly object[]): string =>
  records.map((one) => `${JSON.stringify(one)}\n`).join('');
const upload = async (fields: Fields, content: string) => {
  site.nextMinute();
  const answer = await sendUpload(site, op, fields, content, {}, 'a.ndjson');
  return { ...answer, told: textIn(answer.text), form: formOn(answer.text) };
};

describe('an upload that removes', () => {
  it('removes at most what was allowed, and says the same as over HTTP', async () => {
    await site.importRecords(
      ['a', 'b', 'c', 'd'].map((slug) => record(slug)),
      { replace: { yes: true } },
    );
    const content = fileOf(record('a'), record('b'), record('c'));
    const { form } = await upload({}, content);
    const preview = (rules: Fields) => upload({ ...form, ...rules, act: 'preview' }, content);
    for (const [maxRemoved, limit] of [
      ['0', '0'],
      ['24%', '24%'],
    ] as const) {
      const refused = await preview({ replace: 'on', maxRemoved });
      expectPage(
        refused,
        400,
        `This would remove 1 of 4 startups (D, d), more than ${limit}: nothing was written. A rule below allows it.`,
      );
      // The rule is below.
      expect(refused.form).toMatchObject({ maxRemoved, replace: 'on' });
    }
    for (const [rules, text] of [
      [{ replace: 'on', maxRemoved: '101%' }, 'got “101%”, allowed: a number from 0, or a percentage from'],
      [{ maxRemoved: '3' }, 'is for an import that removes: choose that rule, or leave it empty.'],
      [{ replace: 'on', yes: 'on', maxRemoved: '3' }, 'or any number: choose one of these rules.'],
    ] as const) {
      expectPage(await preview(rules), 400, text);
    }
    const allowed = await preview({ replace: 'on', maxRemoved: '1' });
    expectPage(allowed, 200, 'Removed1', 'Are removedD');
    // The limit is part of what was previewed.
    const other = await upload({ ...allowed.form, maxRemoved: '2', act: 'import' }, content);
    expectPage(other, 400, 'differs from the preview, so nothing was imported');
    expect(await prisma.startup.count()).toBe(4);
    expect((await upload({ ...allowed.form, act: 'import' }, content)).status).toBe(303);
    expect(await prisma.startup.count()).toBe(3);
  });

  it('asks whether a startup with another name and website is the removed one, and keeps the answers', async () => {
    const first = ['x', 'y'].map((slug) => record(slug, { website: `https://${slug}.example` }));
    await site.importRecords([...first, record('z')], { replace: { yes: true } });
    const { createdAt } = await prisma.startup.findUniqueOrThrow({ where: { slug: 'x' } });
    await site.importRecords([record('z')], { replace: { yes: true } });
    const content = fileOf(
      ...['x', 'y'].map((slug) => record(slug, { name: `New ${slug}`, website: 'https://new.example' })),
    );
    const { form } = await upload({}, content);
    const asked = await upload({ ...form, act: 'preview' }, content);
    expectPage(
      asked,
      400,
      '2 questions about startups that return: nothing was written.',
      '2 questions left',
    );
    expect(asked.told).toMatch(
      /x: got “New x” \(https:\/\/new\.example\), but until [\d-]+ it was “X” \(https:\/\/x\.example\): is it the same/,
    );
    expect(asked.form).toMatchObject({ 'return.0.slug': 'x', 'return.0.answer': '' });
    // One answer alone: the other question stays.
    const half = await upload({ ...asked.form, 'return.0.answer': 'same', act: 'columns' }, content);
    expect(half.told).toContain('1 question leftNext: y');
    expect(half.form).toMatchObject({
      'return.0.answer': 'same',
      'return.1.slug': 'y',
      'return.1.answer': '',
    });
    const still = await upload({ ...half.form, act: 'preview' }, content);
    expectPage(still, 400, '1 question about startups that return');
    const shown = await upload({ ...still.form, 'return.1.answer': 'new', act: 'preview' }, content);
    expectPage(shown, 200, 'Created1Updated1', 'Return, with their historyNew x');
    const back = await upload({ ...shown.form, act: 'columns' }, content);
    expect(back.form).toMatchObject({ 'return.0.answer': 'same', 'return.1.answer': 'new' });
    // In another tab, one is answered in another way.
    await upload({ ...back.form, 'return.0.answer': 'new', act: 'preview' }, content);
    const other = { ...shown.form, act: 'import' };
    expectPage(await upload(other, content), 400, 'differs from the preview, so nothing was imported');
    await upload({ ...back.form, act: 'preview' }, content);
    expect((await upload({ ...shown.form, act: 'import' }, content)).status).toBe(303);
    const found = await prisma.startup.findMany({
      where: { slug: { in: ['x', 'y'] } },
      orderBy: { slug: 'asc' },
    });
    expect(found.map(({ createdAt: at }) => at.getTime() === createdAt.getTime())).toEqual([true, false]);
  });
});
