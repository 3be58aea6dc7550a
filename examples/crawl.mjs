// Reads every startup of a list, ten at a time, within the limits of its key: one line of JSON each.
//
//   REVGATE_KEY=rvg_… node examples/crawl.mjs '{"filter":{"onSale":true},"sort":"BEST_DEAL"}' > startups.jsonl
//
// REVGATE_URL is the URL of the gateway (default: http://127.0.0.1:4000). To continue an interrupted crawl, set AFTER
// to the last cursor that it printed, with the same argument.
import { setTimeout as wait } from 'node:timers/promises';

const { REVGATE_URL = 'http://127.0.0.1:4000', REVGATE_KEY, AFTER } = process.env;

const query = `query Crawl($filter: StartupFilter, $sort: StartupSort, $after: String) {
  startups(filter: $filter, sort: $sort, first: 10, after: $after) {
    nodes { slug name category country askingPrice growth30d revenue { last30Days mrr total } }
    pageInfo { hasNextPage endCursor }
  }
}`;

/** Waits until the window ends. The header is in seconds since 1970, so this clock should be right. */
async function untilReset(headers) {
  const seconds = Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000;
  console.error(`Waiting ${Math.max(1, Math.ceil(seconds))} s for the next window`);
  await wait(Math.max(1, seconds) * 1000);
}

/** Sends the query. If the limit is exceeded, it retries in the next window; the rejected request costs nothing. */
async function ask(variables) {
  for (;;) {
    const response = await fetch(`${REVGATE_URL}/graphql`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/graphql-response+json',
        Authorization: `Bearer ${REVGATE_KEY}`,
      },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = await response.json();
    if (response.status === 429) {
      await untilReset(response.headers);
      continue;
    }
    if (errors !== undefined) {
      const { message, extensions } = errors[0];
      throw new Error(`${extensions.code}: ${message}`);
    }
    return { list: data.startups, headers: response.headers };
  }
}

async function crawl(list) {
  for (let after = AFTER; ; ) {
    const { list: part, headers } = await ask({ ...list, after });
    for (const startup of part.nodes) {
      console.log(JSON.stringify(startup));
    }
    if (!part.pageInfo.hasNextPage) {
      return;
    }
    after = part.pageInfo.endCursor;
    console.error(`AFTER=${after}`);
    if (headers.get('x-ratelimit-remaining') === '0') {
      await untilReset(headers);
    }
  }
}

try {
  await crawl(JSON.parse(process.argv[2] ?? '{}'));
} catch (error) {
  // The message of fetch does not say why it failed; its cause does.
  console.error(error.cause ? `${REVGATE_URL}: ${error.cause.message || error.cause.code}` : error.message);
  process.exitCode = 1;
}
