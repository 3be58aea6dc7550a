import { type Html, html } from '../html.ts';

/** A text to copy, such as a request, below its title. */
export function snippet(id: string, title: string, text: string, label = `${title} request`): Html {
  return html`<div class="snippet"><h3>${title}</h3>${copyButton(id, `Copy the ${label}`)}</div>
<pre tabindex="0" role="region" aria-label="${label}"><code id="${id}">${text}</code></pre>`;
}

/** Copies the text of an element. Requires a script, and is hidden without it. */
export function copyButton(of: string, label: string): Html {
  return html`<button type="button" class="quiet" data-copy="${of}" aria-label="${label}">Copy</button>`;
}

/** Where a page confirms that something was copied. */
export function copyStatus(): Html {
  return html`<p class="hint" id="copied" role="status"></p>`;
}
