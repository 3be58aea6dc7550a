// Keeps a complete local copy of all startups up to date, within the limits of its key.
//
//   REVGATE_KEY=rvg_… node examples/mirror.mjs startups.ndjson
//
// REVGATE_URL is the URL of the gateway (default: http://127.0.0.1:4000). Each run brings the copy up to date and exits.
// With INTERVAL=60 it repeats every 60 seconds. It can be killed at any time; the next run continues.
//
// The copy has one startup per line, without its rank, which changes with all others. Beside it are
//   startups.ndjson.journal       changes that are not in the copy yet: after the lines of each page, its cursor
//   startups.ndjson.new.journal   the same for a new copy, while the old one is kept
// A page counts once the line of its cursor is complete. The copy is only replaced as a whole.
import fs from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const { REVGATE_URL = 'http://127.0.0.1:4000', REVGATE_KEY, INTERVAL, LIMIT = '10' } = process.env;
const file = process.argv[2];
if (file === undefined) {
  console.error('Usage: REVGATE_KEY=rvg_… node examples/mirror.mjs FILE');
  process.exit(2);
}
const [journal, newJournal] = [`${file}.journal`, `${file}.new.journal`];

/** Waits as long as the response says. It compares times of the server only, because this machine's clock may differ. */
async function waitFor(headers) {
  const [, untilReset = 1] = /t=(\d+)/.exec(headers.get('ratelimit')) ?? [];
  const seconds = Number(headers.get('retry-after') ?? untilReset);
  console.error(`Waiting ${seconds} s`);
  await wait(seconds * 1000);
}

/** Why a request failed. The message of fetch does not say it; its cause does. */
function reasonOf(error) {
  return error.cause ? `${REVGATE_URL}: ${error.cause.message || error.cause.code}` : error.message;
}

/** Reads the changes after a cursor; undefined if it has expired. Retries a few times after failures. */
async function readChanges(since, failures = 0) {
  const query = new URLSearchParams({ limit: LIMIT, ...(since && { since }) });
  let retryAfter = new Headers({ 'Retry-After': String(2 ** failures) });
  try {
    const headers = { Authorization: `Bearer ${REVGATE_KEY}` };
    const response = await fetch(`${REVGATE_URL}/api/v1/changes?${query}`, { headers });
    const body = await response.json();
    if (response.ok) {
      const isExhausted = Number(response.headers.get('x-ratelimit-remaining')) < Math.ceil(LIMIT / 10);
      await (body.meta.hasMore && isExhausted && waitFor(response.headers));
      return body;
    }
    if (response.status === 410) {
      return undefined;
    }
    retryAfter = response.headers;
    if (response.status !== 429) {
      const message = `${body.error.code}: ${body.error.message}`;
      throw Object.assign(new Error(message), { isFinal: response.status < 500 });
    }
  } catch (error) {
    failures += 1;
    if (error.isFinal || failures > 5) {
      throw error;
    }
    console.error(reasonOf(error));
  }
  await waitFor(retryAfter);
  return readChanges(since, failures);
}

/** Reads a journal: its changes, and the last cursor. Cuts off an incomplete page at the end. */
function readJournal(path) {
  const text = fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : '';
  const lines = text.split('\n').slice(0, -1);
  const end = lines.findLastIndex((line) => line.startsWith('{"cursor"')) + 1;
  if (end > 0) {
    const whole = lines.slice(0, end);
    fs.truncateSync(path, Buffer.byteLength(`${whole.join('\n')}\n`));
    const parsed = whole.map((line) => JSON.parse(line));
    return { changes: parsed.filter(({ slug }) => slug), cursor: parsed.at(-1).cursor };
  }
  fs.rmSync(path, { force: true });
}

const toLines = (values) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** Replaces a file as a whole. */
function replaceFile(path, content) {
  fs.writeFileSync(`${path}.unfinished`, content, { flush: true });
  fs.renameSync(`${path}.unfinished`, path);
}

/** Appends all changes since the end of a journal to it; false if its cursor has expired. */
async function follow(path) {
  let cursor = readJournal(path)?.cursor;
  for (let hasMore = true; hasMore; ) {
    const body = await readChanges(cursor);
    if (body === undefined) {
      return false;
    }
    const changes = body.data.map(({ slug, startup }) => {
      const { rank: _rank, ...others } = startup ?? {};
      return { slug, startup: startup && others };
    });
    ({ next: cursor, hasMore } = body.meta);
    fs.appendFileSync(path, toLines([...changes, { cursor }]), { flush: true });
  }
  return true;
}

/** The lines of the copy by slug; undefined if there is none yet. */
function readCopy() {
  if (fs.existsSync(file)) {
    const lines = fs.readFileSync(file, 'utf8').split('\n').filter(Boolean);
    return new Map(lines.map((line) => [JSON.parse(line).slug, line]));
  }
}

/** Applies the journal to the copy. If it is killed between the two files, the next run applies the journal again. */
function compact() {
  const { changes, cursor } = readJournal(journal);
  const copy = readCopy();
  if (changes.length > 0 || copy === undefined) {
    const startups = new Map(copy);
    for (const { slug, startup } of changes) {
      startup === null ? startups.delete(slug) : startups.set(slug, JSON.stringify(startup));
    }
    replaceFile(file, [...startups.values()].map((line) => `${line}\n`).join(''));
  }
  replaceFile(journal, toLines([{ cursor }]));
}

/** Brings the copy up to date, or reads everything if there is no copy or its cursor has expired. */
async function update() {
  const isKnown = fs.existsSync(file) && !fs.existsSync(newJournal) && readJournal(journal);
  if (isKnown && (await follow(journal))) {
    return compact();
  }
  console.error('Reading everything');
  while (!(await follow(newJournal))) {
    fs.rmSync(newJournal);
  }
  // Startups of the old copy that this read did not return were removed.
  const { changes, cursor } = readJournal(newJournal);
  const listed = new Set(changes.map(({ slug }) => slug));
  const gone = [...(readCopy()?.keys() ?? [])].filter((slug) => !listed.has(slug));
  replaceFile(journal, toLines([...gone.map((slug) => ({ slug, startup: null })), ...changes, { cursor }]));
  compact();
  fs.rmSync(newJournal);
}

try {
  do {
    await update();
  } while (INTERVAL && (await wait(INTERVAL * 1000, true)));
} catch (error) {
  console.error(reasonOf(error));
  process.exitCode = 1;
}
