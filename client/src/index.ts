import type {
  ChangePage,
  ErrorCode,
  GetMarketParameters,
  GetStartupHistoryParameters,
  GetSummaryParameters,
  ListChangesParameters,
  ListStartupsParameters,
  Market,
  Publication,
  SnapshotStartup,
  Startup,
  StartupDetail,
  StartupHistory,
  StartupPage,
  Summary,
} from './api.ts';
import { type DocumentNode, printDocument } from './print-document.ts';

export type * from './api.ts';

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A response that the caller keeps, to be used again while the server says that it has not changed. */
export interface StoredResponse {
  readonly etag: string;
  readonly body: string;
}

/** Where responses to GET are kept, by URL. A Map is one. */
export interface ResponseStore {
  get(url: string): StoredResponse | undefined | Promise<StoredResponse | undefined>;
  set(url: string, response: StoredResponse): unknown;
}

export interface ClientOptions {
  /** Address of the gateway, such as https://api.example.com, with or without /api/v1. */
  readonly url: string;
  /**
   * An API key. In web pages, only an embed key: it begins with rvg_pub_. It may be undefined in a type, such as that of
   * an environment variable, but {@link createClient} throws without one.
   */
  readonly key: string | undefined;
  /** Sends the requests; the global `fetch` by default. */
  readonly fetch?: Fetch | undefined;
  /** Keeps responses with their ETags; none by default. */
  readonly store?: ResponseStore | undefined;
  /**
   * How often a request is repeated; 3 by default. Every request is repeated after a 429, when the time that the
   * response states has passed. A GET and a
   * publication are repeated after a network error, a 502, 503 or 504, too. With 0, the client
   * never waits.
   */
  readonly retries?: number | undefined;
  /** Called before the client waits. The error is why; undefined if the limit is known to be used up. */
  readonly onWait?: ((seconds: number, error: RevgateError | undefined) => void) | undefined;
}

export interface RequestOptions {
  /** Ends the request, and all waiting. The call rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

export interface QueryOptions extends RequestOptions {
  /** Which operation of the document runs; needed only if it has several. */
  readonly operationName?: string | undefined;
}

/** An invalid parameter or argument. */
export interface ErrorDetail {
  readonly parameter: string;
  readonly message: string;
}

/** A request that failed. The message contains the details. */
export class RevgateError extends Error {
  /**
   * A code of the API; NETWORK_ERROR without a response; INVALID_RESPONSE if something else responded; INVALID_OPTIONS
   * from {@link createClient}.
   */
  readonly code: ErrorCode | 'NETWORK_ERROR' | 'INVALID_RESPONSE' | 'INVALID_OPTIONS' | (string & {});
  /** The status of the response; 0 without one. */
  readonly status: number;
  /** Every invalid parameter or argument. */
  readonly details: readonly ErrorDetail[];
  /** Names the request in the log of the server. */
  readonly requestId: string | undefined;

  constructor(
    code: string,
    message: string,
    {
      status = 0,
      details = [],
      requestId,
      cause,
    }: {
      status?: number;
      details?: readonly ErrorDetail[];
      requestId?: string | undefined;
      cause?: unknown;
    } = {},
  ) {
    const texts = details.map(({ parameter, message: text }) => `${parameter}: ${text}`);
    // The API's message already contains the first.
    const first = texts[0] !== undefined && message.startsWith(texts[0]) ? [] : [message];
    super([...first, ...texts].join('; '), { cause });
    this.name = 'RevgateError';
    this.code = code;
    this.status = status;
    this.details = details;
    this.requestId = requestId;
  }
}

/** A document with the types of its result and variables, as graphql-codegen writes it. */
export interface TypedDocument<Result, Variables> {
  readonly __apiType?: ((variables: Variables) => Result) | undefined;
}

/** A document that was published for the key, by its id: `sha256:` and 64 digits. */
export interface PublishedDocument<Result = Record<string, unknown>, Variables = Record<string, unknown>>
  extends TypedDocument<Result, Variables> {
  readonly documentId: string;
}

