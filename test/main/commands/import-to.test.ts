import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { listImports } from '../../../src/startups/import/import-log.ts';
import { ndjson } from '../../startups/import/inputs.ts';
import { record } from '../../support/records.ts';
import { openServedPlace } from './databases.ts';
import { run } from './process.ts';

const place = await openServedPlace({ HISTORY_DAYS: '30' });
const ACCOUNT = 'acc_0123456789AB';
const OPERATOR = 'acc_ABCDEFGHIJKL';
await place.use(({ prisma }) =>
  prisma.account.createMany({
    data: [
      { id: ACCOUNT, email: 'ada@example.com', emailVerified: true },
      { id: OPERATOR, email: 'bob@example.com', emailVerified: true, operator: true },
    ],
  }),
);
const file = place.write('a.ndjson.gz', gzipSync(ndjson(record('a'), record('b'))));

it('tokens belong to operators, are shown once, and can be revoked', async () => {
  const create = ['tokens', 'create', '--name', 'nightly', '--account', 'ada@example.com'];
  const refusal = `revgate: Account ${ACCOUNT} is not an operator: only operators have tokens.\n`;
  expect((await place.run(...create)).stderr).toBe(refusal);
  await place.run('accounts', 'promote', ACCOUNT);
  const made = await place.json(...create);
  const token = expect.stringMatching(/^rvg_op_[0-9A-Za-z]{38}$/);
  expect(made).toEqual({ id: expect.stringMatching(/^tok_/), token, name: 'nightly' });
  const listed = async () =>
    (await place.json('tokens', 'list')).find(({ id }: { id: string }) => id === made.id);
  expect(await listed()).toMatchObject({ accountId: ACCOUNT, state: 'active', lastUsedAt: null });
  expect(JSON.stringify(await listed())).not.toContain(made.token.slice(12));
  await place.run('accounts', 'demote', ACCOUNT);
  expect((await listed()).state).toBe('suspended');
  const revoked = await place.run('tokens', 'revoke', made.id);
  expect(revoked.stdout).toBe(`Token ${made.id} ("nightly") is revoked.\n`);
  expect((await listed()).state).toBe('revoked');
  const unknown = 'revgate: No token has the id "tok_x". See: revgate tokens list\n';
  expect((await place.run('tokens', 'revoke', 'tok_x')).stderr).toBe(unknown);
});

