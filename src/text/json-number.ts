/** Longer texts are not searched, so that no message takes long to write. */
const MOST_SEARCHED = 20_000;

/**
 * How a number is written in a JSON text. Parsing rounds it to a double, and only Node 21 and later hand the source to
 * a reviver of JSON.parse.
 *
 * @param text valid JSON.
 * @param path the names and indexes that lead to the number.
 * @returns undefined if there is no number, and for a long text: numbers in long texts may be shown rounded.
 */
export function numberTextAt(text: string, path: readonly (string | number)[]): string | undefined {
  if (text.length > MOST_SEARCHED) {
    return undefined;
  }
  // The open containers on the path: the index of an array's element, undefined for an object.
  const open: (number | undefined)[] = [];
  let depth = 0;
  let isHere = true;
  let found: string | undefined;
  for (let at = 0; at < text.length; ) {
    const character = text[at] as string;
    const isOnPath = depth === open.length;
    if (character === '"') {
      const end = (endOfString(text, at) ?? text.length) + 1;
      if (isOnPath && isKey(text, end)) {
        isHere = depth > 0 && JSON.parse(text.slice(at, end)) === path[depth - 1];
        // Of duplicate names, the last one counts.
        found = isHere ? undefined : found;
      }
      at = end;
    } else if (character === '{' || character === '[') {
      const isArray = character === '[';
      if (isOnPath && isHere && depth < path.length) {
        open.push(isArray ? 0 : undefined);
        isHere = isArray && path[depth] === 0;
      } else {
        isHere = false;
      }
      depth += 1;
      at += 1;
    } else if (character === '}' || character === ']') {
      if (isOnPath) {
        open.pop();
      }
      depth -= 1;
      isHere = false;
      at += 1;
    } else if (character === ',') {
      if (isOnPath) {
        const index = open[depth - 1];
        open[depth - 1] = index === undefined ? undefined : index + 1;
        isHere = index !== undefined && path[depth - 1] === index + 1;
      }
      at += 1;
    } else if (/[-\d]/.test(character)) {
      const start = at;
      while (at < text.length && /[-+.\deE]/.test(text[at] as string)) {
        at += 1;
      }
      if (isOnPath && isHere && depth === path.length) {
        found = text.slice(start, at);
      }
    } else {
      at += 1;
    }
  }
  return found;
}

/** Index of the closing quote of the string that begins here; undefined if the text ends before. */
export function endOfString(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') {
      at += 1;
    } else if (text[at] === '"') {
      return at;
    }
  }
  return undefined;
}

function isKey(text: string, at: number): boolean {
  let next = at;
  while (/\s/.test(text[next] ?? '')) {
    next += 1;
  }
  return text[next] === ':';
}
