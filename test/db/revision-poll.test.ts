import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type PollConnection, pollRevisions } from '../../src/db/revisions.ts';

describe('the poll of revisions', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
  });

  /** A poll of a database that may be down, and what it told. */
  function start({ knowsUses = false } = {}) {
    const database = {
      isDown: false,
      isSilent: false,
      identity: 'server 1',
      serverStart: '100.5' as string | null,
      dataset: 1,
      connections: 0,
      queries: 0,
      uses: 0,
    };
    const reported: string[] = [];
    const connect = async (): Promise<PollConnection> => {
      if (database.isDown) {
        throw new Error('refused');
      }
      database.connections += 1;
      let end = (): void => {};
      const ended = new Promise<never>((_, reject) => {
        end = () => reject(new Error('ended'));
      });
      ended.catch(() => {});
      return {
        async query() {
          if (database.isDown) {
            throw new Error('down');
          }
          database.queries += 1;
          const { dataset, identity, serverStart } = database;
          const row = { dataset: String(dataset), keys: '0', identity, serverStart };
          return database.isSilent ? ended : { rows: [row] };
        },
        end: async () => end(),
      };
    };
    const uses = knowsUses ? { uses: () => database.uses } : {};
    const poll = pollRevisions({ connect, silenceMs: 5_000, ...uses }, Date.now, {
      reset: () => reported.push('reset'),
      revisions: ({ dataset, keys }) => reported.push(`${dataset} ${keys}`),
      failure: (error) => reported.push((error as Error).message),
      recovery: () => reported.push('recovery'),
    });
    onTestFinished(() => poll.stop());
    /** Lets time pass, and gives what is reported meanwhile. */
    const pass = async (ms: number, change: Partial<typeof database> = {}): Promise<string[]> => {
      Object.assign(database, change);
      reported.length = 0;
      await vi.advanceTimersByTimeAsync(ms);
      return [...reported];
    };
    return { database, poll, pass };
  }

  it('notices a change within half a second, and ends when it is stopped', async () => {
    const { poll, pass } = start();
    expect(new Set(await pass(10_000))).toEqual(new Set(['1 0']));
    expect((await pass(500, { dataset: 2 })).at(-1)).toBe('2 0');
    await poll.stop();
    expect(await pass(5_000)).toEqual([]);
  });

  it('reports a failure once, and once that it is over, and continues between', async () => {
    const { poll, pass } = start();
    await pass(500);
    const before = Date.now();
    expect(await pass(5_000, { isDown: true })).toEqual(['down']);
    expect(poll.answeredAt).toBeLessThanOrEqual(before);
    const reported = await pass(500, { isDown: false });
    expect(reported.slice(0, 2)).toEqual(['1 0', 'recovery']);
    expect(reported.filter((text) => text === 'recovery')).toHaveLength(1);
    expect(poll.answeredAt).toBeGreaterThan(before + 5_000);
  });

  it.each([
    ['another history of the database', { identity: 'server 2' }],
    ['a server that has restarted behind a pooler', { serverStart: '200.5' }],
    ['fewer changes than before', { dataset: 0 }],
  ])('reports that what it reads does not follow: %s', async (_name, change) => {
    const { database, pass } = start();
    await pass(500);
    const reported = await pass(800, change);
    expect(reported).toEqual(['reset', `${database.dataset} 0`, `${database.dataset} 0`]);
  });

  it('closes a connection that is silent, and reads on over another one without a pause', async () => {
    const { database, pass } = start();
    await pass(500);
    expect(await pass(5_400, { isSilent: true })).toEqual(['ended']);
    expect(await pass(500, { isSilent: false })).toEqual(['1 0', 'recovery']);
    expect(database.connections).toBe(2);
  });

  it.each([
    ['the same server', {}, ['2 0']],
    ['a server that has restarted', { serverStart: '200.5' }, ['reset', '2 0']],
    ['another server', { identity: 'server 2' }, ['reset', '2 0']],
  ])('after an outage, reads everything again only if it may have to: %s', async (...row) => {
    const [_name, change, expected] = row;
    const { database, pass } = start();
    await pass(500);
    await pass(5_000, { isDown: true });
    const reported = await pass(1_000, { ...change, isDown: false, dataset: 2 });
    expect(reported.slice(0, reported.indexOf('recovery'))).toEqual(expected);
    expect(database.connections).toBe(2);
  });

  it('reads everything again over another connection to a server that cannot be identified', async () => {
    const { database, pass } = start();
    expect(new Set(await pass(1_000, { serverStart: null }))).toEqual(new Set(['1 0']));
    expect(database.connections).toBe(1);
    await pass(5_000, { isDown: true });
    expect((await pass(1_000, { isDown: false })).slice(0, 3)).toEqual(['reset', '1 0', 'recovery']);
  });

  it('queries a database that nobody uses every four seconds only, and one that is used within half a second', async () => {
    const { database, poll, pass } = start({ knowsUses: true });
    expect((await pass(3_900)).length).toBeGreaterThan(8);
    expect([database.queries, Date.now() - poll.answeredAt]).toEqual([1, 3_900]);
    const used = await pass(500, { uses: 1, dataset: 2 });
    expect([database.queries, used.at(-1)]).toEqual([2, '2 0']);
    expect((await pass(4_400, { isDown: true })).at(-1)).toBe('down');
    expect((await pass(500, { isDown: false, dataset: 3 })).slice(-2)).toEqual(['3 0', 'recovery']);
  });
});
