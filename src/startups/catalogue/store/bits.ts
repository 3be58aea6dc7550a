// Sets of positions, with a bit for each.

export function noBits(size: number): Uint32Array {
  return new Uint32Array((size >>> 5) + 1);
}

export function bitsOf(positions: Uint32Array, size: number): Uint32Array {
  const bits = noBits(size);
  for (const position of positions) {
    bits[position >>> 5] = (bits[position >>> 5] as number) | (1 << (position & 31));
  }
  return bits;
}

/** 1 or 0. */
export function bitAt(bits: Uint32Array, position: number): number {
  return ((bits[position >>> 5] as number) >>> (position & 31)) & 1;
}

export function flipBit(bits: Uint32Array, position: number): void {
  bits[position >>> 5] = (bits[position >>> 5] as number) ^ (1 << (position & 31));
}
