import type { ListedKey } from '../../../keys/list.ts';
import type { Html } from '../../shared/jsx.ts';
import { time, timeOr } from '../../shared/time.tsx';
import { keyBadge } from '../keys/state.tsx';

/** The columns of {@link keyRow}. */
export const keyHeads = ['Key', 'Begins', 'State', 'Tier', 'Created', 'Last used'] as const;

/** A key in a table of all keys. */
export function keyRow({ id, name, prefix, state, tier, createdAt, lastUsedAt }: ListedKey): Html {
  return (
    <tr>
      <th scope="row">
        <a href={`/dashboard/operator/keys/${id}`}>{name}</a>
      </th>
      <td data-label="Begins">
        <span class="mono">{prefix}…</span>
      </td>
      <td data-label="State">{keyBadge(state)}</td>
      <td data-label="Tier">{tier}</td>
      <td data-label="Created">{time(createdAt)}</td>
      <td data-label="Last used">{timeOr('never', lastUsedAt, 'minute')}</td>
    </tr>
  );
}
