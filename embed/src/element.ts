import type { RevgateError } from '../../client/src/index.ts';
import { age, link, type Shown } from './format.ts';
import { type Request, Source, sourceOf } from './source.ts';
import { style } from './style.ts';

/** Where this file is from is where the API is, unless an attribute says otherwise. */
const HOME = new URL(import.meta.url).origin;
const HELD = 30_000;

/** An element that shows the data of a published document. */
export abstract class RevgateElement extends HTMLElement {
  static readonly observedAttributes = [
    'api',
    'key',
    'document',
    'variables',
    'columns',
    'figures',
    'value',
    'labels',
    'label',
    'rows',
    'source',
  ];

  /**
   * Gets the data instead of the API, without a key: for previews. Only declared, so that a value that a page has set before
   * the element was defined stays.
   */
  declare request: Request | undefined;

  /** What its attribute of columns, figures or value can name; known once it is drawn. */
  paths: readonly string[] = [];

  readonly body = create('div');
  readonly #message = create('p', { class: 'message', part: 'message', role: 'status' });
  readonly #source = create('span', { part: 'source' });
  readonly #updated = create('span', { part: 'updated' });
  #data: Source | undefined;
  #end: (() => void) | undefined;
  #isScheduled = false;
  #shown: unknown;
  #unknown = '';

  /** What a visitor reads if there is nothing to show, or if it cannot be shown. */
  abstract readonly texts: { readonly empty: string; readonly failed: string };

  /** Draws the data; undefined before there is any. Returns false if there is nothing to show. */
  abstract draw(data: unknown): boolean;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [style];
    const footer = create('p', { class: 'footer', part: 'footer', lang: 'en' }, this.#source, this.#updated);
    root.append(create('div', { class: 'frame', lang: 'en' }, this.body, this.#message), footer);
  }

  connectedCallback(): void {
    this.#schedule();
  }

  disconnectedCallback(): void {
    this.#end?.();
    this.#end = undefined;
    this.#data = undefined;
  }

  attributeChangedCallback(): void {
    if (this.isConnected) {
      this.#schedule();
    }
  }

  /** Several attributes that change at once cause one start. */
  #schedule(): void {
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      this.#shown = undefined;
      this.#guard(() => this.draw(undefined));
      queueMicrotask(() => {
        this.#isScheduled = false;
        if (this.isConnected) {
          this.#start();
        }
      });
    }
  }

  #start(): void {
    this.#end?.();
    const api = this.text('api') || HOME;
    this.#guard(() => {
      this.#data =
        this.request === undefined
          ? sourceOf({
              api,
              key: this.text('key'),
              document: this.text('document'),
              variables: this.text('variables'),
            })
          : (this.#data ?? new Source(this.request));
      this.#source.replaceChildren('Source: ', toNode(link(api, this.text('source') || undefined)));
      this.#watch(this.#data);
    });
  }

  /** Shows every change of the data, and refreshes it when the element is seen again. */
  #watch(data: Source): void {
    const update = (): void => this.#guard(() => this.#show(data));
    const refresh = (): void => {
      if (document.visibilityState === 'visible') {
        void data.refresh();
      }
    };
    const unsubscribe = data.subscribe(update);
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) {
        refresh();
      }
    });
    observer.observe(this);
    document.addEventListener('visibilitychange', refresh);
    const timer = setInterval(update, HELD);
    this.#end = () => {
      unsubscribe();
      observer.disconnect();
      document.removeEventListener('visibilitychange', refresh);
      clearInterval(timer);
    };
    update();
    refresh();
  }

  #show({ data, updatedAt, error, wait }: Source): void {
    if (error !== undefined && error !== this.#shown) {
      this.#report(error);
    }
    this.#shown = error;
    if (updatedAt !== undefined) {
      this.#say(this.draw(data) ? '' : this.texts.empty);
      this.#updated.textContent = `Updated ${age(updatedAt)}`;
      return;
    }
    this.#say(
      wait !== undefined
        ? `Many visitors are here at the moment. This will be shown in about ${wait} ${wait === 1 ? 'second' : 'seconds'}.`
        : error !== undefined
          ? this.texts.failed
          : '',
    );
    this.body.setAttribute('aria-busy', String(error === undefined));
  }

  /** An error is never one of the page. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#say(this.texts.failed);
      this.#report(error);
    }
  }

  #say(text: string): void {
    if (this.#message.textContent !== text) {
      this.#message.textContent = text;
    }
  }

  /** Tells developers, once and not at each refresh, which names of an attribute the result does not have. */
  tellUnknown(attribute: string, names: readonly string[], isKnown: (name: string) => boolean): void {
    const unknown = names.filter((name) => !isKnown(name)).map((name) => JSON.stringify(name));
    const text = `${attribute}: ${unknown.join(', ')} is not in the result, which has ${this.paths.join(', ')}`;
    if (unknown.length > 0 && this.#unknown !== text) {
      console.error(`<${this.localName}>: ${text}`);
    }
    this.#unknown = unknown.length > 0 ? text : '';
  }

  /** Tells developers what visitors are not told. Never with the key. */
  #report(error: unknown): void {
    const { code, message, requestId } = error as Partial<RevgateError>;
    const hint =
      code === 'ORIGIN_NOT_ALLOWED'
        ? ` This page has the origin ${location.origin}.`
        : requestId === undefined
          ? ''
          : ` (request ${requestId})`;
    console.error(`<${this.localName}>: ${code === undefined ? '' : `${code}: `}${message}${hint}`);
  }

  /** An attribute, without spaces around it. */
  text(name: string): string {
    return this.getAttribute(name)?.trim() ?? '';
  }

  /** An attribute that is a list of names. */
  list(name: string): string[] {
    return this.text(name)
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  }
}

/** Creates an element. Texts become text nodes. */
export function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    element.setAttribute(attribute, value);
  }
  element.append(...children);
  return element;
}

/** A shown value as a text node or a link. */
export function toNode({ text, href, isOld }: Shown): Node {
  return href === undefined
    ? isOld === true
      ? create('span', { class: 'old', part: 'old' }, `${text} ⚠`)
      : document.createTextNode(text)
    : create('a', { href, rel: 'noopener nofollow', part: 'link' }, text);
}
