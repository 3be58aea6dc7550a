import type { JSX as HonoJSX } from 'hono/jsx';
import { escapeMarkup } from '../../lib/text/markup.ts';

/** An element of a view, or several: HTML, which nothing but {@link jsx} makes. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** What an element can contain: elements, text, which is escaped, lists of both, or nothing. */
export type Content = Html | string | number | boolean | null | undefined | readonly Content[];

/** An attribute that is left out if it is undefined. */
type Value = string | number | undefined;

/** The names in a text of words. */
type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;

/** Attributes with a text or a number. */
type Texts =
  | Words<'accept action alt autocapitalize autocomplete blocking charset class colspan content cx cy d'>
  | Words<'datetime download dx dy enctype for form formaction height href id inputmode label lang max maxlength min'>
  | Words<'minlength name placeholder popovertarget preserveAspectRatio r rel role rows src tabindex title type value'>
  | Words<'viewBox width x x1 x2 y y1 y2'>;

/** The attributes that views use. A misspelled one, and one that loads or runs something, is an error. */
interface Attributes extends Readonly<Partial<Record<Texts, Value>>> {
  readonly children?: Content;
  readonly [name: `aria-${string}` | `data-${string}`]: Value;
  readonly autofocus?: boolean | undefined;
  readonly checked?: boolean | undefined;
  readonly defer?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  readonly hidden?: boolean;
  readonly method?: 'get' | 'post';
  readonly open?: boolean | undefined;
  readonly popover?: 'auto' | undefined;
  readonly popovertargetaction?: 'hide';
  readonly required?: boolean | undefined;
  readonly start?: number;
  readonly scope?: 'col' | 'row' | 'rowgroup';
  readonly selected?: boolean | undefined;
  readonly spellcheck?: 'false';
  readonly 'text-anchor'?: 'start' | 'middle' | 'end';
}

type Tag =
  | keyof { [Name in keyof HonoJSX.IntrinsicElements as string extends Name ? never : Name]: true }
  | 'circle'
  | 'desc'
  | 'g'
  | 'line'
  | 'path'
  | 'rect'
  | 'svg'
  | 'text';

/** What the compiler accepts as JSX: narrower than the types of other libraries, which allow any attribute and any child. */
export declare namespace JSX {
  type Element = Html;
  type ElementType = Tag | ((props: never) => Html | null);
  interface ElementChildrenAttribute {
    readonly children: Content;
  }
  type IntrinsicElements = Readonly<Record<Tag, Attributes>>;
}

type Component = (props: never) => Html | null;

/** Elements without content and end. */
const VOID: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'input', 'link', 'meta', 'wbr']);

/**
 * Creates an element. The compiler calls it for JSX.
 *
 * It writes the text at once. Hono's own JSX would show as it is whatever object claims to be escaped, wait for a promise,
 * and keep contexts in an AsyncLocalStorage, which slows down all promises of a process on Node 20.
 *
 * @throws TypeError for a child that is neither text nor an element.
 */
export function jsx(tag: string | Component, props: { readonly children?: Content }): Html {
  if (typeof tag !== 'string') {
    return (tag as (props: object) => Html | null)(props) ?? new Html('');
  }
  const { children, ...attributes } = props;
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => ` ${name}="${value === true ? '' : escapeMarkup(String(value))}"`);
  const end = VOID.has(tag) ? '/>' : `>${textOf(children)}</${tag}>`;
  return new Html(`<${tag}${written.join('')}${end}`);
}

export { jsx as jsxDEV, jsx as jsxs };

/** Several elements without one around them. */
export const Fragment = ({ children }: { readonly children?: Content }): Html => new Html(textOf(children));

/** The text of an element. */
export const render = (element: Html): string => element.toString();

function textOf(content: Content): string {
  if (content instanceof Html) {
    return content.toString();
  }
  if (Array.isArray(content)) {
    return content.map(textOf).join('');
  }
  if (typeof content === 'object' && content !== null) {
    throw new TypeError('A view contains an object that is no element');
  }
  return typeof content === 'string' || typeof content === 'number' ? escapeMarkup(String(content)) : '';
}
