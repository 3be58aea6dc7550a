import { randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { generateToken, hashTokenHex } from '../../../src/access/keys/token.ts';
import { createTestClock } from '../../support/clock.ts';
import { openTestDatabase } from '../../support/database.ts';
import { createGate } from '../../support/gate.ts';
import { type Answer, openTestGateway } from '../../support/gateway.ts';
import { record } from '../../support/records.ts';

const LIST = '/api/v1/startups';

const database = await openTestDatabase();
/** The hashes (lower-case hex) that were looked up, in their order. */
const hashes: string[] = [];
/** What answers of look-ups wait for. */
let held = Promise.resolve();
const pool = Object.create(database.pool) as typeof database.pool;
pool.query = (async (...args: [string, [Buffer[]]]) => {
  const isLookUp = String(args[0]).includes('FROM "api_keys"');
  hashes.push(...(isLookUp ? args[1][0].map((hash) => hash.toString('hex')) : []));
  const answer = await database.pool.query(...args);
  await (isLookUp && held);
  return answer;
}) as typeof pool.query;
const gateway = await openTestGateway({
  database: { ...database, pool },
  // No poll makes it look keys up again meanwhile.
  clock: createTestClock(),
  records: [record('one')],
  limits: 100_000,
});

const lookups = (): number => gateway.queries.filter((sql) => sql.includes('FROM "api_keys"')).length;
/** How many keys the gateway remembers, known and unknown. */
async function remembered(): Promise<number> {
  const { text } = await gateway.call('/metrics', { address: '127.0.0.1' });
  return Number(/^revgate_keys_remembered (\d+)$/m.exec(text)?.[1]);
}

describe('a flood of well-formed unknown keys', () => {
  const unknown = (): Promise<Answer> => gateway.call(LIST, { key: generateToken(randomBytes) });

  it('delays no client with a known key, however slow the database is', async () => {
    const { key } = await gateway.key();
    await gateway.call(LIST, { key });
    const before = await remembered();
    const { opened, open } = createGate();
    held = opened;
    onTestFinished(open);
    let answered = 0;
    const flood = Array.from({ length: 500 }, () => unknown().finally(() => (answered += 1)));
    for (let i = 0; i < 20; i += 1) {
      expect((await gateway.call(LIST, { key })).status).toBe(200);
    }
    expect(answered).toBe(0);
    open();
    expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([401]));
    expect(await remembered()).toBe(before + 500);
  });

  it('looks a key that is not remembered yet up before those that came after it', async () => {
    const { key } = await gateway.key();
    const before = hashes.length;
    const flood = Array.from({ length: 500 }, unknown);
    const asked = gateway.call(LIST, { key });
    // More than one query asks for.
    flood.push(...Array.from({ length: 600 }, unknown));
    expect((await asked).status).toBe(200);
    await Promise.all(flood);
    expect(hashes.slice(before).indexOf(hashTokenHex(key))).toBe(500);
  });

  it('neither looks up nor caches keys with a wrong checksum', async () => {
    const before = [lookups(), await remembered()];
    for (let i = 0; i < 200; i += 1) {
      const token = generateToken(randomBytes);
      const key = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
      expect((await gateway.call(LIST, { key })).status).toBe(401);
    }
    expect([lookups(), await remembered()]).toEqual(before);
  });
});
