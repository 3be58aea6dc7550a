import { Hono } from 'hono';
import {
  type Account,
  accountLabel,
  accountStates,
  requireAccount,
  searchAccounts,
} from '../../../access/accounts/account.ts';
import { deleteAccount, disableAccount, enableAccount } from '../../../access/accounts/change.ts';
import { isOperator } from '../../../access/accounts/operators.ts';
import { listKeys } from '../../../access/keys/list.ts';
import { readUsage } from '../../../access/usage/read.ts';
import { OperatorError } from '../../../lib/errors.ts';
import { Badge, buttonLink, Facts, ListTable } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Html } from '../../shared/jsx.ts';
import { time } from '../../shared/time.tsx';
import { action, type SentForm, view } from '../form-actions.ts';
import { PostForm } from '../forms.tsx';
import { lastUse, readWeeks, usedKeyColumns, weekCell, withUsage } from '../keys/key-usage.tsx';
import { type Page, redirect, type SignedInContext, type SignedInEnv } from '../page.ts';
import { factorFieldIfOld, requireFreshFactor } from '../second-factor/factor-form.tsx';
import { actingAsOperator, type Services } from '../services.ts';
import { dividePeriod } from '../usage/buckets.ts';
import { usageChart } from '../usage/views.tsx';
import { actRoutes, stateActs, stateForm } from './actions.tsx';
import { operatorPage, searchPage } from './frame.tsx';
import { inviteButton, passwordLinkForm } from './invite-pages.tsx';

const PATH = '/dashboard/operator/accounts';
const KEYS_PATH = '/dashboard/operator/keys';
/** Of the page of one account; a search of keys by its id finds the others. */
const KEYS_MAX = 50;

