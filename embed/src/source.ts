import { createClient, RevgateError } from '../../client/src/index.ts';

/** Gets the data of a document. The callback is called before it waits for the limit. */
export type Request = (onWait: (seconds: number) => void) => Promise<unknown>;

/** Data older than this is read again when an element is seen, in ms: as old as a cached response may be. */
const MAX_AGE = 60_000;
/** ms until a failed request is repeated that may succeed then. */
const RETRY_AFTER = 30_000;

/** The data of a document, for all elements that show it. */
export class Source {
  data: unknown;
  /** When the data was read, in ms since 1970; undefined before. */
  updatedAt: number | undefined;
  /** Why it could not be read. */
  error: unknown;
  /** Seconds until it may be read; undefined unless the limit is used up. */
  wait: number | undefined;
  readonly #request: Request;
  readonly #subscribers = new Set<() => void>();
  #triedAt = Number.NEGATIVE_INFINITY;
  #isLoading = false;

  constructor(request: Request) {
    this.#request = request;
  }

  /** Calls back after every change, until the returned function is called. */
  subscribe(onChange: () => void): () => void {
    this.#subscribers.add(onChange);
    return () => this.#subscribers.delete(onChange);
  }

  /** Reads the data, unless it is new or is being read. */
  async refresh(): Promise<void> {
    if (this.#isLoading || Date.now() - this.#triedAt < MAX_AGE) {
      return;
    }
    this.#isLoading = true;
    this.#triedAt = Date.now();
    try {
      this.data = await this.#request((seconds) => {
        this.wait = seconds;
        this.#notify();
      });
      this.updatedAt = Date.now();
      this.error = undefined;
    } catch (error) {
      this.error = error;
      if (
        error instanceof RevgateError &&
        (error.status === 0 || error.status === 429 || error.status >= 500)
      ) {
        setTimeout(() => {
          this.#triedAt = Number.NEGATIVE_INFINITY;
          // A page that nobody looks at refreshes when it is seen again.
          if (this.#subscribers.size > 0 && document.visibilityState === 'visible') {
            void this.refresh();
          }
        }, RETRY_AFTER);
      }
    }
    this.wait = undefined;
    this.#isLoading = false;
    this.#notify();
  }

  #notify(): void {
    for (const onChange of this.#subscribers) {
      onChange();
    }
  }
}

/** What a request depends on: the attributes of an element. */
export interface Settings {
  readonly api: string;
  readonly key: string;
  readonly document: string;
  readonly variables: string;
}

const sources = new Map<string, Source>();

/**
 * The source of a document, the same for elements with the same settings.
 *
 * @throws Error that says what is wrong with the settings.
 */
export function sourceOf(settings: Settings): Source {
  const { api, key, document, variables } = settings;
  if (!key.startsWith('rvg_pub_')) {
    throw new Error(
      key === ''
        ? 'The attribute embed-key is missing: an embed key, which begins with rvg_pub_.'
        : 'The attribute embed-key is not an embed key, which begins with rvg_pub_. Everyone can read the keys of a web page. ' +
            'If it is an API key, revoke it, and create an embed key for the origin of this page.',
    );
  }
  if (document === '') {
    throw new Error('The attribute document is missing: the id of a document that is published for the key.');
  }
  const name = JSON.stringify([api, key, document, variables]);
  let source = sources.get(name);
  if (source === undefined) {
    const values: Record<string, unknown> = variables === '' ? {} : JSON.parse(variables);
    source = new Source((onWait) =>
      createClient({
        url: api,
        key,
        onWait: (seconds, error) => error?.status === 429 && onWait(seconds),
      }).query({ documentId: document }, variables === '' ? undefined : values),
    );
    sources.set(name, source);
  }
  return source;
}
