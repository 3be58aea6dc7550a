import { type Html, html } from '../../html.ts';
import { isEmbedKey, type KeySummary } from '../../keys/key.ts';
import type { RotationPartner, Rotations } from '../../keys/rotations.ts';
import { notice, time, timeOr } from '../forms.ts';
import type { Page } from '../page.ts';
import { keyBadge } from './state.ts';

interface ShownKey extends Rotations {
  readonly key: KeySummary;
  readonly lastUsedAt: Date | null;
  /** Requests a minute. */
  readonly limit: number;
  /** The last action: a word of the URL. */
  readonly done: string | undefined;
}

const notices: Readonly<Record<string, readonly [text: string, kind: 'good' | 'warn']>> = {
  renamed: ['The key was renamed.', 'good'],
  created: [
    'This form was already sent: it created this key, which cannot be shown again. If you did not copy the key, rotate it or create another one.',
    'warn',
  ],
};

export const ALL_KEYS = { path: '/dashboard/keys', label: 'Keys' };

/** One key: its details, and a menu of actions. */
export function keyPage(shown: ShownKey): Page {
  const { key, lastUsedAt, limit, replaces, replacedBy, done } = shown;
  const { id, state } = key;
  const result = done === undefined ? undefined : notices[done];
  return {
    title: key.name,
    back: ALL_KEYS,
    styles: ['data.css'],
    action: html`<div class="actions"><a class="button second" href="/dashboard/usage/${id}">Usage</a>${actions(shown)}</div>`,
    main: html`${result !== undefined && notice(result[0], result[1])}${state === 'disabled' && disabledNotice(key)}
<dl class="figures">
<div><dt>State</dt><dd>${keyBadge(state)}</dd></div>
<div><dt>Limit</dt><dd>${limit} <span class="unit">requests a minute</span></dd></div>
<div><dt>Last used</dt><dd>${timeOr('Never', lastUsedAt, 'minute')}</dd></div>
<div><dt>${key.revokedAt === null ? (state === 'expired' ? 'Expired' : 'Expires') : 'Revoked'}</dt><dd>${timeOr('Never', key.revokedAt ?? key.expiresAt, 'minute')}</dd></div>
</dl>
<section class="card"><h2>Details</h2><dl class="facts">
<dt>Key</dt><dd class="mono">${key.prefix}…</dd>
<dt>Id</dt><dd class="mono">${id}</dd>
<dt>Tier</dt><dd>${key.tier}, ${limit} requests a minute</dd>
<dt>Created</dt><dd>${time(key.createdAt, 'minute')}</dd>
${replacedBy !== null && html`<dt>Replaced by</dt><dd>${partner(replacedBy)}${state === 'active' && ', with which it shares its limit until it expires'}</dd>`}
${replaces !== null && html`<dt>Replaces</dt><dd>${partner(replaces)}</dd>`}
${isEmbedKey(key) && html`<dt>Origins</dt><dd>${key.origins.join(', ')}</dd>`}
<dt>GraphQL documents</dt><dd><a href="/dashboard/keys/${id}/documents">${key.trustedOnly ? 'published ones only' : 'any'}</a></dd>
<dt>Policy accepted</dt><dd>version ${key.policyVersion}</dd>
</dl></section>`,
  };
}

function disabledNotice({ disabledReason }: KeySummary): Html {
  return notice(
    html`This key is disabled under the <a href="/dashboard/policy">acceptable-use policy</a>${disabledReason !== null && html`: ${disabledReason}`}. Requests with it get a 403 response.`,
    'wrong',
  );
}

function partner({ id, prefix }: RotationPartner): Html {
  return html`<a href="/dashboard/keys/${id}" class="mono">${prefix}…</a>`;
}

/** A menu that opens without a script. */
function actions({ key: { id, state }, replacedBy }: ShownKey): Html {
  const item = (path: string, label: string, tone = ''): Html =>
    html`<a${tone !== '' && html` class="${tone}"`} href="/dashboard/keys/${id}/${path}">${label}</a>`;
  return html`<details class="menu"><summary class="button second">Actions</summary><div class="items">
${item('rename', 'Rename')}
${state === 'active' && replacedBy === null && item('rotate', 'Rotate')}
${item('documents', 'Publish documents')}
${(state === 'active' || state === 'disabled') && item('revoke', 'Revoke', 'danger')}
</div></details>`;
}
