import { Hono } from 'hono';
import { renameKey, revokeKey } from '../../../access/keys/change.ts';
import { getKey, KEY_NAME_MAX, type KeySummary } from '../../../access/keys/key.ts';
import { type Rotations, readRotations } from '../../../access/keys/rotate.ts';
import { Notice } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { action, type SentForm, view } from '../form-actions.ts';
import { field, PostForm } from '../forms.tsx';
import { type Page, redirect, type SignedInContext, type SignedInEnv } from '../page.ts';
import { actingFor, type Services } from '../services.ts';
import { keyDetails, keyTabs } from './key-details.tsx';

export const ALL_KEYS = { path: '/dashboard/keys', label: 'Keys' };

/** The pages of one of a visitor's own keys. The id of another's key gets a 404. */
export function keyRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma } = services;
  const find = (context: SignedInContext): Promise<KeySummary> =>
    getKey(actingFor(services, context.var.visitor), context.req.param('id') ?? '');

  const keyPage = async (context: SignedInContext): Promise<Page> => {
    const key = await find(context);
    const { id, name, state, disabledReason } = key;
    const rotations = await readRotations(prisma, key);
    return {
      title: name,
      back: ALL_KEYS,
      scripts: ['chart.js'],
      action: actions(key, rotations),
      main: (
        <>
          {keyTabs(id, 'Overview')}
          {state === 'disabled' && (
            <Notice tone="wrong">
              This key is disabled under the <a href="/dashboard/policy">acceptable-use policy</a>
              {disabledReason !== null && <>: {disabledReason}</>}. Requests with it get a 403 response.
            </Notice>
          )}
          {
            await keyDetails(services, { key, ...rotations }, ALL_KEYS.path, [
              [
                'GraphQL documents',
                <a href={`/dashboard/keys/${id}/documents`}>
                  {key.trustedOnly ? 'published ones only' : 'any'}
                </a>,
              ],
              ['Policy accepted', `version ${key.policyVersion}`],
            ])
          }
        </>
      ),
    };
  };

  const renamePage = async (context: SignedInContext, sent: SentForm): Promise<Page> => {
    const { id, name } = await find(context);
    const path = `${ALL_KEYS.path}/${id}`;
    return {
      title: 'Rename key',
      back: { path, label: name },
      isNarrow: true,
      main: (
        <div class="card">
          <PostForm action={`${path}/rename`} button="Rename key" cancel={path}>
            {field({
              name: 'name',
              label: 'Name',
              value: name,
              sent,
              maxLength: KEY_NAME_MAX,
              isFirst: true,
            })}
          </PostForm>
        </div>
      ),
    };
  };

  const rename = async (context: SignedInContext): Promise<Response> => {
    const { form, visitor } = context.var;
    const { id } = await find(context);
    await renameKey(actingFor(services, visitor), id, (form.name ?? '').trim());
    return redirect(context, `${ALL_KEYS.path}/${id}?notice=renamed`);
  };

  const revocationPage = async (context: SignedInContext): Promise<Page> => {
    const { id, name, prefix } = await find(context);
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
  };

  const revoke = async (context: SignedInContext): Promise<Response> => {
    await revokeKey(actingFor(services, context.var.visitor), context.req.param('id') ?? '');
    return redirect(context, `${ALL_KEYS.path}?notice=revoked`);
  };

  const path = `${ALL_KEYS.path}/:id`;
  return new Hono<SignedInEnv>()
    .get(path, view(keyPage))
    .get(`${path}/rename`, view(renamePage))
    .post(`${path}/rename`, action(renamePage, rename))
    .get(`${path}/revoke`, view(revocationPage))
    .post(`${path}/revoke`, revoke);
}

/** A menu that opens without a script. */
function actions({ id, state }: KeySummary, { replacedBy }: Rotations): Html {
  const item = (path: string, label: string, tone?: string): Html => (
    <a class={tone} href={`/dashboard/keys/${id}/${path}`}>
      {label}
    </a>
  );
  return (
    <details class="menu">
      <summary class="button second">Actions</summary>
      <div class="items popup">
        {state === 'active' && replacedBy === null && item('rotate', 'Rotate')}
        {item('rename', 'Rename')}
        {(state === 'active' || state === 'disabled') && item('revoke', 'Revoke', 'danger')}
      </div>
    </details>
  );
}
