import { expect, it } from 'vitest';
import { addOwnField } from '../../../src/startups/own/declarations.ts';
import { expectPage, openSite } from './site.ts';

const site = await openSite({ mail: 'terminal' });
const [op, ada] = await Promise.all([site.operator('op@example.com'), site.member('ada@example.com')]);
const { id: keyId } = await ada.createKey({ name: 'mine' });
await addOwnField(site.database.prisma, { name: 'employees', kind: 'count' });
const user = await site.member('user@example.com');

const OPERATOR = '/dashboard/operator';
const [KEY, ACCOUNT] = [`/dashboard/keys/${keyId}`, '/dashboard/account'];
const SHORTLIST = '/dashboard/shortlist';

/** Every form, by who sends it: its path and the fields that it reads. What ends the account or the session is last. */
const forms = {
  everyone: [
    ['/dashboard/sign-in', 'email', 'password', 'next'],
    ['/dashboard/sign-up', 'email'],
    ['/dashboard/forgotten-password', 'email'],
    ['/dashboard/reset-password', 'token', 'password', 'accept', 'name', 'next'],
    ['/dashboard/setup', 'token', 'email', 'password', 'accept'],
    ['/dashboard/unsubscribe'],
  ],
  member: [
    ['/dashboard/policy', 'accept', 'next'],
    ['/dashboard/keys', 'id', 'name', 'expires', 'origins'],
    [`${KEY}/rotate`, 'id', 'overlap'],
    [`${KEY}/rename`, 'name'],
    [`${KEY}/documents`, 'document'],
    ['/dashboard/embeds/new', 'query', 'origins', 'theme', 'accent', 'value'],
    [SHORTLIST, 'slug', 'back'],
    [`${SHORTLIST}?chosen`, 'slug', 'back'],
    ['/dashboard/shortlist/searches', 'name', 'query'],
    ['/dashboard/shortlist/searches/mails?chosen', 'name'],
    ['/dashboard/shortlist/searches/edit', 'old', 'name'],
    ['/dashboard/shortlist/searches/edit/delete', 'old'],
    ['/dashboard/shortlist/mails', 'frequency', 'shortlist'],
    ['/dashboard/shortlist/mails?chosen'],
    [`${ACCOUNT}/email`, 'email'],
    [`${ACCOUNT}/password`, 'current', 'password'],
    [`${ACCOUNT}/sessions`, 'session'],
    [`${ACCOUNT}/mails`, 'mails'],
    ['/dashboard/change-email', 'token'],
    ['/dashboard/second-factor', 'factor', 'next'],
    ['/dashboard/second-factor/start', 'current', 'next'],
    ['/dashboard/second-factor/confirm', 'factor', 'next'],
    ['/dashboard/second-factor/codes', 'current', 'factor'],
    ['/dashboard/second-factor/remove', 'factor'],
    [`${ACCOUNT}/delete`, 'current', 'email'],
  ],
  operator: [
    [`${OPERATOR}/accounts/invite`, 'email'],
    [`${OPERATOR}/accounts/${user.accountId}/disable`, 'reason'],
    [`${OPERATOR}/accounts/${user.accountId}/enable`, 'reason'],
    [`${OPERATOR}/keys/${keyId}/disable`, 'reason'],
    [`${OPERATOR}/keys/${keyId}/enable`, 'reason'],
    [`${OPERATOR}/keys/${keyId}/limits`, 'tier', 'limit', 'snapshot'],
    [`${OPERATOR}/imports/mappings`, 'name'],
    [`${OPERATOR}/tokens`, 'name'],
    [`${OPERATOR}/fields`, 'name', 'kind', 'label', 'description', 'sortable'],
    [`${OPERATOR}/fields/employees/edit`, 'label'],
  ],
} as const;

const hostile = {
  'a NUL': 'a\u0000b',
  'a long text': 'x'.repeat(30_000),
  'half a pair': '\ud800',
  nothing: '',
};

it.each(
  Object.entries(forms).flatMap(([who, list]) =>
    list.flatMap(([path, ...fields]) =>
      Object.entries(hostile).map(([what, value]) => [path, who, what, fields, value] as const),
    ),
  ),
)('%s answers %s who sends %s in every field', async (path, who, _, fields, value) => {
  site.nextMinute();
  const sender = { everyone: site.browser(), member: ada, operator: op }[who] ?? ada;
  const chosen = { [`search:${value}`]: 'on', mails: 'on', keep: 'no', frequency: 'daily' };
  const sent = {
    ...Object.fromEntries(fields.map((name) => [name, value])),
    ...(path.endsWith('chosen') && chosen),
  };
  const { status, text } = await sender.post(path, sent);
  expect([path, text.includes('Something went wrong')]).toEqual([path, false]);
  expect([200, 303, 400, 404]).toContain(status);
});

it.each([
  '/dashboard/reset-password?token=',
  '/dashboard/setup?token=',
  '/dashboard/change-email?token=',
  `${SHORTLIST}?compare=a,`,
  '/dashboard/shortlist/mails?email=',
  '/dashboard/shortlist/searches/edit?name=',
  '/dashboard/explorer?search=',
  '/dashboard/unsubscribe?token=',
  `/dashboard/usage?key=`,
  `${OPERATOR}/find?q=`,
  `${OPERATOR}/audit?q=`,
  `${OPERATOR}/keys?q=`,
  `${OPERATOR}/accounts?q=`,
])('%s answers a link with any text', async (path) => {
  site.nextMinute();
  for (const text of ['a%00b', '%ED%A0%80', 'x'.repeat(5_000)]) {
    const { status } = await op.get(path + text);
    expect([path, text.slice(0, 9), [200, 303, 400, 404, 414].includes(status), status]).toEqual([
      path,
      text.slice(0, 9),
      true,
      status,
    ]);
  }
});

it('goes on to work afterwards', async () => {
  expectPage(await op.get(OPERATOR), 200, 'Overview');
});
