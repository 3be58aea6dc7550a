import { showText, UnreadableInput } from './errors.ts';
import { type CurrentLine, peek } from './input.ts';
import { findList, onlyList } from './json-text.ts';
import { createRecordBuffer, decodeRecord, type Line, MAX_RECORD_BYTES, readLines } from './lines.ts';

/** The layouts of JSON that hold several records. */
export const JSON_LAYOUTS =
  'a JSON array of records (as the whole input, or as the only list of an object; of several lists, --path names one), or one JSON object on each line';

/**
 * Reads input that begins with an object: one object on each line, a single object, or an object with a list of records,
 * such as a response of a REST list.
 *
 * @param current kept at the line that is being read.
 * @param path the dotted keys of the list, where it is not the only one.
 * @throws UnreadableInput for an object on several lines that is too long for a record, or is followed by something.
 */
export async function* readJsonDocument(
  bytes: AsyncGenerator<Buffer>,
  current: CurrentLine,
  path?: string,
): AsyncGenerator<Line[]> {
  // All of an input that is a single object; less where the first line is one, so that input that comes slowly is read
  // as it comes.
  const hasLines = (seen: Buffer): boolean => {
    const [line = '', ...others] = seen.toString('latin1').trim().split('\n', 2);
    return path === undefined && others.length > 0 && parse(line) !== undefined;
  };
  const { start, readFrom } = await peek(bytes, hasLines, MAX_RECORD_BYTES);
  const text = start.toString('latin1');
  const isWhole = start.length < MAX_RECORD_BYTES;
  const isSpread = text.trim().includes('\n');
  const isLines = hasLines(start);
  const value = isWhole && !isLines ? parse(text) : undefined;
  const key = path === undefined ? onlyList(value) : Buffer.from(path).toString('latin1');
  const list = isLines || (isWhole && key === undefined) ? undefined : findList(text, key);
  if (list !== undefined) {
    const head = text.slice(0, list);
    current.line += head.split('\n').length - 1;
    yield* readJsonArray(readFrom(list), current, { head, isNamed: path !== undefined });
  } else if (path !== undefined) {
    throw unreadable(current, 'file', `no list ${showText(path)}`, 'an object with the list of --path');
  } else if (isSpread && value !== undefined) {
    const blankLines = text.slice(0, text.indexOf('{')).split('\n').length - 1;
    yield [decodeRecord(start, current.line + blankLines)];
  } else if (isSpread ? /^\s*\{\s*\n/.test(text) : text.trim() !== '' && !isWhole) {
    const got = `an object that begins with ${showText(start.toString('utf8').trim())}`;
    throw unreadable(current, 'file', got, JSON_LAYOUTS);
  } else {
    yield* readLines(readFrom(0), current);
  }
}

/** The value of JSON; undefined for other text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const unreadable = ({ line }: CurrentLine, field: string, got: string, allowed: string): UnreadableInput =>
  new UnreadableInput({ line, field, got, allowed });

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
 * @param wrapper the object that has it, which may continue after it: its text before the list, in Latin-1, and whether
 *   the operator named the list.
 * @throws UnreadableInput if the array does not begin, does not end, or is followed by other text.
 */
export async function* readJsonArray(
  bytes: AsyncIterable<Buffer>,
  current: CurrentLine,
  wrapper?: { readonly head: string; readonly isNamed: boolean },
): AsyncGenerator<Line[]> {
  const element = createRecordBuffer();
  let began = 0;
  let count = 0;
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
        if (wrapper === undefined || rest.length > MOST_AFTER) {
          throw continued(rest, current, wrapper !== undefined);
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
        if (byte === COMMA || began !== 0 || count > 0) {
          count += 1;
          const line = decodeRecord(element.take(chunk.subarray(start, at)), began || current.line);
          elements.push({ ...line, index: count });
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
  // The object must end after its list, without another one or a key of a record if nobody named the list.
  const whole = wrapper && parse(`${wrapper.head}[{}]${rest}`);
  if (wrapper !== undefined && (wrapper.isNamed ? whole : onlyList(whole)) === undefined) {
    throw continued(rest, current, true);
  }
}

function continued(rest: string, current: CurrentLine, isWrapped: boolean): UnreadableInput {
  const allowed = isWrapped
    ? 'only the end of the object after its list of records; of several lists, --path names one'
    : 'nothing after the JSON array';
  return unreadable(current, 'record', showText(rest), allowed);
}
