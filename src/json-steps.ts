import type { Steps } from './time-slices.ts';

/**
 * The text of a JSON value, as `JSON.stringify` writes it, in steps.
 *
 * @param depth levels of nesting whose parts are written in separate steps; what is below them is written in one.
 */
export function* jsonSteps(value: unknown, depth: number): Steps<string> {
  yield;
  if (depth === 0 || typeof value !== 'object' || value === null || 'toJSON' in value) {
    return JSON.stringify(value);
  }
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) {
      parts.push(yield* jsonSteps(item, depth - 1));
    }
    return `[${parts.join(',')}]`;
  }
  for (const [name, item] of Object.entries(value)) {
    if (item !== undefined) {
      parts.push(`${JSON.stringify(name)}:${yield* jsonSteps(item, depth - 1)}`);
    }
  }
  return `{${parts.join(',')}}`;
}
