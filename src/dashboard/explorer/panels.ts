import type { ErrorDetail } from '../../errors.ts';
import { type Html, html } from '../../html.ts';
import type { RateLimitState } from '../../rate-limit/limiter.ts';
import type { ListParameterName } from '../../startups/list-parameters.ts';
import { listParameters } from '../../startups/list-parameters.ts';
import { notice } from '../forms.ts';
import type { Snippets } from './snippets.ts';

const titles: Readonly<Record<keyof Snippets, string>> = {
  rest: 'REST URL',
  graphql: 'GraphQL query',
  embed: 'Embed snippet',
};

/** The same request three ways, each to be copied. */
export function snippetPanel(snippets: Snippets): Html {
  return html`<aside class="snippets" aria-labelledby="same"><div class="card"><h2 id="same">The same in your program</h2>
<p class="soft small">With a <a href="/dashboard/keys">key of yours</a>, exactly what this page shows.</p>
${(Object.keys(titles) as (keyof Snippets)[]).map(
  (
    id,
  ) => html`<div class="snippet"><h3>${titles[id]}</h3><button type="button" class="quiet" data-copy="${id}" aria-label="Copy the ${titles[id]}">Copy</button></div>
<pre class="${id}" tabindex="0" role="region" aria-label="${titles[id]}"><code id="${id}">${snippets[id]}</code></pre>`,
)}
<p class="hint" id="copied" role="status"></p></div></aside>`;
}

/** What remains of the account's limit. */
export function budgetLine({ remaining, limit, resetAt }: RateLimitState, now: number): Html {
  return html`<p class="soft small budget">${remaining} of ${limit} requests left for the next ${seconds(resetAt, now)} s. Your account has this limit for the explorer and GraphiQL; your keys have their own.</p>`;
}

/** Says that the budget is used up, and until when. */
export function refusal({ limit, resetAt }: RateLimitState, now: number): Html {
  const left = seconds(resetAt, now);
  return html`${notice(html`<strong>You have used the ${limit} requests of your account for this minute.</strong> More in ${left} ${left === 1 ? 'second' : 'seconds'}, at ${new Date(Math.ceil(resetAt / 1000) * 1000).toISOString().slice(11, 19)} UTC. Your keys have their own limits.`, 'warn')}`;
}

function seconds(resetAt: number, now: number): number {
  return Math.max(1, Math.ceil((resetAt - now) / 1000));
}

/** Every error in the parameters; an error of a field of the form links to it. */
export function errorSummary(errors: readonly ErrorDetail[]): Html {
  return html`<div class="notice wrong" role="alert"><p>Nothing was asked for yet. What is wrong:</p><ul>${errors.map(
    ({ parameter, message }) =>
      isField(parameter)
        ? html`<li><a href="#${parameter}">${parameter}</a></li>`
        : html`<li><code>${parameter}</code>: ${message}</li>`,
  )}</ul></div>`;
}

function isField(name: string): name is ListParameterName {
  return Object.hasOwn(listParameters, name) && name !== 'page';
}
