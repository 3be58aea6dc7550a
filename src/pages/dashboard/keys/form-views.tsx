import { KEY_NAME_MAX, type KeySummary } from '../../../keys/key.ts';
import type { Overlap } from '../../../keys/rotate.ts';
import type { Html } from '../../shared/jsx.ts';
import { field, PostForm } from '../forms.tsx';
import type { Form, Page } from '../page.ts';
import { ALL_KEYS } from './key-view.tsx';

/** The form for a new key: `id` is that of the key that it creates, so that sending it twice creates one. */
export function newKeyPage(
  id: string,
  { name = '', expires = '', origins = '' }: Form = {},
  errors: readonly string[] = [],
): Page {
  return {
    title: 'New key',
    back: ALL_KEYS,
    isNarrow: true,
    errors,
    main: (
      <div class="card">
        <PostForm action="/dashboard/keys" button="Create key" cancel="/dashboard/keys">
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
            {field({
              name: 'origins',
              label: 'Origins of the pages, one per line',
              value: origins,
              rows: 3,
              isRequired: false,
              hint: (
                <>
                  Such as https://example.com. Everybody can read an embed key in the page, so it works from
                  these origins only, and only for documents that you publish for it.
                </>
              ),
            })}
          </details>
        </PostForm>
      </div>
    ),
  };
}

/** The form for another name. */
export function renamePage({ id, name }: KeySummary, sent = name, error?: string): Page {
  const path = `${ALL_KEYS.path}/${id}`;
  return {
    status: error === undefined ? 200 : 400,
    title: 'Rename key',
    back: { path, label: name },
    isNarrow: true,
    main: (
      <div class="card">
        <PostForm action={`${path}/rename`} button="Rename key" cancel={path}>
          {field({ name: 'name', label: 'Name', value: sent, maxLength: KEY_NAME_MAX, isFirst: true, error })}
        </PostForm>
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
export function rotationPage(
  { id, name }: KeySummary,
  successorId: string,
  errors?: readonly string[],
): Page {
  const path = `${ALL_KEYS.path}/${id}`;
  return {
    title: 'Rotate key',
    back: { path, label: name },
    isNarrow: true,
    errors: errors ?? [],
    main: (
      <div class="card">
        <p>
          A new key replaces this one. It has the same name, tier, expiry and documents. While both work, they
          share one limit.
        </p>
        <PostForm action={`${path}/rotate`} button="Rotate key" cancel={path}>
          {hiddenId(successorId)}
          <fieldset>
            <legend>The old key works</legend>
            {overlapLabels.map(([value, label], index) => (
              <label class="choice">
                <input type="radio" name="overlap" value={value} checked={index === 0} />
                {label}
              </label>
            ))}
          </fieldset>
        </PostForm>
      </div>
    ),
  };
}

/** The confirmation before a key is revoked. */
export function revocationPage({ id, name, prefix }: KeySummary): Page {
  const path = `${ALL_KEYS.path}/${id}`;
  return {
    title: 'Revoke this key?',
    back: { path, label: name },
    isNarrow: true,
    main: (
      <div class="card danger">
        <p>
          Within a second, requests with <strong>{name}</strong> (<span class="mono">{prefix}…</span>) get a
          401 response. Its published documents are removed, unless a key that replaced it still works. This
          cannot be undone.
        </p>
        <PostForm action={`${path}/revoke`} button="Revoke key" kind="danger" cancel={path} />
      </div>
    ),
  };
}

function hiddenId(id: string): Html {
  return <input type="hidden" name="id" value={id} />;
}
