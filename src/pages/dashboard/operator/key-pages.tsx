import { Hono } from 'hono';
import { changeKeyTier, disableKey, enableKey } from '../../../keys/change.ts';
import { getKey, type KeySummary } from '../../../keys/key.ts';
import { type ListedKey, searchKeys } from '../../../keys/list.ts';
import { tiers } from '../../../rate-limit/tiers.ts';
import { type Column, Facts, Notice } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { time, timeOr } from '../../shared/time.tsx';
import { PostForm } from '../forms.tsx';
import { keyBadge, keyStates } from '../keys/state.tsx';
import type { Page, SignedInContext, SignedInEnv } from '../page.ts';
import type { Services } from '../services.ts';
import { actRoutes, type Outcome, reasonToDisable, reasonToEnable, stateForm } from './actions.tsx';
import { operatorPage, searchPage } from './frame.tsx';

const PATH = '/dashboard/operator/keys';

/** What a table of all keys shows. */
export const keyColumns: readonly Column<ListedKey>[] = [
  ['Key', ({ id, name }) => <a href={`${PATH}/${id}`}>{name}</a>],
  ['Begins', ({ prefix }) => <span class="mono">{prefix}…</span>],
  ['State', ({ state }) => keyBadge(state)],
  ['Tier', ({ tier }) => tier],
  ['Created', ({ createdAt }) => time(createdAt)],
  ['Last used', ({ lastUsedAt }) => timeOr('never', lastUsedAt, 'minute')],
];

const doneTexts: ReadonlyMap<string, string> = new Map([
  ['disable', 'The key is disabled. Within a second, requests with it get a 403 response.'],
  ['enable', 'The key is enabled.'],
  ['tier', 'The tier of the key was changed.'],
]);

/** All keys, for operators: search, view, disable, enable and change the tier. */
export function keyAdminRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma, now, limits } = services;

  const list = (context: SignedInContext): Promise<Response> =>
    searchPage(context, {
      part: PATH,
      title: 'Keys',
      hint: 'Name, first characters, key id or account id',
      choice: { name: 'state', label: 'State', values: keyStates },
      find: (search, state) => searchKeys({ prisma, now }, { ...search, state }),
      columns: keyColumns,
    });

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
          <Facts
            facts={[
              ['State', keyBadge(key.state)],
              key.state === 'disabled' && [
                'Reason',
                <>
                  {key.disabledReason ?? '–'}
                  {key.disabledAt === null && ' (its account is disabled)'}
                </>,
              ],
              ['Tier', `${key.tier}, ${limits[key.tier]} requests a minute`],
              [
                'Account',
                key.accountId === null ? (
                  <span class="soft">none: created on the command line</span>
                ) : (
                  <a class="mono" href={`/dashboard/operator/accounts/${key.accountId}`}>
                    {key.accountId}
                  </a>
                ),
              ],
              ['Begins with', `${key.prefix}…`, 'mono'],
              ['Created', time(key.createdAt, 'minute')],
              key.expiresAt !== null && ['Expires', time(key.expiresAt, 'minute')],
              key.revokedAt !== null && ['Revoked', time(key.revokedAt, 'minute')],
              ['Policy', `version ${key.policyVersion}, accepted by ${key.policyAcceptedBy}`],
              ['Id', key.id, 'mono'],
            ]}
          />
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
      <PostForm action={`${acts}/tier`} button="Set the tier" kind="second">
        <fieldset>
          <legend>Requests a minute, for this key and the keys that share its limit</legend>
          {tiers.map((one) => (
            <label class="choice">
              <input type="radio" name="tier" value={one} checked={one === tier} />
              {one}: {limits[one]}
            </label>
          ))}
        </fieldset>
      </PostForm>
    </section>
  );
}
