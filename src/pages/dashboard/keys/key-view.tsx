import { isEmbedKey, type KeySummary } from '../../../keys/key.ts';
import type { RotationPartner, Rotations } from '../../../keys/rotate.ts';
import { Notice } from '../../shared/components.tsx';
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
        <a class="button second" href={`/dashboard/usage/${id}`}>
          Usage
        </a>
        {actions(shown)}
      </div>
    ),
    main: (
      <>
        {result !== undefined && <Notice tone={result[1]}>{result[0]}</Notice>}
        {state === 'disabled' && disabledNotice(key)}
        <dl class="figures">
          <div>
            <dt>State</dt>
            <dd>{keyBadge(state)}</dd>
          </div>
          <div>
            <dt>Limit</dt>
            <dd>
              {limit} <span class="unit">requests a minute</span>
            </dd>
          </div>
          <div>
            <dt>Last used</dt>
            <dd>{timeOr('Never', lastUsedAt, 'minute')}</dd>
          </div>
          <div>
            <dt>{key.revokedAt === null ? (state === 'expired' ? 'Expired' : 'Expires') : 'Revoked'}</dt>
            <dd>{timeOr('Never', key.revokedAt ?? key.expiresAt, 'minute')}</dd>
          </div>
        </dl>
        <section class="card">
          <h2>Details</h2>
          <dl class="facts">
            <dt>Key</dt>
            <dd class="mono">{key.prefix}…</dd>
            <dt>Id</dt>
            <dd class="mono">{id}</dd>
            <dt>Tier</dt>
            <dd>
              {key.tier}, {limit} requests a minute
            </dd>
            <dt>Created</dt>
            <dd>{time(key.createdAt, 'minute')}</dd>
            {replacedBy !== null && (
              <>
                <dt>Replaced by</dt>
                <dd>
                  {partner(replacedBy)}
                  {state === 'active' && ', with which it shares its limit until it expires'}
                </dd>
              </>
            )}
            {replaces !== null && (
              <>
                <dt>Replaces</dt>
                <dd>{partner(replaces)}</dd>
              </>
            )}
            {isEmbedKey(key) && (
              <>
                <dt>Origins</dt>
                <dd>{key.origins.join(', ')}</dd>
              </>
            )}
            <dt>GraphQL documents</dt>
            <dd>
              <a href={`/dashboard/keys/${id}/documents`}>
                {key.trustedOnly ? 'published ones only' : 'any'}
              </a>
            </dd>
            <dt>Policy accepted</dt>
            <dd>version {key.policyVersion}</dd>
          </dl>
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