/** All startups of one moment, in the order in which they were first imported. */
export interface Snapshot extends AsyncIterable<SnapshotStartup> {
  /** `since` of {@link Client.changes} for what has changed since then; undefined before the first startup was read. */
  readonly cursor: string | undefined;
}

/** The arguments after a document: variables may be left out if none is required. */
type QueryArguments<Variables> =
  Record<string, never> extends Variables
    ? [variables?: Variables | undefined, options?: QueryOptions | undefined]
    : [variables: Variables, options?: QueryOptions | undefined];

export interface Client {
  /**
   * Every startup of a list, page by page within the limit of the key. If the data changes meanwhile, a startup may
   * be returned twice or not at all: for a complete copy, use {@link Client.changes}.
   */
  startups(
    parameters?: Omit<ListStartupsParameters, 'limit'>,
    options?: RequestOptions,
  ): AsyncGenerator<Startup, void, undefined>;
  /** One page of a list, of at most 10. */
  list(parameters?: ListStartupsParameters, options?: RequestOptions): Promise<StartupPage>;
  /** Counts and statistics of all startups that match the filters of a list; with `by`, also of each group of them. */
  summary(parameters?: GetSummaryParameters, options?: RequestOptions): Promise<Summary>;
  /** One startup; rejects with NOT_FOUND for an unknown slug. */
  startup(slug: string, options?: RequestOptions): Promise<StartupDetail>;
  /** The figures of a startup by day. */
  history(
    slug: string,
    parameters?: GetStartupHistoryParameters,
    options?: RequestOptions,
  ): Promise<StartupHistory>;
  /** The figures of all startups by day. */
  market(parameters?: GetMarketParameters, options?: RequestOptions): Promise<Market>;
  /**
   * Changes since a cursor, page by page until there are no more; without `since`, all startups first. Keep `meta.next`
   * of the last page that you have processed: it is `since` of the next call.
   */
  changes(
    parameters?: ListChangesParameters,
    options?: RequestOptions,
  ): AsyncGenerator<ChangePage, void, undefined>;
  /**
   * All startups at once, if the operator has allowed it to the key: otherwise, reading rejects with
   * SNAPSHOT_NOT_ALLOWED. A key gets one an hour, so the client waits at most a minute after a 429. The copy is complete
   * once the last startup was read without an error.
   */
  snapshot(options?: RequestOptions): Snapshot;
  /**
   * Runs a GraphQL document: a text, a TypedDocumentNode or TypedDocumentString, or the id of a published one, which is
   * requested with GET. Rejects if the response has an error.
   */
  query<Result = Record<string, unknown>, Variables = Record<string, unknown>>(
    document:
      | string
      | TypedDocument<Result, Variables>
      | PublishedDocument<Result, Variables>
      | { readonly kind: string },
    ...args: QueryArguments<Variables>
  ): Promise<Result>;
  /**
   * Publishes documents for an embed key of the account of the client's secret key: all of them, or none if one is invalid.
   * Publishing them again changes nothing, so that a failed attempt is repeated.
   *
   * @param keyId the id of the embed key, such as key_0123456789AB.
   * @param documents texts, or a manifest as graphql-codegen, Relay or Apollo writes it.
   */
  publish(
    keyId: string,
    documents: readonly string[] | object,
    options?: RequestOptions,
  ): Promise<readonly Publication[]>;
}

interface Call {
  readonly path: string;
  /** The body of a POST; undefined for a GET. */
  readonly body?: string | undefined;
  readonly cost?: number;
  /** Whether a POST may be sent again, whatever became of it. */
  readonly isRepeatable?: boolean;
  readonly options?: RequestOptions | undefined;
  /** Whether a success is returned as a response whose body was not read. */
  readonly isStream?: boolean;
}

