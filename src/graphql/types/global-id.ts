import { MAX_COUNT } from '../../startups/vocabulary.ts';

const LONGEST = 40;
const STARTUP = /^Startup:([1-9]\d{0,9})$/;

/** The global identifier of a startup. */
export function writeGlobalId(id: number): string {
  return Buffer.from(`Startup:${id}`).toString('base64url');
}

/** The startup's id in a global identifier; null for any other text. */
export function readGlobalId(text: string): number | null {
  if (text.length > LONGEST) {
    return null;
  }
  const id = Number(STARTUP.exec(Buffer.from(text, 'base64url').toString('latin1'))?.[1]);
  // Decoding tolerates other encodings; an identifier has exactly one.
  return id <= MAX_COUNT && writeGlobalId(id) === text ? id : null;
}
