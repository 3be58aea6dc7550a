import type { JSX as HonoJSX, JSXNode } from 'hono/jsx';
import { Fragment as honoFragment } from 'hono/jsx';
import { jsxDEV as createNode } from 'hono/jsx/jsx-dev-runtime';

/** An element of a view. It becomes text with {@link render}. */
export type Html = JSXNode;

/** What an element can contain: elements, text, which is escaped, lists of both, or nothing. */
export type Content = Html | string | number | boolean | null | undefined | readonly Content[];

/** An attribute that is left out if it is undefined. */
type Value = string | number | undefined;

/** The names in a text of words. */
type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;

/** Attributes with a text or a number. */
type Texts =
  | Words<'accept action alt autocapitalize autocomplete blocking charset class colspan content cx cy d'>
  | Words<'datetime download dx dy enctype for form height href id inputmode lang max maxlength min'>
  | Words<'minlength name placeholder preserveAspectRatio r rel role rows src tabindex title type value'>
  | Words<'viewBox width x x1 x2 y y1 y2'>;

/** The attributes that views use. A misspelled one, and one that loads or runs something, is an error. */
interface Attributes extends Readonly<Partial<Record<Texts, Value>>> {
  readonly children?: Content;
  readonly key?: string;
  readonly [name: `aria-${string}` | `data-${string}`]: Value;
  readonly autofocus?: boolean | undefined;
  readonly checked?: boolean | undefined;
  readonly defer?: boolean | undefined;
  readonly method?: 'get' | 'post';
  readonly open?: boolean | undefined;
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

/** What the compiler accepts as JSX: narrower than Hono's own types, which allow any attribute and any child. */
export declare namespace JSX {
  type Element = Html;
  type ElementType = Tag | ((props: never) => Html | null);
  interface ElementChildrenAttribute {
    readonly children: Content;
  }
  interface IntrinsicAttributes {
    readonly key?: string;
  }
  type IntrinsicElements = Readonly<Record<Tag, Attributes>>;
}

type Component = (props: never) => Html | null;

/** The class of all elements. */
const Node = createNode('i', {}).constructor as new (
  tag: string,
  props: object,
  children: readonly Content[],
) => Html;

/**
 * Creates an element. The compiler calls it for JSX.
 *
 * Hono would show as it is whatever object claims to be escaped, and wait for a promise. Neither is allowed by the types,
 * nor, for values whose type is not what it says, here. Nor does it get to treat some tags as components of its own: the
 * contexts of `head` and `svg` are kept in an AsyncLocalStorage, which slows down all promises of a process on Node 20.
 *
 * @throws TypeError for a child that is neither text nor an element.
 */
export function jsx(tag: string | Component, props: { readonly children?: Content }): Html {
  assertContent(props.children);
  if (typeof tag !== 'string') {
    return createNode(tag, props as Record<string, unknown>);
  }
  const { children = [] } = props;
  return new Node(tag, props, Array.isArray(children) ? children : [children]);
}

export { jsx as jsxDEV, jsx as jsxs };

/** Several elements without one around them. */
export const Fragment = honoFragment as unknown as (props: { readonly children?: Content }) => Html;

/** The text of an element. */
export function render(element: Html): string {
  // Not String(element), which renders with contexts.
  const buffer = Object.assign([''] as [string], { callbacks: [] });
  element.toStringToBuffer(buffer);
  return buffer[0];
}

function assertContent(content: Content): void {
  if (typeof content === 'object' && content !== null && !(content instanceof Node)) {
    if (!Array.isArray(content)) {
      throw new TypeError('A view contains an object that is no element');
    }
    content.forEach(assertContent);
  }
}
