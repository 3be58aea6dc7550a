// Nobody is timed who answers wrongly: the same slugs in the same order and the same total as SQL gives.
import { countStatement, listStatement } from '../peers/sql.mjs';
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
    const wanted = JSON.stringify(await wantedAnswer(operation, database.client));
    const got = status === 200 ? JSON.stringify(read(JSON.parse(text))) : text;
    if (got !== wanted) {
      const asked = JSON.stringify(operation);
      throw new Error(
        `${server.name}, ${load} over ${surface}, ${asked}:\ngot ${got}\nbut SQL gives ${wanted}`,
      );
    }
  }
}

async function wantedAnswer(operation, client) {
  if (operation.slug !== undefined) {
    return { slug: operation.slug };
  }
  const { rows } = await client.query(listStatement(operation, 'cards'));
  const { rows: counted } = await client.query(countStatement(operation));
  return { slugs: rows.map(({ slug }) => slug), total: counted[0].total };
}
