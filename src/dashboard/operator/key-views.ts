import { type Html, html } from '../../html.ts';
import type { KeyState } from '../../keys/key.ts';
import type { ListedKey } from '../../keys/list.ts';
import { time } from '../forms.ts';

const tones: Readonly<Record<KeyState, string>> = {
  active: 'good',
  disabled: 'bad',
  expired: 'warn',
  revoked: '',
};

/** The states of keys, in the order of their lives. */
export const keyStates = Object.keys(tones) as KeyState[];

/** The state of a key as a badge. */
export const keyBadge = (state: KeyState): Html => html`<span class="badge ${tones[state]}">${state}</span>`;

/** The columns of {@link keyRow}. */
export const keyHeads = ['Key', 'Begins', 'State', 'Tier', 'Created', 'Last used'] as const;

/** A key in a table of everybody's. */
export function keyRow({ id, name, prefix, state, tier, createdAt, lastUsedAt }: ListedKey): Html {
  return html`<tr><th scope="row"><a href="/dashboard/operator/keys/${id}">${name}</a></th>
<td data-label="Begins"><span class="mono">${prefix}…</span></td><td data-label="State">${keyBadge(state)}</td><td data-label="Tier">${tier}</td>
<td data-label="Created">${time(createdAt)}</td><td data-label="Last used">${lastUsedAt === null ? html`<span class="soft">never</span>` : time(lastUsedAt, 'minute')}</td></tr>`;
}
