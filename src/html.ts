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

/** A whole page. */
interface HtmlPage {
  readonly title: string;
  /** Styles and scripts. */
  readonly head: Html;
  readonly body: Html;
}

/** The text of a whole page. */
export function htmlPage({ title, head, body }: HtmlPage): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${head}
</head>
<body>
${body}
</body>
</html>
`.toString();
}