const REST = 'api/v1/';
/** Longer URLs of GraphQL are sent as POST. */
const MAX_URL = 4_000;
/** No response is trusted with a longer wait. */
const MAX_WAIT_SECONDS = 3_600;
const SNAPSHOT_COST = 10;
/** A longer wait for a snapshot is that for the next hour. */
const MAX_SNAPSHOT_WAIT_SECONDS = 60;

/**
 * Creates a client. It sends nothing until a method is called.
 *
 * @throws RevgateError with the code INVALID_OPTIONS and a detail for each invalid option.
 */
export function createClient(settings: ClientOptions): Client {
  const { store, retries = 3, onWait, fetch: send = (url, init) => fetch(url, init) } = settings;
  const { base, key } = checkOptions(settings);
  const { origin } = new URL(base);
  /** The window of the key, as the last response described it. `endsAt` is a time of this machine. */
  let limit = { reset: '', remaining: Number.POSITIVE_INFINITY, endsAt: 0 };

  function readLimit(headers: Headers): void {
    const reset = headers.get('x-ratelimit-reset');
    const seconds = /t=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1];
    if (reset === null || seconds === undefined) {
      return;
    }
    const isSame = reset === limit.reset;
    const remaining = Number(headers.get('x-ratelimit-remaining'));
    const endsAt = Date.now() + Math.min(Number(seconds), MAX_WAIT_SECONDS) * 1000;
    // Responses may arrive in another order than they were counted in.
    limit = {
      reset,
      remaining: isSame ? Math.min(limit.remaining, remaining) : remaining,
      endsAt: isSame ? Math.min(limit.endsAt, endsAt) : endsAt,
    };
  }

  async function pause(seconds: number, options: RequestOptions | undefined, error?: RevgateError) {
    onWait?.(seconds, error);
    await wait(seconds * 1000, options?.signal);
  }

  /** Sends a request until it has a final response, and returns its body, or the response of a stream. */
  async function run({
    path,
    body,
    cost = 1,
    isRepeatable = false,
    options,
    isStream = false,
  }: Call): Promise<unknown> {
    const url = base + path;
    const signal = options?.signal;
    const stored = body === undefined && !isStream ? await store?.get(url) : undefined;
    const init: RequestInit = {
      method: body === undefined ? 'GET' : 'POST',
      // The API never redirects. Whoever does gets no key, and no data is taken from there.
      redirect: 'manual',
      headers: {
        Accept: path.startsWith(REST) ? 'application/json' : 'application/graphql-response+json',
        Authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(stored !== undefined && { 'If-None-Match': stored.etag }),
      },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    };
    for (let attempt = 0; ; attempt++) {
      signal?.throwIfAborted();
      const left = (limit.endsAt - Date.now()) / 1000;
      if (retries > 0 && limit.remaining < cost && left > 0) {
        await pause(Math.ceil(left), options);
      }
      limit.remaining -= cost;
      let error: RevgateError;
      let seconds = Math.min(2 ** attempt, 30);
      let isSafe = body === undefined || isRepeatable;
      try {
        const response = await send(url, init);
        const { status, headers } = response;
        if (isStream && status === 200 && redirectOf(response, origin) === undefined) {
          readLimit(headers);
          return response;
        }
        const text = await response.text();
        readLimit(headers);
        if (status === 304 && stored !== undefined) {
          return JSON.parse(stored.body);
        }
        const parsed = parse(text);
        const failure = redirectOf(response, origin) ?? errorOf(response, parsed);
        if (failure === undefined) {
          const etag = headers.get('etag');
          if (store !== undefined && etag !== null && body === undefined) {
            await store.set(url, { etag, body: text });
          }
          return parsed;
        }
        error = failure;
        seconds = Math.min(Number(headers.get('retry-after')) || seconds, MAX_WAIT_SECONDS);
        isSafe = status === 429 || (isSafe && (status === 502 || status === 503 || status === 504));
        isSafe &&= !isStream || seconds <= MAX_SNAPSHOT_WAIT_SECONDS;
      } catch (cause) {
        signal?.throwIfAborted();
        const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
        error = new RevgateError('NETWORK_ERROR', `${origin}: ${messageOf(reason)}`, { cause });
      }
      if (!isSafe || attempt >= retries) {
        throw error;
      }
      await pause(seconds, options, error);
    }
  }

  const rest = (path: string, parameters: object, options?: RequestOptions, cost = 1) =>
    run({ path: `${REST}${path}${queryOf(parameters)}`, options, cost });
  const dataOf = async <Data>(response: Promise<unknown>): Promise<Data> =>
    ((await response) as { data: Data }).data;

  const list: Client['list'] = (parameters = {}, options) =>
    rest('startups', parameters, options) as Promise<StartupPage>;

  return {
    async *startups(parameters = {}, options) {
      for (let page = parameters.page ?? 1, hasMore = true; hasMore; page++) {
        const found = await list({ ...parameters, page }, options);
        yield* found.data;
        hasMore = found.meta.hasMore;
      }
    },
    list,
    summary: (parameters = {}, options) =>
      rest('summary', parameters, options, parameters.by === undefined ? 3 : 4) as Promise<Summary>,
    startup: (slug, options) => dataOf(rest(`startups/${encodeURIComponent(slug)}`, {}, options)),
    history: (slug, parameters = {}, options) =>
      rest(`startups/${encodeURIComponent(slug)}/history`, parameters, options, 2) as Promise<StartupHistory>,
    market: (parameters = {}, options) => rest('market', parameters, options) as Promise<Market>,
    async *changes(parameters = {}, options) {
      const cost = Math.ceil((parameters.limit ?? 10) / 10);
      for (let { since } = parameters, hasMore = true; hasMore; ) {
        const page = (await rest('changes', { ...parameters, since }, options, cost)) as ChangePage;
        yield page;
        ({ next: since, hasMore } = page.meta);
      }
    },
    snapshot: (options) =>
      new SnapshotReader(
        () =>
          run({ path: `${REST}snapshot`, cost: SNAPSHOT_COST, options, isStream: true }) as Promise<Response>,
      ),
    query(document, ...[variables, options]) {
      const request = { ...readDocument(document), variables, operationName: options?.operationName };
      const path = `graphql${queryOf({ ...request, variables: variables && JSON.stringify(variables) })}`;
      // Browsers send Origin with a GET to another origin only, and embed keys need it.
      const isGet =
        'documentId' in request && path.length < MAX_URL && globalThis.location?.origin !== origin;
      return dataOf(
        run(isGet ? { path, options } : { path: 'graphql', body: JSON.stringify(request), options }),
      );
    },
    publish(key, documents, options) {
      const given = Array.isArray(documents) ? { documents } : { manifest: documents };
      const body = JSON.stringify({ key, ...given });
      return dataOf(run({ path: `${REST}documents`, body, cost: 0, isRepeatable: true, options }));
    },
  };
}

