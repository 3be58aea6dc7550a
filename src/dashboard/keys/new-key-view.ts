import { type Html, html } from '../../html.ts';
import type { CreatedKey } from '../../keys/create.ts';
import type { RotatedKey } from '../../keys/rotate.ts';
import { keyPrefixes } from '../../keys/token.ts';
import { notice, timeOr } from '../forms.ts';
import type { Page } from '../page.ts';
import { copyButton, copyStatus, snippet } from '../snippet.ts';
import { firstRequestStatus } from './checklist.ts';

interface Around {
  /** The public origin of the gateway. */
  readonly origin: string;
  /** Whether no request with a key of this account was received yet. */
  readonly isFirst: boolean;
}

/** A key just created: the one time that it is shown. */
export function newKeyShown(key: CreatedKey, { origin, isFirst }: Around): Page {
  return { title: 'Your new key', connects: isFirst, main: shownKey(key, origin, isFirst) };
}

/** A key that replaces another: the one time that it is shown. */
export function rotatedKeyShown(key: RotatedKey, { origin }: Around): Page {
  const { from } = key;
  const end =
    from.state === 'revoked'
      ? html`is revoked`
      : html`works until ${timeOr('never', from.expiresAt, 'minute')} and shares its limit`;
  return {
    title: 'Your new key',
    main: html`${notice(html`It replaces <span class="mono">${from.prefix}…</span>, which ${end}.`)}${shownKey(key, origin, false)}`,
  };
}

function shownKey({ id, key, name }: CreatedKey, origin: string, isFirst: boolean): Html {
  const isEmbed = key.startsWith(keyPrefixes.embed);
  return html`<section class="card" data-address="/dashboard/keys/${id}"><div class="heading sub"><h2>${name}</h2>${copyStatus()}</div>
<p>Copy it now. <strong>It is shown only once</strong>: only a hash of it is stored.</p>
<div class="secret"><code id="key">${key}</code>${copyButton('key', 'Copy the key')}</div>
<p><a class="button" href="/dashboard/keys">I have copied it</a></p>
</section>
${isEmbed ? publishFirst(id) : requests(key, origin, isFirst)}`;
}

function publishFirst(id: string): Html {
  return html`<section class="card"><h2>Publish its documents</h2><p>This key runs only the documents that you publish for it.</p><p><a class="button second" href="/dashboard/keys/${id}/documents">Publish a document</a></p></section>`;
}

function requests(key: string, origin: string, isFirst: boolean): Html {
  const curl = `curl -H "Authorization: Bearer ${key}" \\\n  "${origin}/api/v1/startups?limit=3"`;
  const graphql = `curl -H "Authorization: Bearer ${key}" \\\n  -H "Content-Type: application/json" \\\n  -d '{"query":"{ startups(limit: 3) { page { name revenue { mrr } } } }"}' \\\n  "${origin}/graphql"`;
  return html`<section class="card"><h2>Send a request</h2>
${snippet('rest', 'REST', curl)}
${snippet('graphql', 'GraphQL', graphql)}
${isFirst && firstRequestStatus(null)}
</section>`;
}
