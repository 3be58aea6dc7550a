import { setImmediate, setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ImportProgress, importStartups } from '../../../src/startups/import/import.ts';
import { openTestGateway, type TestGateway } from '../../support/gateway.ts';
import { input, ndjson, record } from './inputs.ts';

const COUNT = 600;

/** All startups under one name; the orders of two versions are each other's reverse. */
function version(name: string, revenueOf: (index: number) => number): string {
  const records = Array.from({ length: COUNT }, (_, index) =>
    record({
      slug: `s-${index}`,
      name,
      revenue: { last30Days: revenueOf(index), mrr: 0, total: revenueOf(index) },
    }),
  );
  return ndjson(...records);
}

describe('lists during an import that changes every startup', () => {
  let gateway: TestGateway;
  let key: string;
  beforeAll(async () => {
    gateway = await openTestGateway({ limits: { standard: 1_000_000, premium: 1_000_000 } });
    key = (await gateway.key()).key;
    await load(version('Old', (index) => index));
    await vi.waitFor(async () => expect((await list(0)).total).toBe(COUNT), 10_000);
  }, 60_000);
  afterAll(() => gateway.close());

  async function load(content: string, onStep: (progress: ImportProgress) => void = () => {}): Promise<void> {
    const client = await gateway.database.connect();
    await importStartups({
      client,
      sharedSession: gateway.database.kind === 'embedded',
      inputs: [input('a.ndjson', content)],
      ...{ progress: onStep, runLength: 20, besideFrom: 100 },
    });
    await client.end();
  }

  async function list(bound: number): Promise<{ total: number; names: string[]; isInOrder: boolean }> {
    // As between two requests: what is answered from memory would leave nobody else a turn.
    await setImmediate();
    const { status, json } = await gateway.call(`/api/v1/startups?minRevenue=${bound}`, { key });
    expect(status).toBe(200);
    const found = json.data as { name: string; revenue: { last30Days: number } }[];
    const revenues = found.map(({ revenue }) => revenue.last30Days);
    return {
      total: json.meta.total,
      names: [...new Set(found.map(({ name }) => name))],
      isInOrder: revenues.every((value, index) => index === 0 || value < (revenues[index - 1] as number)),
    };
  }

  it('are answered throughout, wholly with the old data until wholly with the new', async () => {
    let statements = 0;
    /** After which of them a list was answered before the next one. */
    const answeredAfter = new Set<number>();
    const running = load(
      version('New', (index) => COUNT - index),
      ({ phase }) => {
        statements += phase === 'applying' ? 1 : 0;
      },
    );
    let isOver = false;
    const over = running.finally(() => {
      isOver = true;
    });
    const seen: string[] = [];
    for (let asked = 0; !isOver || seen.at(-1) !== 'New'; asked += 1) {
      const { total, names, isInOrder } = await list(asked % 50);
      expect([names.length, isInOrder], `of list ${asked}`).toEqual([1, true]);
      expect([COUNT - (asked % 50), COUNT - (asked % 50) + 1]).toContain(total);
      seen.push(names[0] as string);
      answeredAfter.add(statements);
      if (isOver) {
        // Until the poll of revisions.
        await setTimeout(10);
      }
    }
    await over;
    expect(statements).toBeGreaterThan(20);
    expect(answeredAfter.size).toBeGreaterThan(statements / 2);
    expect(seen[0]).toBe('Old');
    expect(seen).toEqual(seen.toSorted().toReversed());
  }, 60_000);
});
