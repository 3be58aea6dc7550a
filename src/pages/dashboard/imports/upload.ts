import { createHash } from 'node:crypto';
import { ApiError, OperatorError } from '../../../errors.ts';
import { type StagedFile, stageFile } from '../../../files/staged-file.ts';
import type { GatewayRequest } from '../../../server/request-response.ts';
import { isObject } from '../../../text/is-object.ts';
import type { Form } from '../page.ts';

/** The largest file that can be uploaded, in bytes, and a form with it. */
export const UPLOAD_MAX = 20 * 1024 * 1024;
const FORM_MAX = UPLOAD_MAX + 1024 * 1024;
const SILENCE_MS = 30_000;
const WHOLE_MS = 600_000;
/** Forms that are received at the same time. */
const MOST_UPLOADS = 4;
const PIECE_BYTES = 256 * 1024;
const NAME_MAX = 200;

/** A form with a file, which is staged until the request ends. */
export interface Upload {
  readonly fields: Form;
  readonly name: string;
  readonly file: StagedFile;
}

let uploads = 0;

/**
 * Receives a form with a file. The caller closes the file.
 *
 * @throws ApiError for a body that is too large or too slow, or is no such form; OperatorError without a file.
 */
export async function receiveUpload(request: GatewayRequest, directory: string): Promise<Upload> {
  if (uploads >= MOST_UPLOADS) {
    throw new ApiError('RATE_LIMITED', 'Other files are being uploaded. Wait a moment, then try again.');
  }
  uploads += 1;
  try {
    const parts: Buffer[] = [];
    for await (const part of request.receive({ limit: FORM_MAX, silenceMs: SILENCE_MS, wholeMs: WHOLE_MS })) {
      parts.push(part);
    }
    const form = await parseForm(Buffer.concat(parts), request.header('content-type') ?? '');
    const entries = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    const file = form.get('file');
    if (file === null || typeof file === 'string' || file.size === 0) {
      throw new OperatorError('Choose a file that is not empty.');
    }
    if (file.size > UPLOAD_MAX) {
      throw new ApiError(
        'PAYLOAD_TOO_LARGE',
        'A file may have 20 MB here. For larger ones, use POST /import.',
      );
    }
    const bytes = Buffer.from(await file.arrayBuffer());
    const name = file.name.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').slice(-NAME_MAX);
    return {
      fields: Object.fromEntries(entries),
      name: name.trim() === '' ? 'upload' : name,
      file: await stageFile(piecesOf(bytes), directory),
    };
  } finally {
    uploads -= 1;
  }
}

async function parseForm(body: Buffer<ArrayBuffer>, type: string): Promise<FormData> {
  if (!/^multipart\/form-data;/i.test(type)) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'A form with a file is sent as multipart/form-data.');
  }
  try {
    return await new Response(body, { headers: { 'content-type': type } }).formData();
  } catch {
    throw new ApiError('BAD_USER_INPUT', 'The form is damaged: send it again.');
  }
}

/** In pieces, between which other requests are answered. */
async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield bytes.subarray(at, at + PIECE_BYTES);
  }
}

/** Identifies a file together with how it is imported: what was previewed is exactly what is applied. */
export function previewDigest({ file }: Upload, settings: object): string {
  return createHash('sha256')
    .update(file.sha256)
    .update(JSON.stringify(sorted(settings)))
    .digest('hex');
}

function sorted(value: unknown): unknown {
  return isObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, part]) => part !== undefined)
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([name, part]) => [name, sorted(part)]),
      )
    : value;
}
