/** Text that is HTML already. Only {@link html} makes it, so nothing else reaches a page unescaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: HTML as it is, text escaped, lists of both, and nothing. */
export type Content = Html | string | number | null | undefined | false | readonly Content[];

/**
 * A template whose values are escaped, for text and for attributes in double quotes. No value may stand
 * in an attribute without quotes, in a script or in a style: pages have none of these.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  let text = strings[0] ?? '';
  values.forEach((value, index) => {
    text += render(value) + (strings[index + 1] ?? '');
  });
  return new Html(text);
}

function render(value: Content): string {
  if (value instanceof Html) {
    return value.text;
  }
  if (value === null || value === undefined || value === false) {
    return '';
  }
  return typeof value === 'object' ? value.map(render).join('') : escapeHtml(String(value));
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
