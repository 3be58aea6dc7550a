import type { Steps } from './time-slices.ts';

/**
 * The text of a JSON value, as `JSON.stringify` writes it, in steps.
 *
 * @param depth levels of nesting whose arrays and objects are written in separate steps; what is below them is written
 *   in one.
 */
export function* jsonSteps(value: unknown, depth: number): Steps<string> {
  yield;
  if (depth === 0 || !isNested(value)) {
    return JSON.stringify(value);
  }
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) {
      parts.push(isNested(item) ? yield* jsonSteps(item, depth - 1) : JSON.stringify(item));
    }
    return `[${parts.join(',')}]`;
  }
  for (const [name, item] of Object.entries(value)) {
    if (item !== undefined) {
      const text = isNested(item) ? yield* jsonSteps(item, depth - 1) : JSON.stringify(item);
      parts.push(`${JSON.stringify(name)}:${text}`);
    }
  }
  return `{${parts.join(',')}}`;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value);
}