/** All accounts, for operators: search, view, disable and enable. */
export function accountAdminRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma, now, mail, operators } = services;
  const stateOf = (account: Account): Html => accountState(account, isOperator(account, operators));

  const list = (context: SignedInContext): Promise<Response> =>
    searchPage(context, {
      part: PATH,
      title: 'Accounts',
      action: inviteButton(mail),
      hint: 'Address, name or id',
      choice: { name: 'state', label: 'State', values: accountStates },
      find: async (search, state) => {
        const { items, ...more } = await searchAccounts(prisma, { ...search, state });
        const weekOf = await readWeeks(prisma, 'accounts', items, now());
        return { ...more, items: items.map((account) => ({ ...account, week: weekOf(account) })) };
      },
      columns: [
        [
          'Account',
          (account) => (
            <span class="two-lines">
              <a href={`${PATH}/${account.id}`}>{accountLabel(account)}</a>
              <span class="soft">
                {account.email !== null && account.name} since {time(account.createdAt)}
              </span>
            </span>
          ),
        ],
        ['State', stateOf],
        [
          'Keys',
          ({ id, keys }) =>
            keys === 0 ? <span class="soft">0</span> : <a href={`${KEYS_PATH}?q=${id}`}>{count(keys)}</a>,
          'number',
        ],
        ['7 days', ({ week }) => weekCell(week), 'number'],
        ['Last used', ({ lastUsedAt }) => lastUse(lastUsedAt, now())],
      ],
    });

  const show = async (id: string, sent: SentForm): Promise<Page> => {
    const account = await requireAccount(prisma, id);
    const keys = await listKeys({ prisma, now, holder: id }, { newest: KEYS_MAX + 1 });
    const isDisabled = account.disabledAt !== null;
    const period = dividePeriod('30d', now());
    const ids = keys.map((key) => key.id);
    return operatorPage(
      PATH,
      accountLabel(account),
      <>
        <section class="card">
          <Facts
            facts={[
              ['State', stateOf(account)],
              account.disabledAt !== null && [
                'Disabled',
                <>
                  {time(account.disabledAt, 'minute')}
                  {account.disabledReason !== null && <>: {account.disabledReason}</>}
                </>,
              ],
              ['Id', account.id, 'mono'],
              Boolean(account.name) && ['Name', account.name],
              [
                'Address',
                account.email === null ? (
                  <span class="soft">–</span>
                ) : (
                  `${account.email} ${account.emailVerified ? '(confirmed)' : '(not confirmed)'}`
                ),
              ],
              ['Created', time(account.createdAt, 'minute')],
            ]}
          />
        </section>
        {keys.length > 0 && usageChart(period, await readUsage(prisma, ids, period))}
        {keys.length > 0 && (
          <ListTable
            isCompact
            caption={
              <>
                Its keys
                {keys.length > KEYS_MAX && (
                  <>
                    , the last {KEYS_MAX} of <a href={`${KEYS_PATH}?q=${id}`}>all</a>
                  </>
                )}
              </>
            }
            columns={usedKeyColumns(KEYS_PATH, now())}
            rows={await withUsage(services, keys.slice(-KEYS_MAX).reverse())}
          />
        )}
        <div class="columns">
          {passwordLinkForm(mail, id)}
          {stateForm(
            {
              name: 'account',
              path: `${PATH}/${id}`,
              isDisabled,
              disabling:
                'Under the acceptable-use policy. Requests with any of its keys get a 403 response until it is enabled again.',
              enabling: 'Its keys work again, except those that were disabled individually.',
            },
            sent,
          )}
          <section class="card danger">
            <h2>Delete the account</h2>
            <p>Its keys are revoked, and its personal data is removed at once.</p>
            <p>{buttonLink(`${PATH}/${id}/delete`, 'Delete account …', 'second danger')}</p>
          </section>
        </div>
      </>,
      {
        back: { path: PATH, label: 'Accounts' },
        scripts: ['chart.js'],
        action: buttonLink(`/dashboard/operator/audit?q=${id}`, 'Audit log', 'second'),
      },
    );
  };

  const askDeletion = async (context: SignedInContext, sent: SentForm): Promise<Page> =>
    deletionPage(
      await requireAccount(prisma, context.req.param('id') ?? ''),
      factorFieldIfOld(services, context.var.visitor, sent),
    );

  const remove = async (context: SignedInContext): Promise<Response> => {
    const account = await requireAccount(prisma, context.req.param('id') ?? '');
    const { id } = account;
    if (isOperator(account, operators)) {
      throw new OperatorError(
        'This is the account of an operator. First remove its address from OPERATORS, or demote it on the command line: npx revgate accounts demote ID.',
      );
    }
    await requireFreshFactor(services, context);
    await deleteAccount(actingAsOperator(services, context.var.visitor), id);
    return redirect(context, `${PATH}?notice=account-delete`);
  };

  return new Hono<SignedInEnv>()
    .get(PATH, list)
    .get(`${PATH}/:id/delete`, view(askDeletion))
    .post(`${PATH}/:id/delete`, action(askDeletion, remove))
    .route('/', actRoutes(services, 'account', show, stateActs(disableAccount, enableAccount)));
}

/** The confirmation before an account is deleted. */
function deletionPage(account: Account, factor: Html | null): Page {
  const { id } = account;
  const label = accountLabel(account);
  return operatorPage(
    PATH,
    'Delete this account?',
    <div class="card danger">
      <p>
        All keys of <strong>{label}</strong> are revoked at once, and its address, password, sessions and
        published documents are removed. The audit log keeps the id of the account. This cannot be undone.
      </p>
      <PostForm
        action={`${PATH}/${id}/delete`}
        button="Delete account"
        kind="danger"
        cancel={`${PATH}/${id}`}
      >
        {factor}
      </PostForm>
    </div>,
    { back: { path: `${PATH}/${id}`, label }, isNarrow: true },
  );
}

function accountState({ disabledAt, email, emailVerified }: Account, isOperator: boolean): Html {
  return (
    <span>
      {disabledAt === null ? <Badge tone="good">active</Badge> : <Badge tone="bad">disabled</Badge>}{' '}
      {email !== null && !emailVerified && <Badge tone="warn">unconfirmed</Badge>}{' '}
      {isOperator && <Badge>operator</Badge>}
    </span>
  );
}
