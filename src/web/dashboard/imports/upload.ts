import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { ApiError, OperatorError } from '../../../lib/errors.ts';
import { type StagedFile, stageFile } from '../../../lib/files/staged-file.ts';
import type { GatewayRequest } from '../../../lib/http/request-response.ts';
import { isObject } from '../../../lib/text/is-object.ts';
import type { Form } from '../../page/page.ts';

/** The largest file that can be uploaded, in bytes. */
export const UPLOAD_MAX = 20 * 1024 * 1024;
/** The most bytes of all other fields of its form, and how many there may be: four for each of 500 columns. */
const FIELDS_MAX = 1024 * 1024;
const MOST_FIELDS = 4_000;
const FIELD_NAME_MAX = 200;
const SILENCE_MS = 30_000;
const WHOLE_MS = 600_000;
/** Forms that are received at the same time, and those of one account. */
const MOST_UPLOADS = 4;
const MOST_OF_ACCOUNT = 2;
/** When another one has most likely ended. */
const RETRY_SECONDS = 10;
const NAME_MAX = 200;

/** A form with a file, which is staged until the request ends. */
export interface Upload extends Required<ReceivedForm> {}

/** A form as it was received, with its file if it has one. */
interface ReceivedForm {
  readonly fields: Form;
  readonly name: string;
  readonly file?: StagedFile;
}

/** The accounts whose forms are being received. */
const uploads: string[] = [];

/**
 * Receives a form with a file. The caller closes the file.
 *
 * @throws ApiError for a body that is too large or too slow, or is no such form; OperatorError without a file.
 */
export async function receiveUpload(
  request: GatewayRequest,
  directory: string,
  account: string,
): Promise<Upload> {
  const { file, ...form } = await receive(request, account, directory);
  if (file === undefined) {
    throw new OperatorError('Choose a file that is not empty.');
  }
  if (file.bytes === 0) {
    await file.close();
    throw new OperatorError('Choose a file that is not empty.');
  }
  return { ...form, file };
}

/**
 * Receives the answers for the columns of a table, which may be more than another form has.
 *
 * @throws ApiError for a body that is too large or too slow, or is no such form.
 */
export async function receiveAnswers(request: GatewayRequest, account: string): Promise<Form> {
  return (await receive(request, account)).fields;
}

async function receive(request: GatewayRequest, account: string, directory?: string): Promise<ReceivedForm> {
  const own = uploads.filter((one) => one === account).length;
  if (own >= MOST_OF_ACCOUNT || uploads.length >= MOST_UPLOADS) {
    throw new ApiError('RATE_LIMITED', 'Other files are being uploaded.', [], RETRY_SECONDS);
  }
  uploads.push(account);
  try {
    return await receiveForm(request, directory);
  } finally {
    uploads.splice(uploads.indexOf(account), 1);
  }
}

/**
 * Reads a form as it comes: of its file, a few pieces are in memory.
 *
 * @param directory where its file is staged; undefined if it may have none.
 */
async function receiveForm(request: GatewayRequest, directory: string | undefined): Promise<ReceivedForm> {
  const parser = openParser(request.header('content-type') ?? '');
  const fields = new Map<string, string>();
  let size = 0;
  let staging: Promise<StagedFile> | undefined;
  let name = '';
  const stop = new AbortController();
  const fail = (error: unknown): void => stop.abort(error);
  const refuse = (what: string) => () => fail(new ApiError('PAYLOAD_TOO_LARGE', `The form has ${what}.`));
  const tooLarge = new ApiError(
    'PAYLOAD_TOO_LARGE',
    directory === undefined
      ? 'The form has fields that are too long.'
      : 'A file may have 20 MB here. For larger ones, use POST /import.',
  );
  // A body that is too long ends the parser with the error of the limit.
  const damaged = (error: unknown): void => {
    const isTooLarge = error instanceof ApiError && error.code === 'PAYLOAD_TOO_LARGE';
    fail(isTooLarge ? tooLarge : damagedForm());
  };
  parser.once('error', damaged);
  parser.on('field', (field, value, _isNameCut, isCut) => {
    size += field.length + value.length;
    if (isCut || size > FIELDS_MAX || field.length > FIELD_NAME_MAX) {
      refuse('fields that are too long')();
    }
    fields.set(field, value);
  });
  parser.on('file', (field, stream, filename = '') => {
    stream.once('limit', () => fail(tooLarge));
    stream.once('error', damaged);
    stop.signal.addEventListener('abort', () => stream.destroy(), { once: true });
    if (field !== 'file' || directory === undefined) {
      refuse(`a file in ${JSON.stringify(field.slice(0, FIELD_NAME_MAX))}`)();
      return;
    }
    name = filename.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').slice(-NAME_MAX);
    staging = stageFile(stream, directory);
    staging.catch(fail);
  });
  parser.once('partsLimit', refuse(`more than ${MOST_FIELDS} fields`));
  parser.once('filesLimit', refuse('more than one file'));
  try {
    // What separates many short fields is longer than they are.
    const limit = (directory === undefined ? FIELDS_MAX : UPLOAD_MAX) + FIELDS_MAX;
    const bounds = { limit, silenceMs: SILENCE_MS, wholeMs: WHOLE_MS };
    await pipeline(request.receive(bounds), parser, { signal: stop.signal });
    stop.signal.throwIfAborted();
    const file = await staging;
    return {
      fields: Object.fromEntries(fields),
      name: name.trim() === '' ? 'upload' : name,
      ...(file !== undefined && { file }),
    };
  } catch (error) {
    fail(error);
    await staging?.then((file) => file.close()).catch(() => {});
    throw stop.signal.reason;
  }
}

function openParser(type: string): BusboyInstance {
  if (!/^multipart\/form-data;/i.test(type)) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'This form is sent as multipart/form-data.');
  }
  const limits = {
    files: 1,
    parts: MOST_FIELDS,
    headerPairs: 10,
    headerSize: 4_096,
    fileSize: UPLOAD_MAX,
    fieldSize: FIELDS_MAX,
  };
  const isPartAFile = (_field?: string, _type?: string, filename?: string): boolean => filename !== undefined;
  try {
    return new Busboy({ headers: { 'content-type': type }, limits, isPartAFile });
  } catch {
    throw damagedForm();
  }
}

function damagedForm(): ApiError {
  return new ApiError('BAD_USER_INPUT', 'The form is damaged: send it again.');
}

/** Identifies a file together with how it is imported: what was previewed is exactly what is applied. */
export function previewDigest({ digest }: { readonly digest: string }, settings: object): string {
  const sorted = JSON.stringify(settings, (_, part) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort()) : part,
  );
  return createHash('sha256').update(digest).update(sorted).digest('hex');
}
