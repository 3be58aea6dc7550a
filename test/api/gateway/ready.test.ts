import { describe, expect, it } from 'vitest';
import { createTestClock } from '../../support/clock.ts';
import { openTestDatabase } from '../../support/database.ts';
import { openTestGateway } from '../../support/gateway.ts';
import { insertRecords, record } from '../../support/records.ts';

const clock = createTestClock();
let [isStarting, isDraining, isDown] = [false, false, false];
/** How far the time of day is ahead of the clock for intervals. */
let shift = 0;

const database = await openTestDatabase();
const { polled } = database;
const connect = async () => {
  const connection = await polled.connect();
  const query = connection.query.bind(connection);
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  return Object.assign(connection, {
    query: (sql: string) => (isDown ? Promise.reject(refused) : query(sql)),
  });
};
const gateway = await openTestGateway({
  database: { ...database, polled: { ...polled, connect } },
  records: [record('one')],
  clock,
  now: () => clock.now() + shift,
  app: {
    isStarting: () => isStarting,
    isDraining: () => isDraining,
    maxStaleness: 60,
    isHttps: true,
  },
});
const { key } = await gateway.key();

describe('/ready', () => {
  it('is 503 with the reason while the process is about to stop', async () => {
    expect(await gateway.call('/ready')).toMatchObject({ status: 200, json: { status: 'ready' } });
    isDraining = true;
    expect(await gateway.call('/ready')).toMatchObject({
      status: 503,
      json: { status: 'unready', reasons: ['draining: this process is about to stop'] },
    });
    expect((await gateway.call('/health')).status).toBe(200);
    isDraining = false;
  });

  it('is 503 until the start is complete', async () => {
    isStarting = true;
    expect(await gateway.call('/ready')).toMatchObject({
      status: 503,
      json: { status: 'unready', reasons: ['starting: this process has not started completely'] },
    });
    isStarting = false;
    expect((await gateway.call('/ready')).status).toBe(200);
  });

  it('lasts as long as known keys and startups are served without the database', async () => {
    const list = async () => (await gateway.call('/api/v1/startups', { key })).status;
    await clock.advance(1_000);
    expect(await list()).toBe(200);

    isDown = true;
    await clock.advance(55_000);
    expect([await list(), (await gateway.call('/ready')).status]).toEqual([200, 200]);
    await clock.advance(6_000);
    expect(await gateway.call('/ready')).toMatchObject({
      status: 503,
      json: { reasons: [expect.stringMatching(/^the database has not answered for 6\d seconds$/)] },
    });
    isDown = false;
    await clock.advance(1_000);
    expect((await gateway.call('/ready')).status).toBe(200);
  });
});

it('a clock that is set back or forward by an hour does not affect intervals', async () => {
  const total = async (): Promise<number> =>
    (await gateway.call('/api/v1/startups', { key })).json.meta?.total;
  expect(await total()).toBe(1);
  for (const [hours, change, expected] of [
    [-1, () => insertRecords(database, [record('more')]), 2],
    [1, () => database.prisma.startup.delete({ where: { slug: 'more' } }), 1],
  ] as const) {
    shift = hours * 3_600_000;
    expect((await gateway.call('/ready')).status).toBe(200);
    await change();
    // A build takes real time, after which it rests for as long by a clock that stands still.
    await expect
      .poll(async () => {
        await clock.advance(2_000);
        return total();
      })
      .toBe(expected);
  }
  shift = 0;
});

it.each(['/health', '/graphql', '/api/v1/startups', '/nothing', '/dashboard/sign-in'])(
  'a gateway that is reached by https says so on every response: %s',
  async (path) => {
    expect((await gateway.call(path)).headers['strict-transport-security'], path).toBe('max-age=31536000');
  },
);
