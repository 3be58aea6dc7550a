import { isObject } from '../../../lib/text/is-object.ts';

// What the text of JSON says beyond its parsed value.

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]|-?\d[\d.eE+-]*/gs;

/** The tokens of a text, which may be the beginning of JSON. */
function* tokensOf(json: string) {
  const keys: (string | undefined)[] = [];
  const seen: (Set<string> | undefined)[] = [];
  let isKey = false;
  for (const { 0: text, index } of json.matchAll(TOKEN)) {
    let isRepeated = false;
    const known = seen.at(-1);
    if (isKey && known !== undefined && text.startsWith('"')) {
      const key: string = JSON.parse(text);
      isRepeated = known.has(key);
      known.add(key);
      keys[keys.length - 1] = key;
      isKey = false;
    }
    yield {
      text,
      /** Where it begins. */
      index,
      /** Of the objects in which it is, from the outermost; undefined for an element of a list. */
      keys: keys as readonly (string | undefined)[],
      /** Whether it is a key that its object has already. */
      isRepeated,
    };
    if (text === '{' || text === '[') {
      keys.push(undefined);
      seen.push(text === '{' ? new Set() : undefined);
      isKey = text === '{';
    } else if (text === '}' || text === ']') {
      keys.pop();
      seen.pop();
      isKey = false;
    } else if (text === ',') {
      isKey = seen.at(-1) !== undefined;
    }
  }
}

/**
 * The dotted path of a key that an object has twice.
 *
 * @param value the parsed text.
 */
export function repeatedKey(text: string, value: unknown): string | undefined {
  // Nearly no record has one, which is seen in a fraction of the time that its tokens take.
  if ((text.match(/"\s*:/g)?.length ?? 0) <= countMembers(value)) {
    return undefined;
  }
  for (const { keys, isRepeated } of tokensOf(text)) {
    if (isRepeated) {
      return keys.filter((key) => key !== undefined).join('.');
    }
  }
  return undefined;
}

/** Of any number; some have more. */
const KEPT_DIGITS = 15;

/** Whether a number as people or programs write it has digits that a stored number does not keep. */
function isRounded(written: string): boolean {
  if (written.length <= KEPT_DIGITS) {
    return false;
  }
  const digitsOf = (number: string): string => number.replace(/e.*|\D/gi, '').replace(/^0+|0+$/g, '');
  const digits = digitsOf(written);
  return digits.length > KEPT_DIGITS && digits !== digitsOf(Number(written).toExponential());
}

/** A text without as many digits has no number that would be rounded. */
const MANY_DIGITS = /\d[\d.]{15}/;

/**
 * Gives a parsed text its amounts that were rounded as they are written. Of a percentage, the nearest number is the value.
 *
 * @param isAmount whether a path may be one of an amount.
 */
export function keepDigits(
  text: string,
  value: Record<string, unknown>,
  isAmount: (path: string) => boolean,
): void {
  for (const { text: written, keys } of MANY_DIGITS.test(text) ? tokensOf(text) : []) {
    const key = keys.at(-1);
    if (key !== undefined && /^[-\d]/.test(written) && isAmount(keys.join('.')) && isRounded(written)) {
      // Own members only: a key may be called `__proto__`. In a list, no number is an amount.
      const member = (one: unknown, name: string | undefined): unknown =>
        isObject(one) && name !== undefined && Object.hasOwn(one, name) ? one[name] : undefined;
      const object = keys.slice(0, -1).reduce<unknown>(member, value);
      if (isObject(object) && typeof member(object, key) === 'number') {
        object[key] = written;
      }
    }
  }
}

/** How many members all objects of a value have. */
function countMembers(value: unknown): number {
  let count = 0;
  const open = [value];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const members: readonly unknown[] = Object.values(one as object);
    count += Array.isArray(one) ? 0 : members.length;
    for (const member of members) {
      if (typeof member === 'object' && member !== null) {
        open.push(member);
      }
    }
  }
  return count;
}

/** Of a record, and so of no object around a list of records. */
const OWN_KEYS = ['slug', 'name'];

/** The key of the only list of objects in an object that is no record. */
export function onlyList(value: unknown): string | undefined {
  if (!isObject(value) || OWN_KEYS.some((key) => Object.hasOwn(value, key))) {
    return undefined;
  }
  const [key, ...others] = Object.keys(value).filter((one) => isListOfObjects(value[one]));
  return others.length === 0 ? key : undefined;
}

/** Whether it is a list whose first element is an object. */
function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && isObject(value[0]);
}

/**
 * The dotted keys of the lists of objects in the text of an object, or in its beginning, of which one may have the records;
 * none if it is a record, or has one such list outside of other objects.
 */
export function severalLists(text: string): string[] {
  const lists: string[] = [];
  for (const { text: token, index, keys } of tokensOf(text)) {
    const isRecord = keys.length === 1 && keys[0] === 'name';
    // Another object on the next line.
    const isNext = keys.length === 0 && token === '{' && text.slice(0, index).trim() !== '';
    if (isRecord || isNext) {
      return [];
    }
    if (
      token === '[' &&
      !keys.includes(undefined) &&
      /^\[\s*\{/.test(text.slice(index, index + MOST_SPACE))
    ) {
      lists.push(keys.join('.'));
    }
  }
  const outer = lists.filter((list) => !list.includes('.'));
  return lists.length > 1 && outer.length !== 1 ? lists : [];
}

/** White space between the brackets of a list and of its first object. */
const MOST_SPACE = 10_000;

/**
 * Where a list begins in the text of an object, or in its beginning.
 *
 * @param path the dotted keys of the list; the first list of objects by default, unless a key of a record precedes it.
 */
export function findList(text: string, path?: string): number | undefined {
  for (const { text: token, index, keys } of tokensOf(text)) {
    if (path === undefined && keys.length === 1 && OWN_KEYS.includes(keys[0] ?? '')) {
      return undefined;
    }
    const isFound =
      path === undefined
        ? keys.length === 1 && /^\[\s*\{/.test(text.slice(index, index + MOST_SPACE))
        : keys.join('.') === path;
    if (token === '[' && isFound && !keys.includes(undefined)) {
      return index;
    }
  }
  return undefined;
}
