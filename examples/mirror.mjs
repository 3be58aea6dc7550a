// It begins with a snapshot if the key may have one, otherwise it reads all startups as changes.
// The copy has one startup per line, as snapshots and changes have them: without its rank, which changes with all others. Beside it are
//   startups.ndjson.journal       changes that are not in the copy yet: after the lines of each page, its cursor
//   startups.ndjson.new.journal   the same for a new copy, while the old one is kept
//   startups.ndjson.lock-…        the socket of the process that works on them; a dead one is removed by the next run
// A page counts once the line of its cursor is complete. The copy is only replaced as a whole.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import { basename, dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
// In a program of your own: import { createClient } from 'revgate-client';
import { createClient } from '../client/dist/index.js';

const { REVGATE_URL = 'http://127.0.0.1:4000', REVGATE_KEY, INTERVAL, LIMIT = '10' } = process.env;
const HELP = `Keeps a complete local copy of all startups up to date, within the limits of its key.

  REVGATE_KEY=rvg_… node examples/mirror.mjs startups.ndjson

REVGATE_URL is the URL of the gateway (default: http://127.0.0.1:4000). Each run brings the copy up to date and exits.
With INTERVAL=60 it repeats every 60 seconds. It can be killed at any time; the next run continues.`;
const path = process.argv[2];
if (path === '--help' || path === '-h') {
  console.log(HELP);
  process.exit();
}
if (path === undefined) {
  console.error('Usage: REVGATE_KEY=rvg_… node examples/mirror.mjs FILE (see --help)');
  process.exit(2);
}
// A pause that timers cannot keep would be none.
if (INTERVAL && !(Number(INTERVAL) >= 1 && Number(INTERVAL) <= 86_400)) {
  console.error(`INTERVAL: got "${INTERVAL}", allowed: seconds, from 1 to 86400`);
  process.exit(2);
}
const file = basename(path);
const [journal, newJournal] = [`${file}.journal`, `${file}.new.journal`];
/** How many changes were read, and if everything is read, how many startups there are. */
const progress = { read: 0, total: undefined };

function isListening(socket) {
  return new Promise((resolve) => {
    const connection = net.connect(socket, () => resolve(Boolean(connection.destroy())));
    connection.once('error', ({ code }) => resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'));
  });
}

/**
 * Locks the file for this process. Each process listens on a socket of its own beside the file, and then looks for
 * others, so that of two the later one sees the earlier one. The system closes the socket when the process dies.
 */
async function lock(attempts = 5) {
  const own = `${file}.lock-${randomBytes(4).toString('hex')}`;
  const server = net.createServer((socket) => socket.destroy()).unref();
  await new Promise((resolve, reject) => server.once('error', reject).listen(own, resolve));
  const others = fs.readdirSync('.').filter((name) => name.startsWith(`${file}.lock-`) && name !== own);
  const held = await Promise.all(others.map(isListening));
  others.filter((_, index) => !held[index]).forEach((name) => void fs.rmSync(name, { force: true }));
  if (!held.some(Boolean) && fs.existsSync(own)) {
    return () => server.close();
  }
  await new Promise((resolve) => server.close(resolve));
  if (attempts === 1) {
    throw new Error(`${path} is in use by another process: wait until that has finished`);
  }
  // Two that started at the same time have seen each other.
  await wait(Math.random() * 200);
  return lock(attempts - 1);
}

let client;
const openClient = () =>
  createClient({
    url: REVGATE_URL,
    key: REVGATE_KEY,
    retries: 5,
    onWait(seconds, error) {
      if (error && error.status !== 429) {
        console.error(reasonOf(error));
      }
      const { read, total } = progress;
      const left = total ? ` of about ${total}` : '';
      console.error(`Records read: ${read}${left}. Waiting ${seconds} s`);
    },
  });

function reasonOf({ code, name, message }) {
  return code === undefined || code === 'NETWORK_ERROR' || name !== 'RevgateError'
    ? message
    : `${code}: ${message}`;
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
  const { cursor, changes: known = [] } = readJournal(path) ?? {};
  progress.read = known.length;
  try {
    for await (const { data, meta } of client.changes({ limit: Number(LIMIT), since: cursor })) {
      const changes = data.map(({ slug, startup }) => ({ slug, startup }));
      fs.appendFileSync(path, toLines([...changes, { cursor: meta.next }]), { flush: true });
      progress.read += data.length;
    }
  } catch (error) {
    if (error.code === 'CURSOR_EXPIRED') {
      return false;
    }
    throw error;
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

/** Replaces the copy by a snapshot; false if the key cannot have one now. */
async function download() {
  const snapshot = client.snapshot();
  const unfinished = `${file}.unfinished`;
  const output = fs.openSync(unfinished, 'w');
  let lines = [];
  try {
    for await (const startup of snapshot) {
      lines.push(startup);
      if (lines.length === 1_000) {
        fs.writeSync(output, toLines(lines));
        lines = [];
      }
      progress.read += 1;
    }
    fs.writeSync(output, toLines(lines));
    fs.fsyncSync(output);
  } catch (error) {
    // Not allowed, not now, or broken off: everything can be read as changes.
    if ([400, 403, 404, 429].includes(error.status) || snapshot.cursor !== undefined) {
      console.error(reasonOf(error));
      fs.rmSync(unfinished);
      return false;
    }
    throw error;
  } finally {
    fs.closeSync(output);
  }
  // Without a journal, the next run reads everything again if this one is killed here.
  fs.rmSync(journal, { force: true });
  fs.renameSync(unfinished, file);
  replaceFile(journal, toLines([{ cursor: snapshot.cursor }]));
  return true;
}

/** Brings the copy up to date, or reads everything if there is no copy or its cursor has expired. */
async function update() {
  const isKnown = fs.existsSync(file) && !fs.existsSync(newJournal) && readJournal(journal);
  if (isKnown && (await follow(journal))) {
    return compact();
  }
  progress.read = 0;
  if (!fs.existsSync(newJournal) && (await download())) {
    return;
  }
  progress.total = (await client.list({ limit: 1 })).meta.total;
  console.error(`Reading everything: about ${progress.total} startups`);
  while (!(await follow(newJournal))) {
    console.error('The cursor has expired: reading everything again');
    fs.rmSync(newJournal);
  }
  // Startups of the old copy that this read did not return were removed.
  const { changes, cursor } = readJournal(newJournal);
  const listed = new Set(changes.map(({ slug }) => slug));
  const gone = [...(readCopy()?.keys() ?? [])].filter((slug) => !listed.has(slug));
  replaceFile(journal, toLines([...gone.map((slug) => ({ slug, startup: null })), ...changes, { cursor }]));
  compact();
  fs.rmSync(newJournal);
  progress.total = undefined;
}

let unlock = () => {};
try {
  client = openClient();
  // The path of a socket must be short.
  process.chdir(dirname(path));
  unlock = await lock();
  do {
    await update();
  } while (INTERVAL && (await wait(INTERVAL * 1000, true)));
} catch (error) {
  console.error(reasonOf(error));
  process.exitCode = 1;
}
unlock();
