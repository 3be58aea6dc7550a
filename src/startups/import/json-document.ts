import { endOfString } from '../../text/json-number.ts';
import { showText, UnreadableInput } from './errors.ts';
import { type CurrentLine, peek, skip } from './input.ts';
import { readJsonArray } from './json-array.ts';
import { type Line, MAX_RECORD_BYTES, readLines } from './lines.ts';

/**
 * Reads input that begins with an object: one object on each line, a single object, or a response of a REST list with
 * records in `data`. The beginning is searched to find out which; memory is bounded.
 *
 * @param current kept at the line that is being read.
 * @throws UnreadableInput where the records are nested in anything else, with the path of the first list of objects.
 */
export async function* readJsonDocument(
  bytes: AsyncIterable<Buffer>,
  current: CurrentLine,
): AsyncGenerator<Line[]> {
  let start: DocumentStart = { kind: 'open' };
  let looked = 0;
  const isEnough = (seen: Buffer): boolean => {
    // The size doubles each time, so that small pieces do not make it slow.
    if (seen.length < looked * 2) {
      return false;
    }
    looked = seen.length;
    start = findList(seen.toString('latin1'));
    return start.kind !== 'open';
  };
  const head = await peek(bytes, isEnough, MAX_RECORD_BYTES);
  // The last pieces may not have been parsed.
  const found: DocumentStart = start.kind === 'open' ? findList(head.start.toString('latin1')) : start;
  if (found.kind === 'list') {
    current.line = found.line;
    if (found.path.join('.') !== 'data') {
      throw nested(found);
    }
    yield* readJsonArray(skip(head.bytes, found.at), current, true);
  } else if (found.kind === 'object' && isSpread(head.start.subarray(0, found.end))) {
    yield* readAlone(head.bytes, found.end, current);
  } else {
    yield* readLines(head.bytes, current);
  }
}

/** The format, as detected from the beginning of a JSON document. */
type DocumentStart =
  /** Not known yet: the first object is incomplete. */
  | { readonly kind: 'open' }
  /** A list of records: its path, the index of its bracket, and the line of that. */
  | { readonly kind: 'list'; readonly path: readonly string[]; readonly at: number; readonly line: number }
  /** A whole object without a list of records, and the index after it. */
  | { readonly kind: 'object'; readonly end: number };

/** Names on a path that are remembered, and characters of each. */
const MOST_DEPTH = 20;
const MOST_NAME = 60;
/** The step into an array. */
const ANY = '*';

/** Finds the first array of objects in the first object of a text, or its `data` if that is an array. */
function findList(text: string): DocumentStart {
  const arrays: boolean[] = [];
  const path: string[] = [];
  let name = '';
  let line = 1;
  let isRecord = false;
  for (let at = 0; at < text.length; at += 1) {
    const depth = arrays.length;
    const character = text[at];
    if (character === '\n') {
      line += 1;
    } else if (character === '"') {
      const end = endOfString(text, at);
      if (end === undefined) {
        return { kind: 'open' };
      }
      name = text.slice(at + 1, Math.min(end, at + 1 + MOST_NAME));
      isRecord ||= depth === 1 && name === 'slug';
      at = end;
    } else if (character === '{' || character === '[') {
      path.length = Math.min(path.length, Math.max(depth - 1, 0));
      if (depth > 0 && depth <= MOST_DEPTH) {
        path[depth - 1] = arrays.at(-1) === true ? ANY : name;
      }
      const next = character === '[' ? /\S/.exec(text.slice(at + 1, at + 1 + MOST_SPACE))?.[0] : undefined;
      const isData = depth === 1 && name === 'data' && next !== undefined;
      if (!isRecord && (next === '{' || isData)) {
        return { kind: 'list', path: [...path], at, line };
      }
      arrays.push(character === '[');
    } else if (character === '}' || character === ']') {
      arrays.pop();
      if (arrays.length === 0) {
        return { kind: 'object', end: at + 1 };
      }
    }
  }
  return { kind: 'open' };
}

/** How much white space after a bracket is searched. */
const MOST_SPACE = 1_000;

/** Whether the bytes are one JSON value on several lines. */
function isSpread(bytes: Buffer): boolean {
  if (!bytes.toString('latin1').trim().includes('\n')) {
    return false;
  }
  try {
    JSON.parse(bytes.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

/** One object that takes several lines; nothing may follow it. */
async function* readAlone(
  bytes: AsyncIterable<Buffer>,
  end: number,
  current: CurrentLine,
): AsyncGenerator<Line[]> {
  const { start, bytes: all } = await peek(bytes, (seen) => seen.length >= end, MAX_RECORD_BYTES);
  const text = start.subarray(0, end).toString('utf8');
  const began = text.length - text.trimStart().length;
  const number = current.line + text.slice(0, began).split('\n').length - 1;
  current.line += text.split('\n').length - 1;
  for await (const rest of skip(all, end)) {
    const after = rest.toString('utf8');
    const shown = after.trimStart();
    current.line += after.slice(0, after.length - shown.length).split('\n').length - 1;
    if (shown !== '') {
      const allowed = 'nothing after the JSON object: write several as an array, or one on each line';
      throw new UnreadableInput({ line: current.line, field: 'record', got: showText(shown), allowed });
    }
  }
  yield [{ number, text: text.trim() }];
}

function nested({
  path,
  line,
}: {
  readonly path: readonly string[];
  readonly line: number;
}): UnreadableInput {
  const steps = path.map((step) => {
    const name = Buffer.from(step, 'latin1').toString('utf8');
    return step === ANY ? '[*]' : /^\w+$/.test(name) ? `.${name}` : `[${showText(name)}]`;
  });
  return new UnreadableInput({
    line,
    field: 'file',
    got: `an array of objects at $${steps.join('')}`,
    allowed: 'an array of records as the whole input or as $.data, or one JSON object on each line',
  });
}
