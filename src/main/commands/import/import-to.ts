import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text as readText } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { OperatorError, systemReason } from '../../../lib/errors.ts';
import { countBytes } from '../../../lib/files/inflate.ts';
import { hostOf, isLoopback } from '../../../lib/http/loopback.ts';
import { isObject } from '../../../lib/text/is-object.ts';
import type { Mapping } from '../../../startups/import/columns/mapping.ts';
import type { ImportInput } from '../../../startups/import/rows/input.ts';
import type { ImportReport } from '../../../startups/import/summary.ts';
import type { CommandEnvironment } from '../../command-line/command.ts';
import { createProgress } from '../../command-line/progress.ts';

interface RemoteImport {
  /** Where the server is, such as https://api.example.com. */
  readonly to: string;
  readonly input: ImportInput;
  readonly mapping: Mapping;
  readonly options: Readonly<Record<string, string>>;
}

/** With a URL of this length, every server and proxy has enough left for the rest of the head. */
const MOST_QUERY = 7_000;
/** A server that does not ask for the body gets it anyway. */
const CONTINUE_MS = 2_000;
const MEGABYTE = 1_000_000;

/**
 * Sends a file to `POST /import` of a server, and shows how much of it was sent.
 *
 * @returns what the server reports, and why it imported nothing, one line each; no line if it imported.
 * @throws OperatorError if it cannot be sent, or the command line is incomplete.
 */
export async function importTo(environment: CommandEnvironment, remote: RemoteImport) {
  const { env, stderr, errorColumns, now, signal } = environment;
  const url = targetOf(remote);
  const token = env.REVGATE_TOKEN;
  if (!token) {
    throw new OperatorError(
      'REVGATE_TOKEN is not set: set it to the token of an operator, from the dashboard or revgate tokens create.',
    );
  }
  const progress = createProgress(stderr, errorColumns, now);
  const { input } = remote;
  let sent = 0;
  const onSent = (count: number): void => {
    sent += count;
    const totalRecords = input.bytes === undefined ? undefined : Math.round(input.bytes / MEGABYTE);
    progress.update({ phase: 'sending', records: Math.round(sent / MEGABYTE), totalRecords });
  };
  try {
    const { statusCode: status = 0, text } = await exchange(url, token, input, { signal, onSent });
    return readResult(url, status, text);
  } catch (error) {
    if (signal.aborted) {
      throw new OperatorError('Stopped: nothing was written, unless the list of imports has it.');
    }
    throw error instanceof OperatorError
      ? error
      : new OperatorError(
          `Cannot send to ${url.origin} (${systemReason(error)}): check the URL. Nothing was written, unless the list of imports has it.`,
        );
  } finally {
    progress.end();
  }
}

function targetOf({ to, input, mapping, options }: RemoteImport): URL {
  const url = URL.canParse(to) ? new URL(to) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(hostOf(to)));
  if (url === undefined || !isSafe || url.username !== '' || url.search !== '') {
    throw new OperatorError(
      `--to: got ${JSON.stringify(to)}, allowed: the https address of a server such as https://api.example.com; http on this machine only, as it shows the token.`,
    );
  }
  if (!/\/import$/.test(url.pathname)) {
    url.pathname = url.pathname.replace(/\/*$/, '/import');
  }
  const parts = Object.entries(mapping).filter(([, part]) =>
    isObject(part) ? Object.keys(part).length > 0 : part,
  );
  const name = input.name.split('/').at(-1) ?? '';
  for (const [parameter, value] of Object.entries({
    ...options,
    ...(name !== '-' && { name: name.slice(-200) }),
    ...(parts.length > 0 && { mapping: JSON.stringify(Object.fromEntries(parts)) }),
  })) {
    url.searchParams.set(parameter, value);
  }
  if (url.search.length > MOST_QUERY) {
    throw new OperatorError(
      'The mapping is too long to be sent: store it in the dashboard, and upload there, or import on the server.',
    );
  }
  return url;
}

/** One request and its response. The body is sent once the server asks for it. */
function exchange(
  url: URL,
  token: string,
  input: ImportInput,
  { signal, onSent }: { signal: AbortSignal; onSent: (count: number) => void },
): Promise<{ statusCode: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(url, {
      method: 'POST',
      signal,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/octet-stream',
        Expect: '100-continue',
        'User-Agent': 'revgate',
        ...(input.bytes !== undefined && { 'Content-Length': input.bytes }),
      },
    });
    let hasBegun = false;
    const begin = (): void => {
      clearTimeout(timer);
      if (!hasBegun) {
        hasBegun = true;
        // An error of the request is seen there; one of the file ends it.
        pipeline(countBytes(input.open(), onSent), request).catch((error) => request.destroy(error));
      }
    };
    const timer = setTimeout(begin, CONTINUE_MS);
    request.once('continue', begin);
    request.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    request.once('response', (response) => {
      clearTimeout(timer);
      readText(response).then((text) => resolve({ statusCode: response.statusCode, text }), reject);
      response.once('close', () => request.destroy());
    });
    // Of a body that waits for its server.
    request.flushHeaders();
  });
}

function readResult(url: URL, status: number, text: string) {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // A proxy answered.
  }
  if (!isObject(body)) {
    throw new OperatorError(`${url.origin} answered ${status}, and not as revgate does: check the URL.`);
  }
  if (status === 200) {
    return { report: body as unknown as ImportReport, errors: [] };
  }
  const {
    error = {},
    messages = [],
    import: report,
  } = body as {
    error?: { message?: string };
    messages?: string[];
    import?: ImportReport;
  };
  const message = error.message ?? `status ${status}`;
  return { report, errors: [...messages, report === undefined ? `${url.origin}: ${message}` : message] };
}
