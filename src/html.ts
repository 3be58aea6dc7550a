import { html as template } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

/** HTML created by {@link html}. */
export type Html = HtmlEscapedString;

/** A value of a template: HTML as it is, text that is escaped, lists of both, or nothing. */
export type Content = Html | string | number | null | undefined | false | readonly Content[];

/**
 * Hono's template, which escapes its values for text and for quoted attributes, with narrower types: neither a promise
 * nor an object is a value, so the result is never a promise, and no parsed JSON can pass as HTML.
 */
export const html = template as (strings: TemplateStringsArray, ...values: readonly Content[]) => Html;
