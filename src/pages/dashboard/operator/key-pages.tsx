import { Hono } from 'hono';
import { changeKeyTier, disableKey, enableKey } from '../../../keys/change.ts';
import { getKey, type KeyState, type KeySummary } from '../../../keys/key.ts';
import { searchKeys } from '../../../keys/list.ts';
import { tiers } from '../../../rate-limit/tiers.ts';
import { Notice } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { time } from '../../shared/time.tsx';
import { keyBadge, keyStates } from '../keys/state.tsx';
import type { Page, SignedInContext, SignedInEnv } from '../page.ts';
import type { Services } from '../services.ts';
import { actRoutes, type Outcome, reasonToDisable, reasonToEnable, stateForm } from './actions.ts';
import { listTable, operatorPage, readSearch, searchForm } from './frame.tsx';
import { keyHeads, keyRow } from './key-row.tsx';

const PATH = '/dashboard/operator/keys';

const doneTexts: ReadonlyMap<string, string> = new Map([
  ['disable', 'The key is disabled. Within a second, requests with it get a 403 response.'],
  ['enable', 'The key is enabled.'],
  ['tier', 'The tier of the key was changed.'],
]);

/** All keys, for operators: search, view, disable, enable and change the tier. */
export function keyAdminRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma, now, limits } = services;

  const list = async (context: SignedInContext): Promise<Response> => {
    const wanted = readSearch(context);
    const state: KeyState | undefined = keyStates.find((one) => one === context.req.query('state'));
    const found = await searchKeys({ prisma, now }, { ...wanted, state });
    return context.render(
      operatorPage(
        PATH,
        'Keys',
        <>
          {searchForm(PATH, wanted.text, 'Name, first characters, key id or account id', {
            name: 'state',
            label: 'State',
            value: state ?? '',
            options: [['', 'any'], ...keyStates.map((one) => [one, one] as const)],
          })}
          {listTable(
            found,
            { path: PATH, query: new URLSearchParams(context.env.request.query), page: wanted.page },
            { caption: 'Newest first', heads: keyHeads, row: keyRow },
          )}
        </>,
      ),
    );
  };

  const show = async (id: string, { error, done }: Outcome): Promise<Page> => {
    const key = await getKey({ prisma, now }, id);
    const acts = `${PATH}/${id}`;
    const text = doneTexts.get(done ?? '');
    const lives = key.state === 'active' || key.state === 'disabled';
    return operatorPage(
      PATH,
      key.name,
      <>
        {text !== undefined && <Notice>{text}</Notice>}
        <section class="card">
          <dl class="facts">
            <dt>State</dt>
            <dd>{keyBadge(key.state)}</dd>
            {key.state === 'disabled' && (
              <>
                <dt>Reason</dt>
                <dd>
                  {key.disabledReason ?? '–'}
                  {key.disabledAt === null && ' (its account is disabled)'}
                </dd>
              </>
            )}
            <dt>Tier</dt>
            <dd>
              {key.tier}, {limits[key.tier]} requests a minute
            </dd>
            <dt>Account</dt>
            <dd>
              {key.accountId === null ? (
                <span class="soft">none: created on the command line</span>
              ) : (
                <a class="mono" href={`/dashboard/operator/accounts/${key.accountId}`}>
                  {key.accountId}
                </a>
              )}
            </dd>
            <dt>Begins with</dt>
            <dd class="mono">{key.prefix}…</dd>
            <dt>Created</dt>
            <dd>{time(key.createdAt, 'minute')}</dd>
            {key.expiresAt !== null && (
              <>
                <dt>Expires</dt>
                <dd>{time(key.expiresAt, 'minute')}</dd>
              </>
            )}
            {key.revokedAt !== null && (
              <>
                <dt>Revoked</dt>
                <dd>{time(key.revokedAt, 'minute')}</dd>
              </>
            )}
            <dt>Policy</dt>
            <dd>
              version {key.policyVersion}, accepted by {key.policyAcceptedBy}
            </dd>
            <dt>Id</dt>
            <dd class="mono">{key.id}</dd>
          </dl>
          <p>
            <a href={`/dashboard/usage/${key.id}`}>Usage</a> ·{' '}
            <a href={`/dashboard/operator/audit?q=${key.id}`}>Show its audit log</a>
          </p>
        </section>
        {lives && tierForm(key, acts, limits)}
        {lives &&
          stateForm(
            {
              name: 'key',
              path: acts,
              isDisabled: key.disabledAt !== null,
              disabling:
                'Under the acceptable-use policy, with the keys it was rotated from or to. Requests get a 403 response until it is enabled again.',
              enabling: 'It works again, unless its account is disabled.',
            },
            error,
          )}
      </>,
      { status: error === undefined ? 200 : 400 },
    );
  };

  return new Hono<SignedInEnv>().get(PATH, list).route(
    '/',
    actRoutes(services, PATH, show, {
      disable: (acting, id, form) => disableKey(acting, id, reasonToDisable(form)),
      enable: (acting, id, form) => enableKey(acting, id, reasonToEnable(form)),
      tier: (acting, id, form) => changeKeyTier(acting, id, form.tier ?? ''),
    }),
  );
}

function tierForm({ tier }: KeySummary, acts: string, limits: Services['limits']): Html {
  return (
    <section class="card">
      <h2>Tier</h2>
      <form class="stack" method="post" action={`${acts}/tier`}>
        <fieldset>
          <legend>Requests a minute, for this key and the keys that share its limit</legend>
          {tiers.map((one) => (
            <label class="choice">
              <input type="radio" name="tier" value={one} checked={one === tier} />
              {one}: {limits[one]}
            </label>
          ))}
        </fieldset>
        <div class="actions">
          <button class="second">Set the tier</button>
        </div>
      </form>
    </section>
  );
}
