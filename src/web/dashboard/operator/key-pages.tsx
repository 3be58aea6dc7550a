import { Hono } from 'hono';
import { accountLabel, requireAccount } from '../../../access/accounts/account.ts';
import { changeKeyTier, disableKey, enableKey, permitKey, setKeyLimit } from '../../../access/keys/change.ts';
import { getKey, isEmbedKey, type KeySummary } from '../../../access/keys/key.ts';
import { type ListedKey, searchKeys } from '../../../access/keys/list.ts';
import { readRotations } from '../../../access/keys/rotate.ts';
import { tiers } from '../../../access/limits/tiers.ts';
import type { Paged } from '../../../db/read-page.ts';
import { buttonLink } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import type { SentForm } from '../form-actions.ts';
import { field, PostForm } from '../forms.tsx';
import { keyDetails } from '../keys/key-details.tsx';
import { keyStates, type UsedKey, usedKeyColumns, withUsage } from '../keys/key-usage.tsx';
import type { Page, SignedInContext, SignedInEnv } from '../page.ts';
import type { Services } from '../services.ts';
import { actRoutes, stateActs, stateForm } from './actions.tsx';
import { operatorPage, searchPage } from './frame.tsx';

const PATH = '/dashboard/operator/keys';

/** A key with the name of its account, if it has one. */
interface HeldKey extends UsedKey {
  readonly holder: string | undefined;
}

const holderOf = ({ accountId, holder }: HeldKey): Html =>
  accountId === null ? (
    <span>no account</span>
  ) : (
    <a href={`/dashboard/operator/accounts/${accountId}`}>{holder ?? accountId}</a>
  );

/** All keys, for operators: search, view, disable, enable and change the tier. */
export function keyAdminRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma, now, limits } = services;

  const list = (context: SignedInContext): Promise<Response> => {
    return searchPage(context, {
      part: PATH,
      title: 'Keys',
      hint: 'Name, first characters, key id or account id',
      choice: { name: 'state', label: 'State', values: keyStates },
      find: async (search, state) => withHolders(await searchKeys({ prisma, now }, { ...search, state })),
      columns: usedKeyColumns<HeldKey>(PATH, now(), holderOf),
    });
  };

  const withHolders = async ({ items, ...more }: Paged<ListedKey>): Promise<Paged<HeldKey>> => {
    const accounts = await prisma.account.findMany({
      where: { id: { in: items.flatMap(({ accountId }) => accountId ?? []) } },
      select: { id: true, name: true, email: true },
    });
    const holders = new Map(accounts.map((account) => [account.id, accountLabel(account)]));
    const used = await withUsage(services, items);
    return { ...more, items: used.map((key) => ({ ...key, holder: holders.get(key.accountId ?? '') })) };
  };

  const show = async (id: string, sent: SentForm): Promise<Page> => {
    const key = await getKey({ prisma, now }, id);
    const { accountId, state } = key;
    const acts = `${PATH}/${id}`;
    const holder = accountId === null ? undefined : await requireAccount(prisma, accountId);
    return operatorPage(
      PATH,
      key.name,
      <>
        {
          await keyDetails(services, { key, ...(await readRotations(prisma, key)) }, PATH, [
            state === 'disabled' && [
              'Disabled because',
              <>
                {key.disabledReason ?? '–'}
                {key.disabledAt === null && ' (its account is disabled)'}
              </>,
            ],
            [
              'Holder',
              holder === undefined ? (
                <span class="soft">no account: created on the command line</span>
              ) : (
                <>
                  <a href={`/dashboard/operator/accounts/${holder.id}`}>{accountLabel(holder)}</a>{' '}
                  <span class="soft mono">{holder.id}</span>
                </>
              ),
            ],
            ['Policy', `version ${key.policyVersion}, accepted by ${key.policyAcceptedBy}`],
          ])
        }
        {(state === 'active' || state === 'disabled') && (
          <>
            <div class="columns">
              {tierForm(key, acts, limits)}
              {limitForm(key, acts, sent)}
              {!isEmbedKey(key) && snapshotForm(key, acts)}
            </div>
            {stateForm(
              {
                name: 'key',
                path: acts,
                isDisabled: key.disabledAt !== null,
                disabling:
                  'Under the acceptable-use policy, with the keys it was rotated from or to. Requests get a 403 response until it is enabled again.',
                enabling: 'It works again, unless its account is disabled.',
              },
              sent,
            )}
          </>
        )}
      </>,
      {
        back: { path: PATH, label: 'Keys' },
        scripts: ['chart.js'],
        action: (
          <div class="actions">
            {buttonLink(`/dashboard/usage/${id}`, 'Usage', 'second')}
            {buttonLink(`/dashboard/operator/audit?q=${id}`, 'Audit log', 'second')}
          </div>
        ),
      },
    );
  };

  return new Hono<SignedInEnv>().get(PATH, list).route(
    '/',
    actRoutes(services, 'key', show, {
      ...stateActs(disableKey, enableKey),
      tier: (acting, id, form) => changeKeyTier(acting, id, form.tier ?? ''),
      limit: (acting, id, form) => setKeyLimit(acting, id, (form.limit ?? '').trim() || 'default'),
      allow: (acting, id) => permitKey(acting, id, 'snapshot', true),
      forbid: (acting, id) => permitKey(acting, id, 'snapshot', false),
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

function limitForm({ rateLimit }: KeySummary, acts: string, sent: SentForm): Html {
  return (
    <section class="card">
      <h2>Its own limit</h2>
      <PostForm action={`${acts}/limit`} button="Set the limit" kind="second">
        {field({
          name: 'limit',
          label: 'Requests a minute',
          value: rateLimit?.toString(),
          autocomplete: 'off',
          maxLength: 10,
          isRequired: false,
          sent,
          hint: 'In place of the limit of its tier, also for the keys that share it. Empty: that of its tier.',
        })}
      </PostForm>
    </section>
  );
}

function snapshotForm({ snapshot }: KeySummary, acts: string): Html {
  return (
    <section class="card">
      <h2>Snapshots</h2>
      <p>
        {snapshot
          ? 'This key, and those that share its limit, can download all startups at once, once an hour.'
          : 'Lets this key, and those that share its limit, download all startups at once, once an hour.'}
      </p>
      <PostForm
        action={`${acts}/${snapshot ? 'forbid' : 'allow'}`}
        button={snapshot ? 'Forbid snapshots' : 'Allow snapshots'}
        kind="second"
      />
    </section>
  );
}
