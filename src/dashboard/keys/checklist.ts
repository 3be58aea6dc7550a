import { type Html, html } from '../../html.ts';
import { time } from '../forms.ts';
import { copyButton, copyStatus } from '../snippet.ts';

/** The URL at which a script checks whether a request was received. */
export const FIRST_REQUEST_PATH = '/dashboard/keys/first-request';

interface FirstSteps {
  readonly acceptedAt: Date | null;
  readonly hasKey: boolean;
  /** The public origin of the gateway. */
  readonly origin: string;
}

/** The steps to send a first request, and which of them are done. */
export function checklist({ acceptedAt, hasKey, origin }: FirstSteps): Html {
  const command = `curl -H "Authorization: Bearer $REVGATE_KEY" \\\n  "${origin}/api/v1/startups?limit=3"`;
  return html`<section class="card checklist" aria-labelledby="first-steps"><div class="heading sub"><h2 id="first-steps">Get started</h2>${copyStatus()}</div>
<ol>
${step({
  title: 'Accept the acceptable-use policy',
  isDone: acceptedAt !== null,
  isNext: acceptedAt === null,
  body:
    acceptedAt === null
      ? html`<p class="soft">Every key requires it. It takes two minutes to read.</p><p><a class="button" href="/dashboard/policy?needed">Read the policy</a></p>`
      : html`<p class="soft">Accepted on ${time(acceptedAt)}.</p>`,
})}
${step({
  title: 'Create a key',
  isDone: hasKey,
  isNext: acceptedAt !== null && !hasKey,
  body: hasKey
    ? html`<p class="soft">It is listed below.</p>`
    : html`<p class="soft">One key works for GraphQL and REST. It is shown once, when you create it.</p>${acceptedAt !== null && html`<p><a class="button" href="/dashboard/keys/new">Create a key</a></p>`}`,
})}
${step({
  title: 'Send a request',
  isDone: false,
  isNext: hasKey && acceptedAt !== null,
  body: hasKey
    ? html`<div class="command"><pre tabindex="0" role="region" aria-label="First request"><code id="first-command">${command}</code></pre>${copyButton('first-command', 'Copy the request')}</div>
${firstRequestStatus(null, true)}`
    : html`<p class="soft">With curl, a GraphQL client or the <a href="/dashboard/explorer">explorer’s</a> examples.</p>`,
})}
</ol></section>`;
}

function step(of: { title: string; isDone: boolean; isNext: boolean; body: Html }): Html {
  const state = of.isDone ? 'done' : of.isNext ? 'next' : 'later';
  return html`<li class="${state}"${of.isNext && html` aria-current="step"`}><h3>${of.title}${of.isDone && html`<span class="hidden"> (done)</span>`}</h3>${of.body}</li>`;
}

/** Whether a request was received, in an element that a script updates. */
export function firstRequestStatus(at: Date | null, hasReload = false): Html {
  return html`<div data-live="${FIRST_REQUEST_PATH}" role="status">${firstRequest(at)}</div>${hasReload && html`<p class="soft small unscripted"><a href="/dashboard/keys">Reload</a> to check again.</p>`}`;
}

/** The part of the page that a script reloads. Once a request was received, it stops. */
export function firstRequest(at: Date | null): Html {
  return at === null
    ? html`<p class="waiting soft">Waiting for a request with one of your keys …</p>`
    : html`<p class="received" data-final><strong>Received</strong> ${time(at, 'minute')}. <a href="/dashboard/usage">See your usage</a></p>`;
}
