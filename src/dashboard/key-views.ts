import { type Content, type Html, html } from '../html.ts';
import type { CreatedKey } from '../keys/create.ts';
import { isEmbedKey, type KeyState, type KeySummary } from '../keys/key.ts';
import type { ListedKey } from '../keys/list.ts';
import type { Overlap, RotatedKey } from '../keys/rotate.ts';
import { keyPrefixes } from '../keys/token.ts';
import type { Paged } from '../paged.ts';
import { field, notice, time } from './forms.ts';
import type { Page } from './page.ts';

const NEW_KEY = html`<a class="button" href="/dashboard/keys/new">New key</a>`;

const ALL_KEYS = { path: '/dashboard/keys', label: 'All keys' };

const tones: Readonly<Record<KeyState, string>> = {
  active: 'good',
  disabled: 'bad',
  expired: 'warn',
  revoked: '',
};

const badge = (state: KeyState): Html => html`<span class="badge ${tones[state]}">${state}</span>`;
const orDash = (at: Date | null, precision: 'day' | 'minute' = 'day'): Content =>
  at === null ? html`<span class="soft">never</span>` : time(at, precision);

/**
 * The keys of a visitor: those that work, and below them those that ended.
 *
 * @param ended a page of them, the newest first.
 */
export function keyListPage(
  working: readonly ListedKey[],
  ended: Paged<ListedKey> & { readonly page: number },
  revokedId: string | undefined,
): Page {
  const revoked = ended.items.find(({ id }) => id === revokedId);
  const hasEnded = ended.items.length > 0 || ended.page > 1;
  const link = (page: number, text: string): Html =>
    html`<a class="button second" href="/dashboard/keys?ended=${page}#ended">${text}</a>`;
  return {
    title: 'Keys',
    ...(working.length === 0 && !hasEnded ? {} : { action: NEW_KEY }),
    main: html`
${revoked !== undefined && notice(html`Key <strong>${revoked.name}</strong> is revoked. Within a second no server takes it any more.`)}
${working.length > 0 ? keyTable('Keys that work', [...working].reverse()) : emptyList(hasEnded)}
${
  hasEnded &&
  html`<details class="ended" id="ended"${ended.page > 1 && html` open`}><summary>Ended keys</summary>${keyTable('Keys that no longer work', ended.items)}
${(ended.page > 1 || ended.hasMore) && html`<nav class="pager" aria-label="Pages of ended keys">${ended.page > 1 && link(ended.page - 1, 'Newer')}<span class="soft">Page ${ended.page}</span>${ended.hasMore && link(ended.page + 1, 'Older')}</nav>`}</details>`
}`,
  };
}

function emptyList(hadKeys: boolean): Html {
  return html`<section class="card empty"><h2>${hadKeys ? 'No key works at present' : 'No key yet'}</h2>
<p class="soft">A key opens GraphQL and REST alike. It is shown once, when it is made; give each program one of its own.</p>
<p>${hadKeys ? html`<span class="soft">Make a new one above.</span>` : NEW_KEY}</p></section>`;
}

