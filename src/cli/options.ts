import { OperatorError } from '../errors.ts';

/**
 * The integer of an option.
 *
 * @throws OperatorError for anything else.
 */
export function readInteger(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) {
    throw new OperatorError(
      `${name}: got ${JSON.stringify(text)}, allowed: an integer from ${min} to ${max}`,
    );
  }
  return value;
}
