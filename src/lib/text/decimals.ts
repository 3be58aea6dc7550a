// Numbers as text with a point and without an exponent, so that no step rounds them in binary.

/** A JSON number from its digits, without superfluous zeros. */
export function decimalText(isNegative: boolean, whole: string, fraction: string): string {
  const rest = fraction.replace(/0+$/, '');
  return `${isNegative ? '-' : ''}${whole.replace(/^0+(?=\d)/, '')}${rest === '' ? '' : `.${rest}`}`;
}

/** A JSON number without an exponent, times a power of ten: exact, as it moves the point. */
export function shift(number: string, places: number): string {
  if (places === 0) {
    return number;
  }
  const isNegative = number.startsWith('-');
  const [whole = '', fraction = ''] = (isNegative ? number.slice(1) : number).split('.');
  const digits = `${'0'.repeat(Math.max(0, -places))}${whole}${fraction.padEnd(places, '0')}`;
  const point = whole.length + Math.max(0, -places) + places;
  return decimalText(isNegative, digits.slice(0, point), digits.slice(point));
}
