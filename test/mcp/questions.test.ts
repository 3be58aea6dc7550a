import { expect, it } from 'vitest';
import { sampleStartups } from '../../src/startups/import/sample.ts';
import { openTestGateway } from '../support/gateway.ts';
import { agentOf } from './agent.ts';

/** A call that an agent made, with a part of the text from which it answered. */
type Call = readonly [tool: string, args: object, text: RegExp];

/** Questions to an agent, and the calls by which it answered them. */
const questions: Readonly<Record<string, readonly Call[]>> = {
  'Which AI startups under $100k are for sale, and which grew fastest?': [
    [
      'search_startups',
      { category: ['ai'], onSale: true, maxPrice: 10_000_000, sort: 'growth-desc' },
      /\n1\. .*growth30d .*askingPrice \$|\n1\. .*askingPrice \$.*growth30d /,
    ],
  ],
  'Which categories have the highest multiples?': [
    [
      'summarize_startups',
      { by: 'category' },
      /startups?, \d+ for sale; revenue sum \$[\d,.]+, median \$[\d,.]+; growth median \S+; multiple median [\d.]+x/,
    ],
  ],
  'How has the market changed this month?': [
    ['read_market', { from: '2026-11-01' }, /days? from 2026-11-01 to /],
  ],
  'Is there a startup called …, and how did it do lately?': [
    ['search_startups', { search: 'SLUG', limit: 3 }, /\(SLUG\)/],
    ['get_startup', { slug: 'SLUG', history: true, last: 7 }, /\nCost 2; /],
  ],
  'What is new since I last asked?': [
    ['list_changes', { limit: 10 }, /Pass this as since of the next call: \S+/],
  ],
  'Which bootstrapped teams of up to five make more than $10,000 a month?': [
    [
      'search_startups',
      {
        fundingStatus: ['bootstrapped'],
        teamSize: ['1', '2-5'],
        minMrr: 1_000_000,
        sort: 'mrr-desc',
        fields: ['revenue.mrr', 'teamSize', 'description'],
      },
      /\n1\. .*revenue\.mrr \$\d{2},\d{3}|found; page 1 of/,
    ],
  ],
  'What is the median revenue of SaaS startups in Germany and France?': [
    [
      'summarize_startups',
      { category: ['saas'], country: ['DE', 'FR'] },
      /revenue of \d+: sum \$[\d,.]+, min \$[\d,.]+, median \$[\d,.]+/,
    ],
  ],
  'Which listings are the best deals, with their websites?': [
    [
      'search_startups',
      {
        onSale: true,
        sort: 'best-deal',
        fields: ['website', 'askingPrice', 'multiple', 'profitMarginLast30Days'],
      },
      /\n1\. .*website "https?:.*askingPrice \$/,
    ],
    ['search_startups', { onSale: true, sort: 'best-deal', page: 2 }, /page 2 of \d+\./],
  ],
  'Which payment providers do the fastest growing startups use?': [
    [
      'search_startups',
      { minGrowth: 0.5, sort: 'growth-desc', fields: ['paymentProvider', 'growth30d'] },
      /paymentProvider \w+; growth30d [\d,.]+%/,
    ],
    [
      'summarize_startups',
      { minGrowth: 0.5, by: 'paymentProvider' },
      /\nstripe: \d+ startups?, \d+ for sale;/,
    ],
  ],
  'How many startups are there, and what do they earn together?': [
    ['summarize_startups', {}, /^300 startups found\.\n[\s\S]*revenue of 300: sum \$/],
  ],
};

it('each of ten questions is answered within the limit of a standard key', async () => {
  let time = Date.parse('2026-11-20T12:00:00Z');
  const records = [...sampleStartups({ count: 300, seed: 1 })].map((record, index) =>
    record.onSale && index % 2 === 0
      ? { ...record, category: 'ai' as const, askingPrice: 9_900_000 }
      : record,
  );
  const gateway = await openTestGateway({ records, now: () => time });
  const { key } = await gateway.key();
  const agent = agentOf(gateway, key);
  const slug = records[0]?.slug ?? '';
  expect(Object.keys(questions)).toHaveLength(10);
  for (const [question, calls] of Object.entries(questions)) {
    // A client discovers the tools again for each.
    await agent.send('tools/list');
    for (const [tool, args, expected] of calls) {
      const named = JSON.parse(JSON.stringify(args).replaceAll('SLUG', slug));
      const { text, isError } = await agent.call(tool, named);
      expect([question, isError, text]).toEqual([
        question,
        undefined,
        expect.stringMatching(new RegExp(expected.source.replaceAll('SLUG', slug))),
      ]);
      expect(text.length).toBeLessThanOrEqual(2_000);
    }
    time += 60_000;
  }
});
