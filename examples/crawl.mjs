// In a program of your own: import { createClient } from 'revgate-client';
import { createClient } from '../client/dist/index.js';

const { REVGATE_URL = 'http://127.0.0.1:4000', REVGATE_KEY, AFTER } = process.env;

const HELP = `Reads every startup of a list, ten at a time, within the limits of its key: one line of JSON each.

  REVGATE_KEY=rvg_… node examples/crawl.mjs '{"filter":{"onSale":true},"sort":"BEST_DEAL"}' > startups.jsonl

REVGATE_URL is the URL of the gateway (default: http://127.0.0.1:4000). To continue an interrupted crawl, set AFTER
to the last cursor that it printed, with the same argument.`;
if (process.argv[2] === '--help' || process.argv[2] === '-h') {
  console.log(HELP);
  process.exit();
}

const query = `query Crawl($filter: StartupFilter, $sort: StartupSort, $after: String) {
  startups(filter: $filter, sort: $sort, first: 10, after: $after) {
    nodes { slug name category country askingPrice growth30d revenue { last30Days mrr total } }
    pageInfo { hasNextPage endCursor }
  }
}`;

async function crawl(list) {
  const client = createClient({
    url: REVGATE_URL,
    key: REVGATE_KEY,
    onWait: (seconds) => console.error(`Waiting ${seconds} s for the next window`),
  });
  for (let after = AFTER, hasMore = true; hasMore; ) {
    const { startups } = await client.query(query, { ...list, after });
    for (const startup of startups.nodes) {
      console.log(JSON.stringify(startup));
    }
    ({ endCursor: after, hasNextPage: hasMore } = startups.pageInfo);
    if (hasMore) {
      console.error(`AFTER=${after}`);
    }
  }
}

try {
  await crawl(JSON.parse(process.argv[2] ?? '{}'));
} catch (error) {
  console.error(
    error.code === 'NETWORK_ERROR' ? error.message : `${error.code ?? error.name}: ${error.message}`,
  );
  process.exitCode = 1;
}
