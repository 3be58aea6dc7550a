import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pointColumns } from '../../../src/startups/model/point-figures.ts';
import { recordSampleHistory } from '../../../src/startups/sample/load-sample.ts';
import { sampleStartups } from '../../../src/startups/sample/sample.ts';
import { openTestDatabase } from '../../support/database.ts';
import { openTestGateway } from '../../support/gateway.ts';
import { insertRecords } from '../../support/records.ts';
import { agentOf } from './agent.ts';

/** A question to an agent, the calls that it made, also wrong ones, and what it answered from their texts alone. */
interface Turn {
  readonly question: string;
  readonly calls: readonly (readonly [tool: string, args: object])[];
  readonly answer: string;
}
const turns: readonly Turn[] = JSON.parse(readFileSync(new URL('transcript.json', import.meta.url), 'utf8'));

/** The figures of an answer, and the names in quotes. */
const FACTS = /"[^"]+"|\$?\d[\d,.]*\d%?x?|\d+%?/g;

/** A market with a past, in which three startups for sale got cheaper after the time that the questions call yesterday. */
async function openMarket() {
  const database = await openTestDatabase();
  await insertRecords(database, [...sampleStartups({ count: 1_000, seed: 2 })]);
  await database.pool.query(
    "UPDATE startups SET x_handle = CASE WHEN id < 4 THEN 'ada_makes' ELSE 'bob_ships' END WHERE id < 6",
  );
  // A past for some of them is enough.
  await database.pool.query("UPDATE startups SET sample = true WHERE slug = 'fidula-kit' OR id % 20 = 0");
  await recordSampleHistory(database.pool);
  const { rows } = await database.pool.query('SELECT clock_timestamp() AS yesterday');
  const cheaper =
    'startups WHERE id IN (SELECT id FROM startups WHERE on_sale AND asking_price > 1000000 ORDER BY slug LIMIT 3)';
  // A price is lower than on an earlier day.
  const columns = pointColumns.join(', ');
  await database.pool.query(
    `INSERT INTO startup_points (startup_id, day, ${columns})
     SELECT id, revgate_utc_day(clock_timestamp()) - 1, ${columns} FROM ${cheaper} ON CONFLICT DO NOTHING`,
  );
  await database.pool.query(
    `UPDATE startups SET asking_price = asking_price * 0.8 WHERE id IN (SELECT id FROM ${cheaper})`,
  );
  return { database, yesterday: rows[0].yesterday.toISOString() as string };
}

it('the answers of an agent follow from its calls, each within the limit of a standard key', async () => {
  let passed = 0;
  const { database, yesterday } = await openMarket();
  const gateway = await openTestGateway({ database, now: () => Date.now() + passed });
  const agent = agentOf(gateway, (await gateway.key()).key);
  expect(turns).toHaveLength(12);
  for (const { question, calls, answer } of turns) {
    await agent.send('tools/list');
    let read = question;
    let units = 0;
    for (const [tool, args] of calls) {
      const { isError, text, structuredContent } = await agent.call(
        tool,
        JSON.parse(JSON.stringify(args).replace('YESTERDAY', yesterday)),
      );
      units += structuredContent.rateLimit.cost;
      expect([question, isError]).toEqual([question, undefined]);
      read += `\n${text}`;
    }
    const facts = answer.match(FACTS) ?? [];
    expect(units).toBeLessThanOrEqual(10);
    expect(facts.length).toBeGreaterThan(1);
    expect([question, facts.filter((fact) => !read.includes(fact))]).toEqual([question, []]);
    passed += 60_000;
  }
});
