import { expect, it } from 'vitest';
import { createOperatorToken } from '../../../src/access/accounts/operator-tokens.ts';
import { FACTOR, setUpFactor } from './factor.ts';
import { openSite, PASSWORD, policy, textOf } from './site.ts';

const site = await openSite({ mail: 'terminal' });
const { pool } = site.database;
const op = await site.operator('op@example.com');
const user = await site.member('user@example.com');
const ada = await site.member('ada@example.com');
const { codes } = await setUpFactor(site, ada);
const newcomer = await site.member('new@example.com', { accepts: false });
const [mine, other] = [await ada.createKey({ name: 'mine' }), await ada.createKey({ name: 'other' })];
const published = await ada.post(`/dashboard/keys/${mine.id}/documents`, {
  document: '{ startups { meta { total } } }',
});
const DOCUMENT = published.headers.location?.split('?')[0] ?? '';
const token = await createOperatorToken(
  { ...site.acting, operators: [] },
  { name: 'nightly', account: op.accountId },
);

/** All that actions of the dashboard change, except what counts attempts. */
const stored = async (): Promise<unknown> => {
  const { rows } = await pool.query(`SELECT
    (SELECT json_agg(r ORDER BY id) FROM api_keys AS r) AS keys,
    (SELECT json_agg(to_jsonb(r) - 'updated_at' ORDER BY id) FROM accounts AS r) AS accounts,
    (SELECT json_agg(r ORDER BY hash) FROM documents AS r) AS documents,
    (SELECT json_agg(r ORDER BY id) FROM operator_tokens AS r) AS tokens,
    (SELECT json_agg(r ORDER BY id) FROM verifications AS r) AS links,
    (SELECT json_agg(r) FROM policy_acceptances AS r) AS acceptances,
    (SELECT json_agg(json_build_array(verified, backup_codes) ORDER BY id) FROM two_factors AS r) AS factors,
    (SELECT json_agg(name ORDER BY name) FROM stored_mappings AS r) AS mappings,
    (SELECT count(*) FROM sessions WHERE factor_at IS NULL) AS pending,
    (SELECT count(*) FROM audit_log) AS acts`);
  return rows[0];
};

await pool.query(
  `INSERT INTO stored_mappings (name, mapping, saved_by, saved_at) VALUES ('weekly', '{}', '', now())`,
);
const pending = site.browser();
await pending.signIn('ada@example.com');
// The last step of every administrative action: what was written before is then undone.
await pool.query(`
  CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'secret detail'; END $$;
  CREATE TRIGGER fail BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION fail();`);

const OPERATOR = '/dashboard/operator';
const [KEY, OF_USER, OF_KEY] = [
  `/dashboard/keys/${mine.id}`,
  `${OPERATOR}/accounts/${user.accountId}`,
  `${OPERATOR}/keys/${other.id}`,
];

it.each([
  ['accepting the policy', newcomer, '/dashboard/policy', { accept: policy.version }],
  ['creating a key', ada, '/dashboard/keys', { name: 'third' }],
  ['renaming a key', ada, `${KEY}/rename`, { name: 'another' }],
  ['rotating a key', ada, `${KEY}/rotate`, { overlap: '0', id: 'key_0123456789AB' }],
  ['revoking a key', ada, `${KEY}/revoke`, {}],
  ['publishing a document', ada, `${KEY}/documents`, { document: '{ startups { meta { limit } } }' }],
  ['removing a document', ada, `${DOCUMENT}/remove`, {}],
  ['creating an embed', ada, '/dashboard/embeds/new', { query: '', origins: 'https://example.com' }],
  ['a recovery code', pending, FACTOR, { factor: codes[0] ?? '' }],
  ['turning off the second factor', ada, `${FACTOR}/remove`, { factor: codes[1] ?? '' }],
  ['deleting the own account', user, '/dashboard/account/delete', { current: PASSWORD }],
  ['inviting somebody', op, `${OPERATOR}/accounts/invite`, { email: 'eve@example.com' }],
  ['making a password link', op, `${OF_USER}/link`, {}],
  ['disabling an account', op, `${OF_USER}/disable`, { reason: 'x' }],
  ['deleting an account', op, `${OF_USER}/delete`, {}],
  ['disabling a key', op, `${OF_KEY}/disable`, { reason: 'x' }],
  ['changing limits', op, `${OF_KEY}/limits`, { tier: 'premium', limit: '9', snapshot: 'on' }],
  ['creating a token', op, `${OPERATOR}/tokens`, { name: 'late' }],
  ['revoking a token', op, `${OPERATOR}/tokens/${token.id}/revoke`, {}],
  ['removing a mapping', op, `${OPERATOR}/imports/mappings`, { name: 'weekly' }],
] as const)(
  '%s changes nothing if its last step fails, and the page has the request id only',
  async (_, sender, path, fields) => {
    site.nextMinute();
    const before = await stored();
    const answer = await sender.post(path, fields);
    const { status, text, headers } = answer;
    const id = headers['x-request-id'] ?? '';
    expect([status, textOf(answer, /<h1>([^<]*)/)]).toEqual([500, 'Something went wrong']);
    expect([text.includes(id), text.includes('secret detail')]).toEqual([true, false]);
    expect(site.logs.some((line) => line.includes('secret detail') && line.includes(id))).toBe(true);
    expect(await stored()).toEqual(before);
  },
);
