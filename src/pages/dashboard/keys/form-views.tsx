import { KEY_NAME_MAX, type KeySummary } from '../../../keys/key.ts';
import type { Overlap } from '../../../keys/rotate.ts';
import { Notice } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { field } from '../forms.tsx';
import type { Page } from '../page.ts';
import { ALL_KEYS } from './key-view.tsx';

/** The content of the form for a new key. */
interface NewKeyForm {
  /** The id of the key that the form creates, so that sending it twice creates one. */
  readonly id: string;
  readonly name: string;
  readonly expires: string;
  readonly origins: string;
  readonly errors: readonly string[];
}

/** The form for a new key. */
export function newKeyPage({ id, name, expires, origins, errors }: NewKeyForm): Page {
  return {
    status: errors.length === 0 ? 200 : 400,
    title: 'New key',
    back: ALL_KEYS,
    isNarrow: true,
    main: (
      <>
        {errors.map((error) => (
          <Notice tone="wrong">{error}</Notice>
        ))}
        <div class="card">
          <form class="stack" method="post" action="/dashboard/keys">
            {hiddenId(id)}
            {field({
              name: 'name',
              label: 'Name',
              value: name,
              maxLength: KEY_NAME_MAX,
              hint: 'A name you will recognize, such as “Billing report”.',
              isFirst: true,
            })}
            {field({
              name: 'expires',
              label: 'Expires on (optional)',
              type: 'date',
              value: expires,
              isRequired: false,
              hint: 'Expires at 00:00 UTC on this date.',
            })}
            <details open={origins !== ''}>
              <summary>For a web page</summary>
              <div class="field">
                <label for="origins">Origins of the pages, one per line</label>
                <textarea
                  id="origins"
                  name="origins"
                  rows="3"
                  spellcheck="false"
                  aria-describedby="origins-hint"
                >
                  {origins}
                </textarea>
                <p class="hint" id="origins-hint">
                  Such as https://example.com. Everybody can read an embed key in the page, so it works from
                  these origins only, and only for documents that you publish for it.
                </p>
              </div>
            </details>
            <div class="actions">
              <button>Create key</button>
              <a class="button second" href="/dashboard/keys">
                Cancel
              </a>
            </div>
          </form>
        </div>
      </>
    ),
  };
}

/** The form for another name. */
export function renamePage({ id, name }: KeySummary, sent = name, error?: string): Page {
  return {
    status: error === undefined ? 200 : 400,
    title: 'Rename key',
    back: { path: `/dashboard/keys/${id}`, label: name },
    isNarrow: true,
    main: (
      <div class="card">
        <form class="stack" method="post" action={`/dashboard/keys/${id}/rename`}>
          {field({ name: 'name', label: 'Name', value: sent, maxLength: KEY_NAME_MAX, isFirst: true, error })}
          <div class="actions">
            <button>Rename key</button>
            {cancel(id)}
          </div>
        </form>
      </div>
    ),
  };
}

/** The first is the default: no program that uses the old key stops working at once. */
const overlapLabels: readonly (readonly [overlap: Overlap, label: string])[] = [
  ['24h', 'for another 24 hours'],
  ['1h', 'for another hour'],
  ['0', 'no longer: it is revoked at once'],
];

/** The form to rotate a key: `successorId` is the id of the key that it creates. */
export function rotationPage({ id, name }: KeySummary, successorId: string, error?: string): Page {
  const choices = overlapLabels.map(([value, label], index) => (
    <label class="choice">
      <input type="radio" name="overlap" value={value} checked={index === 0} />
      {label}
    </label>
  ));
  return {
    status: error === undefined ? 200 : 400,
    title: 'Rotate key',
    back: { path: `/dashboard/keys/${id}`, label: name },
    isNarrow: true,
    main: (
      <>
        {error !== undefined && <Notice tone="wrong">{error}</Notice>}
        <div class="card">
          <p>
            A new key replaces this one. It has the same name, tier, expiry and documents. While both work,
            they share one limit.
          </p>
          <form class="stack" method="post" action={`/dashboard/keys/${id}/rotate`}>
            {hiddenId(successorId)}
            <fieldset>
              <legend>The old key works</legend>
              {choices}
            </fieldset>
            <div class="actions">
              <button>Rotate key</button>
              {cancel(id)}
            </div>
          </form>
        </div>
      </>
    ),
  };
}

/** The confirmation before a key is revoked. */
export function revocationPage({ id, name, prefix }: KeySummary): Page {
  return {
    title: 'Revoke this key?',
    back: { path: `/dashboard/keys/${id}`, label: name },
    isNarrow: true,
    main: (
      <div class="card danger">
        <p>
          Within a second, requests with <strong>{name}</strong> (<span class="mono">{prefix}…</span>) get a
          401 response. Its published documents are removed, unless a key that replaced it still works. This
          cannot be undone.
        </p>
        <form class="actions" method="post" action={`/dashboard/keys/${id}/revoke`}>
          <button class="danger">Revoke key</button>
          {cancel(id)}
        </form>
      </div>
    ),
  };
}

function hiddenId(id: string): Html {
  return <input type="hidden" name="id" value={id} />;
}

function cancel(id: string): Html {
  return (
    <a class="button second" href={`/dashboard/keys/${id}`}>
      Cancel
    </a>
  );
}
