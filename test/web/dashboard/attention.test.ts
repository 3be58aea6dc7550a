import { describe, expect, it } from 'vitest';
import type { ImportEntry } from '../../../src/startups/import/import-log.ts';
import { attentionCard } from '../../../src/web/dashboard/operator/overview-page.tsx';
import { render } from '../../../src/web/shared/jsx.ts';
import { rowsOf, textIn } from '../../support/html.ts';
import { record } from '../../support/records.ts';
import { openSite, policy } from './site.ts';

const PATH = '/dashboard/operator';
const DAY_MS = 86_400_000;
const NOON = Date.parse('2026-11-20T12:30:00.000Z');

const own = { ...policy, file: 'own.md' };
const site = await openSite({ records: [record('one')], startsAt: NOON, policy: own });
const op = await site.operator('op@example.com');
const { prisma } = site.database;

type Facts = Parameters<typeof attentionCard>[0];
type Known = Parameters<typeof attentionCard>[1];

const node = { limits: () => 'memory', catalogue: { age: 0, current: () => ({ size: 1 }) } };
const facts = {
  prisma,
  node,
  unready: () => [],
  now: () => NOON,
  mail: 'smtp',
  policy: own,
} as unknown as Facts;
const lastImport = { id: 7, finishedAt: new Date(NOON - DAY_MS), rejected: 0 } as ImportEntry;

/** What is found, as text, and where its links lead. */
async function find(changed: Partial<Facts> = {}, known: Partial<Known> = {}) {
  const html = render(await attentionCard({ ...facts, ...changed }, { nodes: [], lastImport, ...known }));
  return { text: textIn(html), links: [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href) };
}

describe('what needs attention', () => {
  it('is on the overview, which also says that there is nothing', async () => {
    const { text } = await op.get(PATH);
    expect(textIn(text)).toContain(
      'Nothing was imported yet, so customers get the sample. Import your startups.',
    );
    expect(text).toContain(`<a href="${PATH}/imports/new">Upload a file</a>`);
    expect(await find()).toEqual({ text: expect.stringContaining('Nothing needs attention'), links: [] });
  });

  it('is a node that is not ready or does not answer, and Redis', async () => {
    const fallback = { ...node, limits: () => 'fallback' } as unknown as Facts['node'];
    const { text, links } = await find(
      { unready: () => ['the database does not answer'], node: fallback },
      {
        nodes: [
          { name: 'one:4000', silence: 9 },
          { name: 'two:4000', silence: 600 },
        ],
      },
    );
    expect(text).toContain('This node is not ready: the database does not answer.');
    expect(text).toContain('Node two:4000 has not answered for 10 min.');
    expect(text).not.toContain('one:4000');
    expect(text).toContain('Redis does not answer');
    expect(links).toEqual([`${PATH}#health`, '/docs/troubleshooting', '/docs/redis']);
  });

  it('is old data, and an import that rejected records', async () => {
    const days = (number: number) => new Date(NOON - number * DAY_MS);
    expect((await find({}, { lastImport: { ...lastImport, finishedAt: days(30) } })).links).toEqual([]);
    const old = await find({}, { lastImport: { ...lastImport, finishedAt: days(31), rejected: 2 } });
    expect(old.text).toContain('The last import was 31 days ago. Import current data.');
    expect(old.text).toContain('The last import rejected 2 records.');
    expect(old.links).toEqual([`${PATH}/imports/new`, `${PATH}/imports/7`]);
  });

  it('is the demo key, as long as it works', async () => {
    const { id } = await site.key({ name: 'Demo' });
    await prisma.apiKey.update({ where: { id }, data: { demo: true } });
    expect((await find()).links).toEqual([`${PATH}/keys/${id}`]);
    await prisma.apiKey.updateMany({ data: { revokedAt: new Date(NOON) } });
    expect((await find()).links).toEqual([]);
  });

  it('is a server without mail, with the accounts that wait for it, and the bundled policy', async () => {
    const { links } = await find({ mail: 'terminal', policy });
    expect(links).toEqual(['/docs/settings', `${PATH}/policies/${policy.version}`]);
    expect((await find({ mail: 'terminal', isInvitedOnly: true })).links).toEqual([]);
    await site.browser().signUp('waiting@example.com');
    expect((await find()).links).toEqual([]);
    const { text } = await find({ mail: 'none' });
    expect(text).toContain('nobody can sign up with an address');
    expect(text).toContain('1 account cannot confirm an address without a mail server.');
    const list = await op.get(`${PATH}/accounts?state=unconfirmed`);
    expect(rowsOf(list.text, 'Newest first')).toEqual([
      ['waiting@example.com since 2026-11-20', 'Active Unconfirmed', '0', 'Never'],
    ]);
    expect(list.text).toContain('<span class="badge warn">Unconfirmed</span>');
  });
});
