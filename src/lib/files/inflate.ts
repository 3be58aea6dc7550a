import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

// Deflate reaches about 1,000 : 1; real data, whose records differ, stays at about ten.
const MAX_RATIO = 200;
const FREE_BYTES = 64 * 1024 * 1024;

/**
 * Unpacks gzip data.
 *
 * @param tooLarge the error to throw for a gzip bomb: data that expands to more than so many times its size.
 * @throws the error of zlib, whose code begins with `Z_`, for truncated or damaged data; any error of `packed`.
 */
export async function* inflate(packed: AsyncIterable<Buffer>, tooLarge: (times: number) => Error) {
  let stored = 0;
  let inflated = 0;
  const counted = countBytes(packed, (count) => {
    stored += count;
  });
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  // An error of the source destroys the other end too, where it is seen.
  pipeline(counted, gunzip).catch(() => {});
  for await (const chunk of gunzip as AsyncIterable<Buffer>) {
    inflated += chunk.length;
    if (inflated > FREE_BYTES && inflated > stored * MAX_RATIO) {
      throw tooLarge(MAX_RATIO);
    }
    yield chunk;
  }
}

/** The same bytes; calls back with the number of them in each piece. */
export async function* countBytes(bytes: AsyncIterable<Buffer>, onBytes: (count: number) => void) {
  for await (const chunk of bytes) {
    onBytes(chunk.length);
    yield chunk;
  }
}
