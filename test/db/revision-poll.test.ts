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
      identity: 'server 1' as string,
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
          const rows = [
            { name: 'dataset', value: String(dataset) },
            { name: 'identity', value: identity },
            { name: 'server_start', value: serverStart },
          ];
          return database.isSilent ? ended : { rows };
        },
        async end() {
          end();
        },
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
    return { database, reported, poll };
  }

  it('notices a change within half a second', async () => {
    const { database, reported } = start();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(new Set(reported)).toEqual(new Set(['1 0']));
    database.dataset = 2;
    await vi.advanceTimersByTimeAsync(500);
    expect(reported.at(-1)).toBe('2 0');
  });

  it('reports a failure once, and once that it is over, and continues between', async () => {
    const { database, reported, poll } = start();
    await vi.advanceTimersByTimeAsync(500);
    const before = Date.now();
    database.isDown = true;
    reported.length = 0;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(reported).toEqual(['down']);
    expect(poll.answeredAt).toBeLessThanOrEqual(before);
    database.isDown = false;
    await vi.advanceTimersByTimeAsync(500);
    expect(reported.slice(0, 3)).toEqual(['down', '1 0', 'recovery']);
    expect(reported.filter((text) => text === 'recovery')).toHaveLength(1);
    expect(poll.answeredAt).toBeGreaterThan(before + 5_000);
  });

  it.each([
    ['another history of the database', { identity: 'server 2' }],
    ['a server that has restarted behind a pooler', { serverStart: '200.5' }],
    ['fewer changes than before', { dataset: 0 }],
  ])('reports that what it reads does not follow: %s', async (_name, change) => {
    const { database, reported } = start();
    await vi.advanceTimersByTimeAsync(500);
    Object.assign(database, change);
    reported.length = 0;
    await vi.advanceTimersByTimeAsync(800);
    expect(reported).toEqual(['reset', `${database.dataset} 0`, `${database.dataset} 0`]);
  });

  it('closes a connection that is silent, and reads on over another one without a pause', async () => {
    const { database, reported } = start();
    await vi.advanceTimersByTimeAsync(500);
    database.isSilent = true;
    reported.length = 0;
    await vi.advanceTimersByTimeAsync(5_400);
    expect(reported).toEqual(['ended']);
    database.isSilent = false;
    await vi.advanceTimersByTimeAsync(500);
    expect(reported).toEqual(['ended', '1 0', 'recovery']);
    expect(database.connections).toBe(2);
  });

  it.each([
    ['the same server', {}, ['2 0']],
    ['a server that has restarted', { serverStart: '200.5' }, ['reset', '2 0']],
    ['another server', { identity: 'server 2' }, ['reset', '2 0']],
  ])(
    'after an outage, reads everything again only if it may have to: %s',
    async (_name, change, expected) => {
      const { database, reported } = start();
      await vi.advanceTimersByTimeAsync(500);
      database.isDown = true;
      await vi.advanceTimersByTimeAsync(5_000);
      reported.length = 0;
      Object.assign(database, change, { isDown: false, dataset: 2 });
      await vi.advanceTimersByTimeAsync(1_000);
      expect(reported.slice(0, reported.indexOf('recovery'))).toEqual(expected);
      expect(database.connections).toBe(2);
    },
  );

  it('reads everything again over another connection to a server that cannot be identified', async () => {
    const { database, reported } = start();
    database.serverStart = null;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(new Set(reported)).toEqual(new Set(['1 0']));
    expect(database.connections).toBe(1);
    database.isDown = true;
    await vi.advanceTimersByTimeAsync(5_000);
    reported.length = 0;
    database.isDown = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(reported.slice(0, 3)).toEqual(['reset', '1 0', 'recovery']);
  });

  it('queries a database that nobody uses every four seconds only, and one that is used within half a second', async () => {
    const { database, reported, poll } = start({ knowsUses: true });
    await vi.advanceTimersByTimeAsync(3_900);
    expect([database.queries, reported.length > 8]).toEqual([1, true]);
    expect(Date.now() - poll.answeredAt).toBe(3_900);
    Object.assign(database, { uses: 1, dataset: 2 });
    await vi.advanceTimersByTimeAsync(500);
    expect([database.queries, reported.at(-1)]).toEqual([2, '2 0']);
    database.isDown = true;
    await vi.advanceTimersByTimeAsync(4_400);
    expect(reported.at(-1)).toBe('down');
    Object.assign(database, { isDown: false, dataset: 3 });
    await vi.advanceTimersByTimeAsync(500);
    expect(reported.slice(-2)).toEqual(['3 0', 'recovery']);
  });

  it('ends when it is stopped', async () => {
    const { reported, poll } = start();
    await vi.advanceTimersByTimeAsync(500);
    await poll.stop();
    const count = reported.length;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(reported).toHaveLength(count);
  });
});
