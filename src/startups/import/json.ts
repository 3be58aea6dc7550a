import { showText, UnreadableInput } from './errors.ts';
import { type CurrentLine, peek } from './input.ts';
import { createRecordBuffer, decodeRecord, type Line, MAX_RECORD_BYTES, readLines } from './lines.ts';

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
  const { start, readFrom } = await peek(bytes, (seen) => findList(seen) !== undefined, MAX_RECORD_BYTES);
  const found = findList(start);
  if (found?.path !== undefined) {
    current.line = found.line;
    if (found.path !== 'data') {
      const allowed = 'an array of records as the whole input or as $.data, or one JSON object on each line';
      throw unreadable(current, 'file', `an array of objects at ${showText(`$.${found.path}`)}`, allowed);
    }
    yield* readJsonArray(readFrom(found.at), current, true);
  } else if (found !== undefined && isSpread(start.subarray(0, found.at))) {
    const text = start.toString('utf8', 0, found.at);
    const object = decodeRecord(start.subarray(0, found.at), current.line + blankLines(text));
    current.line = found.line;
    for await (const chunk of readFrom(found.at)) {
      const rest = chunk.toString('utf8');
      current.line += blankLines(rest);
      if (rest.trim() !== '') {
        const allowed = 'nothing after the JSON object: write several as an array, or one on each line';
        throw unreadable(current, 'record', showText(rest.trimStart()), allowed);
      }
    }
    yield [object];
  } else {
    yield* readLines(readFrom(0), current);
  }
}

/** The first array of objects in an object; or, if it has none, the end of the object. */
interface Found {
  /** The path of the array, with `*` for a step into an array; undefined if there is none. */
  readonly path: string | undefined;
  /** The index of the array's bracket, or the one after the object. */
  readonly at: number;
  readonly line: number;
}

/** A string and whether it ends, the bracket of a list and what follows it, any other bracket, or the end of a line. */
const TOKEN = /"(?<string>(?:[^"\\]|\\.?)*)(?<end>"?)|\[(?=\s{0,1000}(?<next>\S)?)|[{}\]\n]/gs;

/** Searches the first object of a text, whose `data` counts if it is any array; undefined if the object does not end. */
function findList(bytes: Buffer): Found | undefined {
  /** What leads into the open containers' values: the last string of an object, undefined in an array. */
  const path: (string | undefined)[] = [];
  let line = 1;
  let isRecord = false;
  for (const { 0: token, index, groups } of bytes.toString('latin1', 0, MAX_RECORD_BYTES).matchAll(TOKEN)) {
    const { string, end, next } = groups ?? {};
    if (token === '\n') {
      line += 1;
    } else if (token === '{') {
      path.push('');
    } else if (token === '[') {
      const isData = path.length === 1 && path[0] === 'data' && next !== undefined;
      if (!isRecord && (next === '{' || isData)) {
        const steps = path.map((step) => step ?? '*').join('.');
        return { path: Buffer.from(steps, 'latin1').toString('utf8'), at: index, line };
      }
      path.push(undefined);
    } else if (token === '}' || token === ']') {
      path.pop();
      if (path.length === 0) {
        return { path: undefined, at: index + 1, line };
      }
    } else if (end === '') {
      return undefined;
    } else if (path.at(-1) !== undefined) {
      path[path.length - 1] = string;
      isRecord ||= path.length === 1 && string === 'slug';
    }
  }
  return undefined;
}

/** Whether the bytes are one JSON value on several lines. */
function isSpread(bytes: Buffer): boolean {
  const text = bytes.toString('utf8');
  return text.trim().includes('\n') && isJson(text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** How many lines end before the first visible character. */
function blankLines(text: string): number {
  return text.slice(0, text.search(/\S|$/)).split('\n').length - 1;
}

function unreadable({ line }: CurrentLine, field: string, got: string, allowed: string): UnreadableInput {
  return new UnreadableInput({ line, field, got, allowed });
}

const [QUOTE, COMMA, OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, NEWLINE] = [
  ...Buffer.from('",[\\]{}\n'),
] as [number, number, number, number, number, number, number, number];

/** More characters than the rest of a response, its `meta`, has. */
const MOST_AFTER = 10_000;

/**
 * Reads the elements of a JSON array without keeping more than one of them in memory. Each is returned as text that is
 * still to be parsed, with the line on which it begins.
 *
 * @param current kept at the line that is being read.
 * @param isInside whether it is the `data` of an object that may continue after it.
 * @throws UnreadableInput if the array does not begin, does not end, or is followed by other text.
 */
export async function* readJsonArray(
  bytes: AsyncIterable<Buffer>,
  current: CurrentLine,
  isInside = false,
): AsyncGenerator<Line[]> {
  const element = createRecordBuffer();
  let began = 0;
  let isEmpty = true;
  /** How many brackets are open, the one of the array included. */
  let depth = 0;
  let inString = false;
  let escaped = false;
  /** The text after the array. */
  let rest: string | undefined;

  for await (const chunk of bytes) {
    const elements: Line[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (byte === NEWLINE) {
        current.line += 1;
      }
      if (inString) {
        if (escaped) {
          escaped = false;
        } else if (byte === BACKSLASH) {
          escaped = true;
        } else if (byte === QUOTE) {
          inString = false;
        }
        continue;
      }
      // JSON's white space: a space, a line's end in either form, a tab.
      if (byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09) {
        continue;
      }
      if (rest !== undefined) {
        rest += chunk.toString('utf8', at);
        if (!isInside || rest.length > MOST_AFTER) {
          throw continued(rest, current, isInside);
        }
        break;
      }
      if (depth === 0) {
        if (byte !== OPEN_LIST) {
          const got = showText(String.fromCharCode(byte));
          throw unreadable(current, 'record', got, 'a JSON array, or one JSON object on each line');
        }
        depth = 1;
        start = at + 1;
        continue;
      }
      if (depth === 1 && (byte === COMMA || byte === CLOSE_LIST)) {
        // Only a list without any element may end where one could begin.
        if (byte === COMMA || began !== 0 || !isEmpty) {
          elements.push(decodeRecord(element.take(chunk.subarray(start, at)), began || current.line));
          isEmpty = false;
        }
        began = 0;
        start = at + 1;
        rest = byte === CLOSE_LIST ? '' : undefined;
        continue;
      }
      if (began === 0) {
        began = current.line;
        start = at;
      }
      if (byte === QUOTE) {
        inString = true;
      } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        depth += 1;
      } else if ((byte === CLOSE_LIST || byte === CLOSE_OBJECT) && depth > 1) {
        depth -= 1;
      }
    }
    if (began !== 0) {
      element.append(chunk.subarray(start), began);
    }
    if (elements.length > 0) {
      yield elements;
    }
  }
  if (rest === undefined) {
    const allowed = 'the rest of the JSON array: it is truncated';
    throw unreadable(current, 'record', 'the end of the input', allowed);
  }
  if (isInside && !isJson(`{"data":[]${rest}`)) {
    throw continued(rest, current, isInside);
  }
}

function continued(rest: string, current: CurrentLine, isInside: boolean): UnreadableInput {
  const allowed = isInside
    ? 'only the end of the object after its array data'
    : 'nothing after the JSON array';
  return unreadable(current, 'record', showText(rest), allowed);
}
