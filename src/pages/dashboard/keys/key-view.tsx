import { isEmbedKey, type KeySummary } from '../../../keys/key.ts';
import type { RotationPartner, Rotations } from '../../../keys/rotate.ts';
import { buttonLink, Facts, Figures, Notice } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { time, timeOr } from '../../shared/time.tsx';
import type { Page } from '../page.ts';
import { keyBadge } from './state.tsx';

interface ShownKey extends Rotations {
  readonly key: KeySummary;
  readonly lastUsedAt: Date | null;
  /** Requests a minute. */
  readonly limit: number;
  /** The last action: a word of the URL. */
  readonly done: string | undefined;
}

const notices: ReadonlyMap<string, readonly [text: string, kind: 'good' | 'warn']> = new Map([
  ['renamed', ['The key was renamed.', 'good']],
  [
    'created',
    [
      'This form was already sent: it created this key, which cannot be shown again. If you did not copy the key, rotate it or create another one.',
      'warn',
    ],
  ],
]);

export const ALL_KEYS = { path: '/dashboard/keys', label: 'Keys' };

/** One key: its details, and a menu of actions. */
export function keyPage(shown: ShownKey): Page {
  const { key, lastUsedAt, limit, replaces, replacedBy, done } = shown;
  const { id, state } = key;
  const result = notices.get(done ?? '');
  return {
    title: key.name,
    back: ALL_KEYS,
    action: (
      <div class="actions">
        {buttonLink(`/dashboard/usage/${id}`, 'Usage', 'second')}
        {actions(shown)}
      </div>
    ),
    main: (
      <>
        {result !== undefined && <Notice tone={result[1]}>{result[0]}</Notice>}
        {state === 'disabled' && disabledNotice(key)}
        <Figures
          figures={[
            ['State', keyBadge(state)],
            [
              'Limit',
              <>
                {limit} <span class="unit">requests a minute</span>
              </>,
            ],
            ['Last used', timeOr('Never', lastUsedAt, 'minute')],
            [
              key.revokedAt === null ? (state === 'expired' ? 'Expired' : 'Expires') : 'Revoked',
              timeOr('Never', key.revokedAt ?? key.expiresAt, 'minute'),
            ],
          ]}
        />
        <section class="card">
          <h2>Details</h2>
          <Facts
            facts={[
              ['Key', `${key.prefix}…`, 'mono'],
              ['Id', id, 'mono'],
              ['Tier', `${key.tier}, ${limit} requests a minute`],
              ['Created', time(key.createdAt, 'minute')],
              replacedBy !== null && [
                'Replaced by',
                <>
                  {partner(replacedBy)}
                  {state === 'active' && ', with which it shares its limit until it expires'}
                </>,
              ],
              replaces !== null && ['Replaces', partner(replaces)],
              isEmbedKey(key) && ['Origins', key.origins.join(', ')],
              [
                'GraphQL documents',
                <a href={`/dashboard/keys/${id}/documents`}>
                  {key.trustedOnly ? 'published ones only' : 'any'}
                </a>,
              ],
              ['Policy accepted', `version ${key.policyVersion}`],
            ]}
          />
        </section>
      </>
    ),
  };
}

function disabledNotice({ disabledReason }: KeySummary): Html {
  return (
    <Notice tone="wrong">
      This key is disabled under the <a href="/dashboard/policy">acceptable-use policy</a>
      {disabledReason !== null && <>: {disabledReason}</>}. Requests with it get a 403 response.
    </Notice>
  );
}

function partner({ id, prefix }: RotationPartner): Html {
  return (
    <a href={`/dashboard/keys/${id}`} class="mono">
      {prefix}…
    </a>
  );
}

/** A menu that opens without a script. */
function actions({ key: { id, state }, replacedBy }: ShownKey): Html {
  const item = (path: string, label: string, tone = ''): Html => (
    <a class={tone !== '' ? tone : undefined} href={`/dashboard/keys/${id}/${path}`}>
      {label}
    </a>
  );
  return (
    <details class="menu">
      <summary class="button second">Actions</summary>
      <div class="items popup">
        {item('rename', 'Rename')}
        {state === 'active' && replacedBy === null && item('rotate', 'Rotate')}
        {state === 'active' && item('documents', 'Publish documents')}
        {(state === 'active' || state === 'disabled') && item('revoke', 'Revoke', 'danger')}
      </div>
    </details>
  );
}
