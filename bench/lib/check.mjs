// Nobody is timed who answers wrongly: the same slugs in the same order and the same total as SQL gives.
import { countStatement, historyStatement, listStatement } from '../peers/sql.mjs';
import { createStream } from './operations.mjs';
import { surfaces } from './surfaces.mjs';

const SAMPLES = 8;

export async function ask({ port }, surface, operation, key) {
  const { method, path, headers, body } = surfaces[surface].request(operation);
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, text: await response.text() };
}

/** @throws when a target answers some operations of a load otherwise than SQL does. */
export async function checkAnswers(server, surface, load, database) {
  const { read } = surfaces[surface];
  if (read === undefined) {
    return;
  }
  const next = createStream(load, { ...database, seed: 77 });
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const operation = next();
    const { status, text } = await ask(server, surface, operation, database.key);
    const wanted = await wantedAnswer(operation, database.client);
    const got = status === 200 ? comparable(operation, read(JSON.parse(text))) : text;
    if (JSON.stringify(got) !== JSON.stringify(wanted)) {
      throw new Error(
        `${server.name} answers ${load} over ${surface} wrongly:\n${JSON.stringify(operation)}\n` +
          `got ${JSON.stringify(got)}\nnot ${JSON.stringify(wanted)}`,
      );
    }
  }
}

/** The part of an answer that has to agree: relevance is not counted alike, nor is what resembles a word. */
function comparable({ sort, wanted }, { slugs, total, ...others }) {
  if (wanted !== undefined) {
    return slugs.find((slug) => slug === wanted);
  }
  return slugs === undefined ? others : sort === 'relevance' ? total : { slugs, total };
}

async function wantedAnswer(operation, client) {
  if (operation.wanted !== undefined) {
    return operation.wanted;
  }
  if (operation.histories !== undefined) {
    const wanted = [];
    for (const slug of operation.histories) {
      wanted.push(await wantedHistory(slug, client));
    }
    return wanted;
  }
  if (operation.slug !== undefined) {
    return { slug: operation.slug };
  }
  const { rows } = await client.query(listStatement(operation, 'cards'));
  const { rows: counted } = await client.query(countStatement(operation));
  return comparable(operation, { slugs: rows.map(({ slug }) => slug), total: counted[0].total });
}

async function wantedHistory(slug, client) {
  const { rows } = await client.query(historyStatement([slug]));
  return [slug, rows.length, rows[0].day, rows.at(-1).revenue_last_30_days];
}