function keyTable(caption: string, keys: readonly ListedKey[]): Html {
  const rows = keys.map(
    (key) => html`<tr>
<th scope="row"><a href="/dashboard/keys/${key.id}">${key.name}</a></th>
<td data-label="Key"><span class="mono">${key.prefix}…</span>${isEmbedKey(key) && html` <span class="badge">embed</span>`}</td>
<td data-label="Tier">${key.tier}</td>
<td data-label="State">${badge(key.state)}</td>
<td data-label="Created">${time(key.createdAt)}</td>
<td data-label="Ends">${orDash(key.revokedAt ?? key.expiresAt)}</td>
<td data-label="Last used">${orDash(key.lastUsedAt, 'minute')}</td>
</tr>`,
  );
  return html`<div class="table"><table class="collapse"><caption class="hidden">${caption}</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Key</th><th scope="col">Tier</th><th scope="col">State</th><th scope="col">Created</th><th scope="col">Ends</th><th scope="col">Last used</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

/** The form for a new key. */
export function newKeyPage(of: {
  name: string;
  expires: string;
  origins: string;
  errors: readonly string[];
}): Page {
  const { name, expires, origins, errors } = of;
  return {
    status: errors.length === 0 ? 200 : 400,
    title: 'New key',
    back: ALL_KEYS,
    isNarrow: true,
    main: html`${errors.map((error) => notice(error, 'wrong'))}<div class="card">
<form class="stack" method="post" action="/dashboard/keys">
${field({ name: 'name', label: 'Name', value: name, maxLength: 100, hint: 'What it is for, so that you recognise it: “billing report”, “laptop”.', isFirst: true })}
${field({ name: 'expires', label: 'Ends on (optional)', type: 'date', value: expires, isRequired: false, hint: 'From midnight UTC of that day it no longer works. Leave it empty for a key without end.' })}
<details${origins !== '' && html` open`}><summary>For a web page</summary><div class="field"><label for="origins">Origins of the pages, one a line</label>
<textarea id="origins" name="origins" rows="3" spellcheck="false" aria-describedby="origins-hint">${origins}</textarea>
<p class="hint" id="origins-hint">Such as https://example.com. Such a key may be seen by everyone: it works from these pages only, and only for documents that you publish for it.</p></div></details>
<div class="actions"><button>Make the key</button></div>
</form>
</div>`,
  };
}

/** A key just made: the one time that it is seen. */
export function shownKeyPage(key: CreatedKey, origin: string): Page {
  return { title: 'Your new key', main: shownKey(key, origin) };
}

/** A key that took over from another: the one time that it is seen. */
export function rotatedKeyPage(key: RotatedKey, origin: string): Page {
  const { from } = key;
  const fate =
    from.state === 'revoked'
      ? html`is revoked`
      : html`works until ${orDash(from.expiresAt, 'minute')}, on the same budget`;
  return {
    title: 'Your new key',
    main: html`${notice(html`It took over from <span class="mono">${from.prefix}…</span>, which ${fate}.`)}${shownKey(key, origin)}`,
  };
}

function shownKey({ id, key, name }: CreatedKey, origin: string): Html {
  const isEmbed = key.startsWith(keyPrefixes.embed);
  const curl = `curl -H "Authorization: Bearer ${key}" \\\n  "${origin}/api/v1/startups?limit=3"`;
  const graphql = `curl -H "Authorization: Bearer ${key}" \\\n  -H "Content-Type: application/json" \\\n  -d '{"query":"{ startups(limit: 3) { page { name revenue { mrr } } } }"}' \\\n  "${origin}/graphql"`;
  return html`<section class="card" data-address="/dashboard/keys/${id}"><div class="heading sub"><h2>${name}</h2><p class="hint" id="copied" role="status"></p></div>
<p>Copy it now. <strong>It is shown only this once</strong>: we keep nothing that it could be read from.</p>
<div class="secret"><code id="key">${key}</code>${copyButton('key', 'Copy the key')}</div>
</section>
${
  isEmbed
    ? html`<section class="card"><h2>Publish its documents</h2><p>It may ask only for documents that you publish for it.</p><p><a class="button second" href="/dashboard/keys/${id}/documents">Publish a document</a></p></section>`
    : html`<section class="card"><h2>Try it</h2>
${snippet('rest', 'REST', curl)}
${snippet('graphql', 'GraphQL', graphql)}
</section>`
}
<p><a class="button" href="/dashboard/keys">I have copied it</a></p>`;
}

function snippet(id: string, title: string, text: string): Html {
  return html`<div class="snippet"><h3>${title}</h3>${copyButton(id, `Copy the ${title} request`)}</div>
<pre tabindex="0" role="region" aria-label="${title} request"><code id="${id}">${text}</code></pre>`;
}

/** Works with a script only, and is unseen without. */
function copyButton(of: string, label: string): Html {
  return html`<button type="button" class="quiet" data-copy="${of}">${label}</button>`;
}

/** One key: what is known of it, and what can be done with it. */
export function keyPage(key: KeySummary, lastUsedAt: Date | null, error?: string): Page {
  return {
    status: error === undefined ? 200 : 400,
    title: key.name,
    back: ALL_KEYS,
    main: html`${error !== undefined && notice(error, 'wrong')}${key.state === 'disabled' && notice(html`This key is disabled under the <a href="/dashboard/policy">acceptable-use policy</a>${key.disabledReason !== null && html`: ${key.disabledReason}`}. Requests with it are answered with 403.`, 'wrong')}
<section class="card"><dl class="facts">
<dt>Key</dt><dd class="mono">${key.prefix}…</dd>
<dt>State</dt><dd>${badge(key.state)}</dd>
<dt>Tier</dt><dd>${key.tier}</dd>
<dt>Created</dt><dd>${time(key.createdAt, 'minute')}</dd>
<dt>Ends</dt><dd>${orDash(key.revokedAt ?? key.expiresAt, 'minute')}</dd>
<dt>Last used</dt><dd>${orDash(lastUsedAt, 'minute')} · <a href="/dashboard/usage/${key.id}">Usage</a></dd>
${isEmbedKey(key) && html`<dt>Origins</dt><dd>${key.origins.join(', ')}</dd>`}
<dt>Documents</dt><dd><a href="/dashboard/keys/${key.id}/documents">${key.trustedOnly ? 'published ones only' : 'any'}</a></dd>
<dt>Policy accepted</dt><dd>version ${key.policyVersion}</dd>
${key.rotatedFrom !== null && html`<dt>Took over from</dt><dd><a href="/dashboard/keys/${key.rotatedFrom}">${key.rotatedFrom}</a></dd>`}
<dt>Id</dt><dd class="mono">${key.id}</dd>
</dl></section>
${key.state === 'active' && rotation(key.id)}
${key.revokedAt === null && key.state !== 'expired' && revocation(key.id)}`,
  };
}

/** The first is offered: nothing that uses the old key breaks at once. */
const overlapLabels: readonly (readonly [overlap: Overlap, label: string])[] = [
  ['24h', 'another 24 hours'],
  ['1h', 'another hour'],
  ['0', 'no longer: it ends at once'],
];

function rotation(id: string): Html {
  const choices = overlapLabels.map(
    ([value, label], index) =>
      html`<label class="choice"><input type="radio" name="overlap" value="${value}"${index === 0 && html` checked`}>${label}</label>`,
  );
  return html`<section class="card"><h2>Rotate</h2>
<p>A new key takes over name, tier and end. Meanwhile both draw on one budget.</p>
<form class="stack" method="post" action="/dashboard/keys/${id}/rotate"><fieldset><legend>The old key works</legend>${choices}</fieldset>
<div class="actions"><button>Rotate the key</button></div></form></section>`;
}

function revocation(id: string): Html {
  return html`<section class="card danger"><h2>Revoke</h2>
<p>Within a second no server takes the key any more. This cannot be undone.</p>
<p><a class="button second danger" href="/dashboard/keys/${id}/revoke">Revoke …</a></p></section>`;
}

/** Asks once more before a key ends. */
export function revocationPage(key: KeySummary): Page {
  return {
    title: 'Revoke this key?',
    isNarrow: true,
    main: html`<div class="card danger"><p>Programs that use <strong>${key.name}</strong> (<span class="mono">${key.prefix}…</span>) are answered with 401 from now on. This cannot be undone.</p>
<form class="actions" method="post" action="/dashboard/keys/${key.id}/revoke"><button class="danger">Revoke the key</button><a class="button second" href="/dashboard/keys/${key.id}">Keep it</a></form></div>`,
  };
}
