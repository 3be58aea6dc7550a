import type { ErrorDetail } from '../../errors.ts';
import { type Html, html } from '../../html.ts';
import type { RateLimitState } from '../../rate-limit/limiter.ts';
import type { ListParameterName } from '../../startups/list-parameters.ts';
import { listParameters } from '../../startups/list-parameters.ts';
import { notice } from '../forms.ts';
import { parameterLabel } from './labels.ts';
import type { Snippets } from './snippets.ts';

const titles: Readonly<Record<keyof Snippets, string>> = {
  rest: 'REST URL',
  curl: 'curl',
  fetch: 'JavaScript',
  python: 'Python',
  graphql: 'GraphQL query',
};

/** The same request in several languages, each with a copy button. The first is open. */
export function snippetPanel(snippets: Snippets): Html {
  return html`<section class="card snippets" aria-labelledby="same"><div class="heading sub"><h2 id="same">Use it in a program</h2><p class="hint" id="copied" role="status"></p></div>
<p class="soft small">These requests return what this page shows. Replace YOUR_KEY with one of your <a href="/dashboard/keys">API keys</a>.</p>
${(Object.keys(titles) as (keyof Snippets)[]).map(
  (id, index) =>
    html`<details name="snippet"${index === 0 && html` open`}><summary>${titles[id]}</summary><div class="code"><pre class="${id}" tabindex="0" role="region" aria-label="${titles[id]}"><code id="${id}">${snippets[id]}</code></pre><button type="button" class="quiet" data-copy="${id}" aria-label="Copy: ${titles[id]}">Copy</button></div></details>`,
)}</section>`;
}

/** The rest of the account's limit. */
export function budgetLine({ remaining, limit, resetAt }: RateLimitState, now: number): Html {
  return html`<p class="soft small budget">${remaining} of ${limit} requests left for the next ${seconds(resetAt, now)} s. Your account has this limit for the explorer and GraphiQL; your keys have their own.</p>`;
}

/**
 * Says that the budget is used up, and until when. With a script the page then reloads itself.
 *
 * @param path the address of the page.
 */
export function refusal({ limit, resetAt }: RateLimitState, now: number, path: string): Html {
  const left = seconds(resetAt, now);
  return notice(
    html`<strong>You have used the ${limit} requests of your account for this minute.</strong> Try again in <span data-retry-in>${left}</span> ${left === 1 ? 'second' : 'seconds'}. Your keys have their own limits. <a href="${path}">Try again</a>`,
    'warn',
  );
}

function seconds(resetAt: number, now: number): number {
  return Math.max(1, Math.ceil((resetAt - now) / 1000));
}

/** Every error in the parameters: the field, its value and the allowed ones. Errors of the form link to their field. */
export function errorSummary(errors: readonly ErrorDetail[]): Html {
  return html`<div class="notice wrong" role="alert"><p>${errors.length === 1 ? 'One filter is invalid' : `${errors.length} filters are invalid`}. Nothing was requested.</p><ul>${errors.map(
    ({ parameter, message }) =>
      html`<li>${isField(parameter) ? html`<a href="#${parameter}">${parameterLabel(parameter)}</a>` : html`<code>${parameter}</code>`}: ${message}</li>`,
  )}</ul></div>`;
}

function isField(name: string): name is ListParameterName {
  return Object.hasOwn(listParameters, name) && name !== 'page';
}
