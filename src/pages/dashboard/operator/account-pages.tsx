import { Hono } from 'hono';
import { type Account, requireAccount } from '../../../accounts/account.ts';
import { deleteAccount, disableAccount, enableAccount } from '../../../accounts/change.ts';
import { searchAccounts } from '../../../accounts/list.ts';
import { OperatorError } from '../../../errors.ts';
import { listKeys } from '../../../keys/list.ts';
import { Notice } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { time } from '../../shared/time.tsx';
import { type Page, redirect, type SignedInContext, type SignedInEnv } from '../page.ts';
import { actingAsOperator, type Services } from '../services.ts';
import { actRoutes, type Outcome, reasonToDisable, reasonToEnable, stateForm } from './actions.ts';
import { listTable, operatorPage, orDash, readSearch, searchForm } from './frame.tsx';
import { keyHeads, keyRow } from './key-row.tsx';

const PATH = '/dashboard/operator/accounts';
/** Of the page of one account; a search of keys by its id finds the others. */
const KEYS_MAX = 50;

/** All accounts, for operators: search, view, disable and enable. */
export function accountAdminRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma, now } = services;

  const list = async (context: SignedInContext): Promise<Response> => {
    const wanted = readSearch(context);
    const state = context.req.query('state') === 'disabled' ? 'disabled' : '';
    const found = await searchAccounts(prisma, { ...wanted, disabled: state === 'disabled' });
    return context.render(
      operatorPage(
        PATH,
        'Accounts',
        <>
          {context.req.query('done') === 'delete' && (
            <Notice>The account was deleted, and its keys were revoked.</Notice>
          )}
          {searchForm(PATH, wanted.text, 'Address, name or id', {
            name: 'state',
            label: 'State',
            value: state,
            options: [
              ['', 'any'],
              ['disabled', 'disabled'],
            ],
          })}
          {listTable(
            found,
            { path: PATH, query: new URLSearchParams(context.env.request.query), page: wanted.page },
            {
              caption: 'Newest first',
              heads: ['Account', 'State', 'Keys', 'Created'],
              row: (account) => (
                <tr>
                  <th scope="row">
                    <a href={`${PATH}/${account.id}`}>{account.email ?? account.name ?? account.id}</a>
                  </th>
                  <td data-label="State">{stateOf(account)}</td>
                  <td data-label="Keys">{account.keys}</td>
                  <td data-label="Created">{time(account.createdAt)}</td>
                </tr>
              ),
            },
          )}
        </>,
      ),
    );
  };

  const show = async (id: string, { error, done }: Outcome): Promise<Page> => {
    const account = await requireAccount(prisma, id);
    const keys = await listKeys({ prisma, now, holder: id }, { newest: KEYS_MAX + 1 });
    const isDisabled = account.disabledAt !== null;
    return operatorPage(
      PATH,
      account.email ?? account.name ?? account.id,
      <>
        {done === 'disable' && (
          <Notice>
            The account is disabled. Within a second, requests with its keys get a 403 response.
          </Notice>
        )}
        {done === 'enable' && <Notice>The account is enabled.</Notice>}
        <section class="card">
          <dl class="facts">
            <dt>State</dt>
            <dd>{stateOf(account)}</dd>
            {isDisabled && (
              <>
                <dt>Disabled</dt>
                <dd>
                  {time(account.disabledAt ?? new Date(0), 'minute')}
                  {account.disabledReason !== null && <>: {account.disabledReason}</>}
                </dd>
              </>
            )}
            <dt>Id</dt>
            <dd class="mono">{account.id}</dd>
            {account.name !== null && account.name !== '' && (
              <>
                <dt>Name</dt>
                <dd>{account.name}</dd>
              </>
            )}
            <dt>Address</dt>
            <dd>
              {orDash(account.email)}
              {account.email !== null && (account.emailVerified ? ' (confirmed)' : ' (not confirmed)')}
            </dd>
            <dt>Created</dt>
            <dd>{time(account.createdAt, 'minute')}</dd>
          </dl>
          <p>
            <a href={`/dashboard/operator/audit?q=${account.id}`}>Show its audit log</a>
          </p>
        </section>
        {keys.length > 0 && (
          <div class="table">
            <table class="collapse">
              <caption>
                Its keys
                {keys.length > KEYS_MAX && (
                  <>
                    , the last {KEYS_MAX} of <a href={`/dashboard/operator/keys?q=${account.id}`}>all</a>
                  </>
                )}
              </caption>
              <thead>
                <tr>
                  {keyHeads.map((head) => (
                    <th scope="col">{head}</th>
                  ))}
                </tr>
              </thead>
              <tbody>{keys.slice(-KEYS_MAX).reverse().map(keyRow)}</tbody>
            </table>
          </div>
        )}
        {stateForm(
          {
            name: 'account',
            path: `${PATH}/${id}`,
            isDisabled,
            disabling:
              'Under the acceptable-use policy. Requests with any of its keys get a 403 response until it is enabled again.',
            enabling: 'Its keys work again, except those that were disabled individually.',
          },
          error,
        )}
        <section class="card danger">
          <h2>Delete the account</h2>
          <p>Its keys are revoked, and its personal data is removed at once.</p>
          <p>
            <a class="button second danger" href={`${PATH}/${id}/delete`}>
              Delete account …
            </a>
          </p>
        </section>
      </>,
      { status: error === undefined ? 200 : 400 },
    );
  };

  const remove = async (context: SignedInContext): Promise<Response> => {
    const { operator, id } = await requireAccount(prisma, context.req.param('id') ?? '');
    if (operator) {
      throw new OperatorError(
        'This is the account of an operator. Demote it first, on the command line: revgate accounts demote.',
      );
    }
    await deleteAccount(actingAsOperator(services, context.var.visitor), id);
    return redirect(context, `${PATH}?done=delete`);
  };

  return new Hono<SignedInEnv>()
    .get(PATH, list)
    .get(`${PATH}/:id/delete`, async (context) =>
      context.render(deletionPage(await requireAccount(prisma, context.req.param('id') ?? ''))),
    )
    .post(`${PATH}/:id/delete`, remove)
    .route(
      '/',
      actRoutes(services, PATH, show, {
        disable: (acting, id, form) => disableAccount(acting, id, reasonToDisable(form)),
        enable: (acting, id, form) => enableAccount(acting, id, reasonToEnable(form)),
      }),
    );
}

/** The confirmation before an account is deleted. */
function deletionPage({ id, name, email }: Account): Page {
  const label = email ?? (name || id);
  return operatorPage(
    PATH,
    'Delete this account?',
    <div class="card danger">
      <p>
        All keys of <strong>{label}</strong> are revoked at once, and its address, password, sessions and
        published documents are removed. The audit log keeps the id of the account. This cannot be undone.
      </p>
      <form class="actions" method="post" action={`${PATH}/${id}/delete`}>
        <button class="danger">Delete account</button>
        <a class="button second" href={`${PATH}/${id}`}>
          Cancel
        </a>
      </form>
    </div>,
    { back: { path: `${PATH}/${id}`, label }, isNarrow: true },
  );
}

function stateOf({ disabledAt, operator }: Account): Html {
  return (
    <>
      {disabledAt === null ? <span class="badge good">active</span> : <span class="badge bad">disabled</span>}{' '}
      {operator && <span class="badge">operator</span>}
    </>
  );
}
