import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text as readText } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { OperatorError, systemReason, throwIfAny } from '../../../lib/errors.ts';
import { countBytes } from '../../../lib/files/inflate.ts';
import { hostOf, isLoopback } from '../../../lib/http/addresses.ts';
import { isObject } from '../../../lib/text/is-object.ts';
import type { Mapping } from '../../../startups/import/columns/mapping.ts';
import { importOptions } from '../../../startups/import/options.ts';
import type { ImportInput } from '../../../startups/import/rows/input.ts';
import type { ImportReport } from '../../../startups/import/values/summary.ts';
import { type CommandEnvironment, printJson } from '../../command-line/command.ts';
import { createProgress } from '../../command-line/progress.ts';
import type { ImportCommandOptions, ImportFiles } from './import-options.ts';
import { adviseMapping, printSummary } from './import-summary.ts';

/** With a URL of this length, every server and proxy has enough left for the rest of the head. */
const MOST_QUERY = 7_000;
/** A server that does not ask for the body gets it anyway. */
const CONTINUE_MS = 2_000;
const MEGABYTE = 1_000_000;

/** `revgate import --to URL FILE`: the server imports, with the same options and result. */
export async function runImportTo(
  environment: CommandEnvironment,
  { inputs, mapping }: ImportFiles,
  options: ImportCommandOptions,
): Promise<void> {
  const [input] = inputs as [ImportInput];
  const { report, errors } = await send(environment, input, targetOf(options, input, mapping));
  if (options.json === true && report !== undefined) {
    printJson(environment.stdout, report);
  }
  const advice = report === undefined ? '' : adviseMapping(report.errors, inputs, options);
  throwIfAny(errors.map((text, index) => (index === errors.length - 1 ? text + advice : text)));
  if (report !== undefined && options.json !== true) {
    // Of an older server, or an import before its update, the columns are not known.
    const { leftOut = [], leftOutCount = 0, returned = 0 }: Partial<ImportReport> = report;
    const { firstReturned = [], firstRemoved = [], sets = null }: Partial<ImportReport> = report;
    const shown = {
      ...report,
      examples: [],
      sets,
      leftOut,
      leftOutCount,
      returned,
      firstReturned,
      firstRemoved,
    };
    printSummary(environment, shown, options, report.durationMs);
  }
}

function targetOf(options: ImportCommandOptions, { name: path }: ImportInput, mapping: Mapping): URL {
  const { to = '', replace } = options;
  const url = URL.canParse(to) ? new URL(to) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(hostOf(to)));
  if (url === undefined || !isSafe || url.username !== '' || url.search !== '') {
    throw new OperatorError(
      `--to: got ${JSON.stringify(to)}, allowed: the https address of a server such as ` +
        'https://api.example.com; http on this machine only, as it shows the token.',
    );
  }
  if (!/\/import$/.test(url.pathname)) {
    url.pathname = url.pathname.replace(/\/*$/, '/import');
  }
  const parts = Object.entries(mapping).filter(([, part]) =>
    isObject(part) ? Object.keys(part).length > 0 : part,
  );
  const name = path.split('/').at(-1) ?? '';
  const given = { ...options, yes: replace && options.yes };
  const names = Object.keys(importOptions) as (keyof typeof importOptions)[];
  for (const [parameter, value] of [
    ...names.map((option) => [option, given[option]] as const),
    ['name', name === '-' ? undefined : name.slice(-200)],
    ['mapping', parts.length > 0 ? JSON.stringify(Object.fromEntries(parts)) : undefined],
  ] as const) {
    if (value !== undefined) {
      url.searchParams.set(parameter, String(value));
    }
  }
  if (url.search.length > MOST_QUERY) {
    throw new OperatorError(
      'The mapping is too long to be sent: store it in the dashboard, and upload there, or import on the server.',
    );
  }
  return url;
}

/**
 * Sends a file, and shows how much of it was sent.
 *
 * @returns what the server reports, and why it imported nothing, one line each; no line if it imported.
 * @throws OperatorError if it cannot be sent.
 */
async function send(environment: CommandEnvironment, input: ImportInput, url: URL) {
  const { env, stderr, errorColumns, now, signal } = environment;
  const token = env.REVGATE_TOKEN;
  if (!token) {
    throw new OperatorError(
      'REVGATE_TOKEN is not set: set it to the token of an operator, from the dashboard or revgate tokens create.',
    );
  }
  const progress = createProgress(stderr, errorColumns, now);
  const totalRecords = input.bytes === undefined ? undefined : Math.round(input.bytes / MEGABYTE);
  let sent = 0;
  const onSent = (count: number): void => {
    sent += count;
    progress.update({ phase: 'sending', records: Math.round(sent / MEGABYTE), totalRecords });
  };
  try {
    const { statusCode = 0, text } = await exchange(url, token, input, signal, onSent);
    return readResult(url, statusCode, text);
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

/** One request and its response. The body is sent once the server asks for it, which knows the token by then. */
async function exchange(
  url: URL,
  token: string,
  input: ImportInput,
  signal: AbortSignal,
  onSent: (count: number) => void,
): Promise<{ statusCode: number | undefined; text: string }> {
  // Not with fetch, which sends no Expect, and waits no longer than five minutes for a response.
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
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
  const answer = once(request, 'response') as Promise<[IncomingMessage]>;
  request.flushHeaders();
  const asked = once(request, 'continue').then(() => true);
  const isWanted = await Promise.race([
    answer.then(() => false),
    asked,
    wait(CONTINUE_MS, true, { ref: false }),
  ]);
  if (isWanted) {
    // An error of the request is seen with its answer; one of the file ends it.
    pipeline(countBytes(input.open(), onSent), request).catch((error) => request.destroy(error));
  }
  try {
    const [response] = await answer;
    return { statusCode: response.statusCode, text: await readText(response) };
  } finally {
    // Of a body that nobody reads any more.
    request.destroy();
  }
}

/** Why a server imported nothing. */
interface Refusal {
  readonly error?: { readonly message?: string };
  readonly messages?: readonly string[];
  readonly import?: ImportReport;
}

const optionOf = (parameter: string): string =>
  `--${parameter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** A message of the server about its parameters with the options that they are here. */
function nameOptions(message: string): string {
  return Object.keys(importOptions).reduce(
    (text, name) =>
      text.replaceAll(`${name}=true`, optionOf(name)).replace(new RegExp(`^${name}:`), `${optionOf(name)}:`),
    message,
  );
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
  const { error, messages = [], import: report } = body as Refusal;
  const message = nameOptions(error?.message ?? `status ${status}`);
  const errors = messages.map(nameOptions);
  return report === undefined
    ? { report, errors: [...errors, `${url.origin}: ${message}`] }
    : { report: { ...report, error: message }, errors: [...errors, message] };
}