// Without any token, the server has no such path.
describe('import --to', { shuffle: false }, () => {
  const to = place.served.url;
  const send = (token: string, ...args: string[]) =>
    run(['import', '--to', ...args], { cwd: place.cwd, env: { REVGATE_TOKEN: token } });

  it('sends a file, and prints what the command would print', async () => {
    const { token } = await place.json('tokens', 'create', '--name', 'x', '--account', OPERATOR);
    expect((await send('', to, file)).stderr).toContain('REVGATE_TOKEN');
    const sent = await send(token, to, file);
    expect(sent).toMatchObject({ code: 0, stderr: '' });
    expect(sent.stdout).toMatch(/^Imported 2 startups in \d\.\d s: 2 created, 0 updated,/);
    const [entry] = await place.use(({ prisma }) => listImports(prisma, 1));
    expect(entry).toMatchObject({ importedBy: OPERATOR, via: 'http', sources: ['a.ndjson.gz'], created: 2 });
    expect((await place.run('imports')).stdout).toMatch(/http +bob@example\.com +a\.ndjson\.gz/);
    const unknown = await send(token, to, place.write('u.csv', 'Company,Revenue\nA,1\n'));
    expect(unknown.stderr).toMatch(/propose a mapping: revgate import --suggest u\.csv\n$/);
    const table = place.write('t.csv', 'Company,MRR,Note\nÉlan,"$1,250.50",x\n');
    const zero = ['customers=0', 'activeSubscriptions=0', 'revenue.total=0', 'revenue.last30Days=0'];
    const defaults = ['paymentProvider=stripe', 'onSale=false', ...zero].flatMap((one) => ['--default', one]);
    const mapped = ['--map', 'Company=name', '--map', 'MRR=revenue.mrr', '--dollars', '--ignore-unknown'];
    const json = await send(token, to, '--json', '--dry-run', ...mapped, ...defaults, table);
    expect(JSON.parse(json.stdout)).toMatchObject({ dryRun: true, created: 1, error: null });
    // The columns that were left out are named as those of an import here.
    const named = 'Columns left out: Note (no field has this name).';
    const dry = ['--dry-run', ...mapped, ...defaults, table];
    expect((await send(token, to, ...dry)).stdout).toContain(named);
    expect((await place.run('import', ...dry)).stdout).toContain(named);
    expect(JSON.parse(json.stdout)).toMatchObject({
      leftOut: [{ name: 'Note', reason: 'no field has this name' }],
      leftOutCount: 1,
    });
    const invalid = await send(token, to, place.write('i.ndjson', ndjson({ ...record('c'), onSale: 1 })));
    expect(invalid.code).toBe(1);
    expect(invalid.stderr).toContain('revgate: i.ndjson: line 1: onSale: got 1, allowed true or false\n');
    // With the options of the command, not the parameters of the server.
    expect(invalid.stderr).not.toMatch(/skipInvalid|=true/);
    const two = place.write('two.ndjson', ndjson(record('c'), { ...record('d'), onSale: 1 }));
    const advised = await send(token, to, two);
    expect(advised.stderr).toContain('To import the valid records, add --skip-invalid.');
    expect((await send(token, to, '--skip-invalid', '--dry-run', two)).code).toBe(0);
    const early = await send(token, to, '--as-of', '1999-01-01', file);
    expect(early.stderr).toContain('--as-of: got "1999-01-01"');
    const report = JSON.parse((await send(token, to, '--json', two)).stdout);
    expect(report.error).toContain('add --skip-invalid.');
  });

  it('refuses to show the token, and says what is wrong with the server', async () => {
    const { key } = await place.createKey();
    for (const [token, args, error] of [
      ['x', ['http://api.example.com', file], /--to: got "http:\/\/api\.example\.com", allowed: the https/],
      [key, [to, file], /^revgate: http:\/\/\S+: Send the token of an operator/],
      [key, [`${to}/docs/x`, file], /\/docs\/x/],
      ['x', ['http://127.0.0.1:1', file], /^revgate: Cannot send to .+ \(connection refused\)/],
      ['x', [to, file, file], /--to sends one file/],
    ] as const) {
      expect((await send(token, ...args)).stderr).toMatch(error);
    }
  });
});

describe('import --as-of', () => {
  const dayOf = (age: number): string => new Date(Date.now() - age * 86_400_000).toISOString().slice(0, 10);
  const [earlier, later] = [dayOf(9), dayOf(8)];
  const one = place.write('past-one.ndjson', ndjson(record('past')));
  const two = place.write('past-two.ndjson', ndjson(record('past'), record('gone')));

  it('imports past days, says how many points it wrote, and lists them with their day', async () => {
    const dry = await place.run('import', '--as-of', earlier, '--dry-run', one);
    expect(dry).toMatchObject({ code: 0, stderr: '' });
    expect(dry.stdout).toContain(`\nWould write 1 point of the history of ${earlier}.\n`);
    // Another test may have left startups, which this import removes.
    await place.run('import', '--yes', one);
    const done = await place.run('import', '--as-of', later, two);
    expect(done.stdout).toMatch(/^Imported 2 startups in .+: 1 created, 0 updated, 1 unchanged/);
    expect(done.stdout).toContain(`\nWrote 2 points of the history of ${later}.\n`);
    const again = await place.json('import', '--as-of', later, two);
    expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 2, points: 0 });

    const listed = await place.json('imports', '--limit', '3');
    expect(listed.map(({ asOf }: { asOf: unknown }) => asOf)).toEqual([later, later, null]);
    const table = (await place.run('imports')).stdout;
    expect(table).toMatch(new RegExp(`^ID +TIME +CREATED.*\n\\d+ +.+Z +0 .*; data of ${later}\n`));
    expect((await place.run('audit')).stdout).toContain(later);
    const old = await place.run('import', '--as-of', dayOf(32), one);
    expect(old.stderr).toMatch(
      /^revgate: --as-of: got ".+", allowed: a day from .+, the oldest that HISTORY_DAYS/,
    );
  });
});
