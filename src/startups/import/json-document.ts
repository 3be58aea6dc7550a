import { showText, UnreadableInput } from './errors.ts';
import { type CurrentLine, type PeekedBytes, peek } from './input.ts';
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
  bytes: AsyncGenerator<Buffer>,
  current: CurrentLine,
): AsyncGenerator<Line[]> {
  let searched = 0;
  const isEnough = (seen: Buffer): boolean => {
    // The size doubles each time, so that small pieces do not make it slow.
    if (seen.length < searched * 2) {
      return false;
    }
    searched = seen.length;
    return findList(seen).kind !== 'open';
  };
  const head = await peek(bytes, isEnough, MAX_RECORD_BYTES);
  const found = findList(head.start);
  if (found.kind === 'list') {
    current.line = found.line;
    if (found.path.join('.') !== 'data') {
      throw nested(found);
    }
    yield* readJsonArray(head.readFrom(found.at), current, true);
  } else if (found.kind === 'object' && isSpread(head.start.subarray(0, found.end))) {
    yield* readAlone(head, found.end, current);
  } else {
    yield* readLines(head.readFrom(0), current);
  }
}

/** A list of records: its path with undefined for a step into an array, the index of its bracket, and the line of that. */
interface FoundList {
  readonly kind: 'list';
  readonly path: readonly (string | undefined)[];
  readonly at: number;
  readonly line: number;
}

/** The format, as detected from the beginning of a JSON document. */
type DocumentStart =
  | FoundList
  /** Not known yet: the first object is incomplete. */
  | { readonly kind: 'open' }
  /** A whole object without a list of records, and the index after it. */
  | { readonly kind: 'object'; readonly end: number };

/** A string and whether it ends, the bracket of a list and what follows it, any other bracket, or the end of a line. */
const TOKEN = /"(?<string>(?:[^"\\]|\\.?)*)(?<end>"?)|\[(?=\s{0,1000}(?<next>\S)?)|[{}\]\n]/gs;

/** Finds the first array of objects in the first object of a text, or its `data` if that is an array. */
function findList(bytes: Buffer): DocumentStart {
  /** What leads into the open containers' values: the last string of an object, undefined in an array. */
  const path: (string | undefined)[] = [];
  let line = 1;
  let isRecord = false;
  for (const { 0: token, index, groups } of bytes.toString('latin1', 0, MAX_RECORD_BYTES).matchAll(TOKEN)) {
    if (token === '\n') {
      line += 1;
    } else if (token === '{') {
      path.push('');
    } else if (token === '[') {
      const { next } = groups ?? {};
      const isData = path.length === 1 && path[0] === 'data' && next !== undefined;
      if (!isRecord && (next === '{' || isData)) {
        return { kind: 'list', path, at: index, line };
      }
      path.push(undefined);
    } else if (token === '}' || token === ']') {
      path.pop();
      if (path.length === 0) {
        return { kind: 'object', end: index + 1 };
      }
    } else if (groups?.end === '') {
      return { kind: 'open' };
    } else if (path.at(-1) !== undefined) {
      path[path.length - 1] = groups?.string;
      isRecord ||= path.length === 1 && path[0] === 'slug';
    }
  }
  return { kind: 'open' };
}

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

/** One object that takes several lines and ends at this index; nothing may follow it. */
async function* readAlone(
  { start, readFrom }: PeekedBytes,
  end: number,
  current: CurrentLine,
): AsyncGenerator<Line[]> {
  const text = start.toString('utf8', 0, end);
  const number = current.line + countLines(text) - countLines(text.trimStart());
  current.line += countLines(text);
  for await (const rest of readFrom(end)) {
    const after = rest.toString('utf8');
    const shown = after.trimStart();
    current.line += countLines(after) - countLines(shown);
    if (shown !== '') {
      const allowed = 'nothing after the JSON object: write several as an array, or one on each line';
      throw new UnreadableInput({ line: current.line, field: 'record', got: showText(shown), allowed });
    }
  }
  yield [{ number, text: text.trim() }];
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}

function nested({ path, line }: FoundList): UnreadableInput {
  const steps = path.slice(0, MOST_STEPS).map((step) => {
    const name = step === undefined ? undefined : Buffer.from(step, 'latin1').toString('utf8');
    return name === undefined ? '[*]' : /^\w{1,60}$/.test(name) ? `.${name}` : `[${showText(name)}]`;
  });
  return new UnreadableInput({
    line,
    field: 'file',
    got: `an array of objects at $${steps.join('')}`,
    allowed: 'an array of records as the whole input or as $.data, or one JSON object on each line',
  });
}

/** How much of a path is shown. */
const MOST_STEPS = 20;
