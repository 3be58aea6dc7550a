// Uses every kind of method of the client, with nothing but what all runtimes have. Prints its findings.
import { createClient, RevgateError } from '../../client/dist/index.js';

const [url, key, documentId] = process.argv.slice(2);
const kept = new Map();
const client = createClient({ url, key, store: kept });

const slugs = [];
for await (const { slug } of client.startups({ category: 'ai' })) {
  slugs.push(slug);
}
const detail = await client.startup('s-01');
const again = await client.startup('s-01');
let changes = 0;
for await (const { data } of client.changes({ limit: 20 })) {
  changes += data.length;
}
const error = await client.startup('nobody').catch((reason) => reason);
const stop = new AbortController();
const aborted = client.market({}, { signal: stop.signal }).catch(({ name }) => name);
stop.abort();

console.log(
  JSON.stringify({
    slugs,
    isSame: JSON.stringify(again) === JSON.stringify(detail),
    changes,
    error: error instanceof RevgateError && [error.code, error.status, typeof error.requestId],
    aborted: await aborted,
    published: await client.query({ documentId }, { slug: 's-02' }, { operationName: 'One' }),
  }),
);