class SnapshotReader implements Snapshot {
  cursor: string | undefined;
  readonly #open: () => Promise<Response>;

  constructor(open: () => Promise<Response>) {
    this.#open = open;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SnapshotStartup, void, undefined> {
    const { headers, body } = await this.#open();
    const cursor = /[?&]since=([\w-]+)/.exec(headers.get('link') ?? '')?.[1];
    if (body === null || cursor === undefined) {
      throw new RevgateError('INVALID_RESPONSE', 'The response is not a snapshot of the API.', {
        status: 200,
      });
    }
    this.cursor = cursor;
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    try {
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        const lines = (rest + read.value).split('\n');
        rest = lines.pop() as string;
        for (const line of lines) {
          yield JSON.parse(line) as SnapshotStartup;
        }
      }
    } catch (cause) {
      throw new RevgateError('NETWORK_ERROR', `The snapshot ended early: ${messageOf(cause)}`, { cause });
    } finally {
      // Also for a caller that reads no further.
      await reader.cancel().catch(() => {});
    }
    if (rest !== '') {
      throw new RevgateError('NETWORK_ERROR', 'The snapshot ended within a line.');
    }
  }
}

/** The options that every request needs: the address that paths are appended to, and the key. */
function checkOptions({ url, key = '' }: ClientOptions): { base: string; key: string } {
  const details: ErrorDetail[] = [];
  const { protocol = '', username, search, hash, href = '' } = URL.canParse(url) ? new URL(url) : {};
  if (!/^https?:$/.test(protocol) || username || search || hash) {
    // A password may be in it.
    const got = url === undefined ? 'missing' : /@/.test(url) ? 'invalid' : `got ${JSON.stringify(url)}`;
    const message = `${got}, allowed: the address of a gateway, such as https://api.example.com`;
    details.push({ parameter: 'url', message });
  }
  if (typeof key !== 'string' || !/^[!-~]+$/.test(key)) {
    const got = key === '' ? 'missing' : 'invalid';
    details.push({ parameter: 'key', message: `${got}, allowed: an API key, which begins with rvg_` });
  }
  if (details.length > 0) {
    throw new RevgateError('INVALID_OPTIONS', 'Invalid options of createClient', { details });
  }
  return { base: href.replace(/(\/+api\/v1)?\/*$/, '/'), key };
}

/** The text of a document, or the id by which it was published. */
function readDocument(document: string | object): { documentId: string } | { query: string } {
  if (typeof document === 'string') {
    return { query: document };
  }
  // graphql-codegen puts the hash of a document that it has written into a manifest there.
  const { documentId, kind, __meta__ } = document as {
    documentId?: string;
    kind?: string;
    __meta__?: { hash?: string };
  };
  const id = documentId ?? __meta__?.hash;
  if (id !== undefined) {
    return { documentId: id };
  }
  return { query: kind === 'Document' ? printDocument(document as DocumentNode) : String(document) };
}

/** Parameters as a query string, without those that are undefined. Several values are separated by commas. */
function queryOf(parameters: object): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const query = String(new URLSearchParams(given.map(([name, value]) => [name, String(value)])));
  return query === '' ? '' : `?${query}`;
}

interface ErrorBody {
  readonly code?: string;
  readonly message?: string;
  readonly details?: readonly ErrorDetail[];
  readonly requestId?: string;
}

/** The error of a response that leads elsewhere, or that a `fetch` of the caller got from there. */
function redirectOf({ status, type, url, headers }: Response, origin: string): RevgateError | undefined {
  const isElsewhere = url !== '' && new URL(url).origin !== origin;
  if (type !== 'opaqueredirect' && !isElsewhere && (status < 300 || status > 399 || status === 304)) {
    return undefined;
  }
  const target = isElsewhere ? url : (headers.get('location') ?? 'another address');
  const message = `${origin} redirects to ${target}: set url to the address of the gateway itself`;
  return new RevgateError('INVALID_RESPONSE', message, { status });
}

/** The error of a response; undefined after a success. */
function errorOf({ status, ok, headers }: Response, body: unknown): RevgateError | undefined {
  const { error, errors, data } = (body ?? {}) as {
    error?: ErrorBody;
    errors?: readonly (ErrorBody & { extensions?: ErrorBody })[];
    data?: unknown;
  };
  const [first] = errors ?? [];
  const requestId = headers.get('x-request-id') ?? undefined;
  if (first !== undefined || error !== undefined) {
    const { code = '', message = '' } = { ...error, ...first, ...first?.extensions };
    const details = error?.details ?? errors?.flatMap(({ extensions }) => extensions?.details ?? []) ?? [];
    return new RevgateError(code, message, { status, details, requestId });
  }
  return ok && data !== undefined
    ? undefined
    : new RevgateError('INVALID_RESPONSE', `The response with status ${status} is not of the API.`, {
        status,
        requestId,
      });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message || String((error as { code?: unknown }).code) : String(error);

/** Rejects with the reason of the signal. */
function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) {
      stop();
    }
  });
}
