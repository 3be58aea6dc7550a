import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sampleStartups } from '../../../src/startups/sample/sample.ts';
import { openTestGateway } from '../../support/gateway.ts';
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

it("an agent's ten answers follow from its calls, each within the limit of a standard key", async () => {
  let passed = 0;
  const gateway = await openTestGateway({
    records: [...sampleStartups({ count: 1_000, seed: 2 })],
    now: () => Date.now() + passed,
  });
  const agent = agentOf(gateway, (await gateway.key()).key);
  expect(turns).toHaveLength(10);
  for (const { question, calls, answer } of turns) {
    await agent.send('tools/list');
    let read = question;
    let units = 0;
    for (const [tool, args] of calls) {
      const { isError, text, structuredContent } = await agent.call(tool, args);
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
