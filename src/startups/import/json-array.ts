import { showText, UnreadableInput } from './errors.ts';
import type { CurrentLine } from './input.ts';
import { createRecordBuffer, decodeRecord, type Line } from './lines.ts';

const [QUOTE, COMMA, OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, NEWLINE] = [
  ...Buffer.from('",[\\]{}\n'),
] as [number, number, number, number, number, number, number, number];

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
  let state = 'before' as 'before' | 'inside' | 'after';
  let began = 0;
  let count = 0;
  let depth = 0;
  let inString = false;
  let escaped = false;
  let rest = '';

  for await (const chunk of bytes) {
    const elements: Line[] = [];
    let start = 0;
    const finish = (end: number): void => {
      elements.push(decodeRecord(element.take(chunk.subarray(start, end)), began || current.line));
      count += 1;
      began = 0;
      start = end + 1;
    };
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
      if (state !== 'inside') {
        if (state === 'after' && isInside) {
          // The bound is far beyond the end of a valid response, so longer text is invalid anyway.
          rest += chunk.toString('latin1', at, at + Math.max(0, MOST_AFTER - rest.length));
          break;
        }
        if (state === 'after' || byte !== OPEN_LIST) {
          throw misplaced(chunk.subarray(at, at + 1), current, state === 'after');
        }
        state = 'inside';
        start = at + 1;
        continue;
      }
      if (depth === 0 && (byte === COMMA || byte === CLOSE_LIST)) {
        // Only a list without any element may end where one could begin.
        if (byte === COMMA || began !== 0 || count > 0) {
          finish(at);
        }
        if (byte === CLOSE_LIST) {
          state = 'after';
        }
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
      } else if ((byte === CLOSE_LIST || byte === CLOSE_OBJECT) && depth > 0) {
        depth -= 1;
      }
    }
    if (state === 'inside' && began !== 0) {
      element.append(chunk.subarray(start), began);
    }
    if (elements.length > 0) {
      yield elements;
    }
  }
  if (state !== 'after') {
    throw new UnreadableInput({
      line: current.line,
      field: 'record',
      got: 'the end of the input',
      allowed: state === 'before' ? 'a JSON array' : 'the rest of the JSON array: it is truncated',
    });
  }
  if (isInside && !isRestOfObject(rest)) {
    const allowed = 'only the end of the object after its array data';
    const got = showText(Buffer.from(rest, 'latin1').toString('utf8'));
    throw new UnreadableInput({ line: current.line, field: 'record', got, allowed });
  }
}

/** More characters than the rest of a response, its `meta`, has. */
const MOST_AFTER = 10_000;

function isRestOfObject(rest: string): boolean {
  try {
    JSON.parse(`{"data":[]${rest}`);
    return true;
  } catch {
    return false;
  }
}

function misplaced(byte: Buffer, { line }: CurrentLine, isAfter: boolean): UnreadableInput {
  return new UnreadableInput({
    line,
    field: 'record',
    got: JSON.stringify(byte.toString('latin1')),
    allowed: isAfter ? 'nothing after the JSON array' : 'a JSON array, or one JSON object on each line',
  });
}
