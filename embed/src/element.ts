import type { RevgateAttributes } from '../../client/src/elements.ts';
import type { RevgateError } from '../../client/src/index.ts';
import { age, labelOf, link, type Shown } from './format.ts';
import { type Request, Source, sourceOf } from './source.ts';
import { createStyle } from './style.ts';

/** Where this file is from is where the API is, unless an attribute says otherwise. */
const home = (): string => new URL(import.meta.url).origin;
const HELD = 30_000;

/** A server that renders pages has no elements: there, a class that is never used stands for them, so that imports work. */
const Base = typeof HTMLElement === 'undefined' ? (class {} as typeof HTMLElement) : HTMLElement;

/**
 * Of these, the first that is set is the key. HTML and some frameworks write `embedKey` in lower case. `key` is what it was
 * called once; frameworks keep an attribute of that name for themselves.
 */
const keyAttributes = ['embed-key', 'embedkey', 'key'] as const;

const attributes: Readonly<Record<keyof RevgateAttributes | (typeof keyAttributes)[number], true>> = {
  api: true,
  'embed-key': true,
  embedkey: true,
  key: true,
  document: true,
  variables: true,
  columns: true,
  figures: true,
  value: true,
  labels: true,
  label: true,
  rows: true,
  source: true,
  accent: true,
  width: true,
  theme: true,
};

const observedAttributes = Object.keys(attributes);

/**
 * The properties of each attribute: its own name, which Angular sets in `embed-key="{{key}}"`, and the same in camel case, as
 * bindings, spreads and scripts set it.
 */
const properties: ReadonlyMap<string, string> = new Map(
  observedAttributes.flatMap((attribute) => [
    [attribute, attribute],
    [attribute.replace(/-[a-z]/g, ([, letter = '']) => letter.toUpperCase()), attribute],
  ]),
);

/** An element that shows the data of a published document. Each of its {@link properties} is reflected. */
export abstract class RevgateElement extends Base {
  static readonly observedAttributes = observedAttributes;

  static {
    for (const [property, attribute] of properties) {
      Object.defineProperty(RevgateElement.prototype, property, {
        configurable: true,
        enumerable: true,
        get(this: RevgateElement): string {
          return this.getAttribute(attribute) ?? '';
        },
        set(this: RevgateElement, value: unknown): void {
          // Frameworks set what is absent in these three ways.
          if (value === undefined || value === null || value === false) {
            this.removeAttribute(attribute);
          } else {
            this.setAttribute(attribute, textOf(value));
          }
        },
      });
    }
  }

  /**
   * Gets the data instead of the API, without a key: for previews. Only declared, so that a value that a page has set before
   * the element was defined stays.
   */
  declare request: Request | undefined;

  /** What its attribute of columns, figures or value can name; known once it is drawn. */
  paths: readonly string[] = [];

  readonly body = create('div');
  readonly #root = create('div', { class: 'root', lang: 'en' });
  readonly #message = create('p', { class: 'message', part: 'message', role: 'status' });
  readonly #source = create('span', { part: 'source' });
  readonly #updated = create('span', { part: 'updated' });
  #data: Source | undefined;
  #end: (() => void) | undefined;
  #isScheduled = false;
  #shown: unknown;
  readonly #faults = new Map<string, string | undefined>();

  /** What a visitor reads if there is nothing to show, or if it cannot be shown. */
  abstract readonly texts: { readonly empty: string; readonly failed: string };

  /** Draws the data; undefined before there is any. Returns false if there is nothing to show. */
  abstract draw(data: unknown): boolean;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [createStyle()];
    const footer = create('p', { class: 'footer', part: 'footer' }, this.#source, this.#updated);
    this.#root.append(create('div', { class: 'frame' }, this.body, this.#message), footer);
    root.append(this.#root);
    this.#adoptProperties();
  }

  /** What was set before the element was defined hides the property of the class. */
  #adoptProperties(): void {
    for (const property of properties.keys()) {
      if (Object.hasOwn(this, property)) {
        const values = this as unknown as Record<string, unknown>;
        const value = values[property];
        delete values[property];
        values[property] = value;
      }
    }
  }

