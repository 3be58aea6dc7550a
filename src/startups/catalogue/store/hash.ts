// FNV-1a with 32 bits, as a signed number. http://www.isthe.com/chongo/tech/comp/fnv/
const OFFSET_BASIS = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

/** The hash of some bytes. */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = OFFSET_BASIS;
  for (let at = start; at < end; at += 1) {
    hash = Math.imul(hash ^ (bytes[at] as number), PRIME);
  }
  return hash;
}

/** The hash of an ASCII text. */
export function hashText(text: string): number {
  let hash = OFFSET_BASIS;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  }
  return hash;
}

/** The lower-case form of an ASCII character. */
export function lowerCase(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

/** How many values the hash of a host, and that of a path, can have in {@link websiteKey}: a double holds both exactly. */
const WEBSITE_HASHES = 2 ** 26;

/** Hashes of a website's host and path in one number: websites of one host are in a range, that without a path first. */
export function websiteKey({ host, path }: { readonly host: string; readonly path: string }): number {
  return hostKey(host) + (path === '' ? 0 : 1 + ((hashText(path) >>> 0) % (WEBSITE_HASHES - 1)));
}

/** The lowest {@link websiteKey} of a host. */
export function hostKey(host: string): number {
  return ((hashText(host) >>> 0) % WEBSITE_HASHES) * WEBSITE_HASHES;
}

/** The highest one. */
export function lastKeyOfHost(host: string): number {
  return hostKey(host) + WEBSITE_HASHES - 1;
}