  connectedCallback(): void {
    this.#schedule();
  }

  disconnectedCallback(): void {
    this.#end?.();
    this.#end = undefined;
    this.#data = undefined;
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    if (this.isConnected && before !== after) {
      this.#schedule();
    }
  }

  /** Several attributes that change at once cause one start, before the browser draws. */
  #schedule(): void {
    if (!this.#isScheduled) {
      this.#isScheduled = true;
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
    this.#shown = undefined;
    const api = this.text('api') || home();
    let data: Source | undefined;
    this.#guard(() => {
      this.#setLook();
      data =
        this.request === undefined
          ? sourceOf({
              api,
              key: keyAttributes.map((name) => this.text(name)).find((text) => text !== '') ?? '',
              document: this.text('document'),
              variables: this.text('variables'),
            })
          : (this.#data ?? new Source(this.request));
      this.#source.replaceChildren('Source: ', toNode(link(api, this.text('source') || undefined)));
    });
    this.#data = data;
    if (data?.updatedAt === undefined) {
      this.#guard(() => this.draw(undefined));
    }
    if (data !== undefined) {
      this.#watch(data);
    }
  }

  /** Its color and its width: set by the object model, which no content policy forbids. */
  #setLook(): void {
    const valid = (attribute: string, allowed: string, isValid: (text: string) => boolean): string => {
      const text = this.text(attribute);
      const isUsed = text === '' || isValid(text);
      this.tell(attribute, isUsed ? undefined : `got ${JSON.stringify(text)}, allowed: ${allowed}`);
      return isUsed ? text : '';
    };
    const { style } = this.#root;
    const accent = valid('accent', 'a color', (text) => CSS.supports('color', text));
    const width = valid('width', 'a number of pixels', (text) => /^\d+$/.test(text));
    style.setProperty('--chosen-accent', accent);
    style.maxWidth = width === '' ? '' : `${width}px`;
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
        ? `This will be shown in about ${wait} ${wait === 1 ? 'second' : 'seconds'}.`
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

  /** What a path is called, for pages that let people choose. */
  nameOf(path: string): string {
    return labelOf(path);
  }

  /** Tells developers which names of an attribute the result does not have. */
  tellUnknown(attribute: string, names: readonly string[], isKnown: (name: string) => boolean): void {
    const unknown = names.filter((name) => !isKnown(name)).map((name) => JSON.stringify(name));
    const is = `${unknown.join(', ')} is not in the result, which has ${this.paths.join(', ')}`;
    this.tell(attribute, unknown.length > 0 ? is : undefined);
  }

  /** Tells developers what is wrong with an attribute: once, and not at each refresh. */
  tell(attribute: string, fault: string | undefined): void {
    if (fault !== undefined && this.#faults.get(attribute) !== fault) {
      console.error(`<${this.localName}>: ${attribute}: ${fault}`);
    }
    this.#faults.set(attribute, fault);
  }

  /** Tells developers what visitors are not told. Never with the key. */
  #report(error: unknown): void {
    const { code, message, requestId } = error as Partial<RevgateError>;
    const hint =
      code === 'ORIGIN_NOT_ALLOWED'
        ? ` This page has the origin ${self.origin}.`
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

/** The attribute of a value: lists are separated by commas, and an object of variables is JSON. */
function textOf(value: unknown): string {
  return typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : String(value);
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

/** A shown value as a text or a link, whose direction is its own on every page; that of a number is from left to right. */
export function toNode({ text, href, isOld }: Shown, isNumber = false): Node {
  const content =
    href === undefined
      ? isOld === true
        ? create('span', { class: 'old', part: 'old' }, `${text} ⚠`)
        : text
      : create('a', { href, rel: 'noopener nofollow', part: 'link' }, text);
  return create('bdi', isNumber ? { dir: 'ltr' } : {}, content);
}
