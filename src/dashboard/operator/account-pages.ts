import { type Account, requireAccount } from '../../accounts/account.ts';
import { disableAccount } from '../../accounts/disable.ts';
import { enableAccount } from '../../accounts/enable.ts';
import { searchAccounts } from '../../accounts/search.ts';
import { OperatorError, UnknownError } from '../../errors.ts';
import { listKeys } from '../../keys/list.ts';
import { notice, time } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { operatorsOnly, type Page, type Reply, type Route, type SignedInContext } from '../page.ts';
import { actingAsOperator, type Services } from '../services.ts';
import { listTable, operatorPage, orDash, readListQuery, reasonForm, searchForm } from './frame.ts';
import { keyHeads, keyRow } from './key-views.ts';

const PATH = '/dashboard/operator/accounts';
/** Of a page of one account; a search of keys by its id finds the others. */
const KEYS_MAX = 50;

/** Everybody's accounts, for operators: found, looked at, disabled and enabled. */
export function accountAdminRoutes(services: Services): Route[] {
  const { prisma, now } = services;

  const list = async ({ query }: SignedInContext): Promise<Reply> => {
    const wanted = readListQuery(query);
    const state = query.get('state') === 'disabled' ? 'disabled' : '';
    const found = await searchAccounts(prisma, { ...wanted, disabled: state === 'disabled' });
    return operatorPage(
      PATH,
      'Accounts',
      html`${searchForm(PATH, wanted.text, 'Address, name or id', {
        name: 'state',
        label: 'State',
        value: state,
        options: [
          ['', 'any'],
          ['disabled', 'disabled'],
        ],
      })}
${listTable(
  found,
  { path: PATH, query, page: wanted.page },
  {
    caption: 'Newest first',
    heads: ['Account', 'State', 'Keys', 'Created'],
    row: (
      account,
    ) => html`<tr><th scope="row"><a href="${PATH}/${account.id}">${account.email ?? account.name ?? account.id}</a></th>
<td data-label="State">${stateOf(account)}</td><td data-label="Keys">${account.keys}</td><td data-label="Created">${time(account.createdAt)}</td></tr>`,
  },
)}`,
    );
  };

  const show = async (id: string, told?: { fault?: string; done?: string | null }): Promise<Page> => {
    const account = await requireAccount(prisma, id);
    const keys = await listKeys({ prisma, now, holder: id });
    const isDisabled = account.disabledAt !== null;
    const acts = `${PATH}/${id}`;
    return operatorPage(
      PATH,
      account.email ?? account.name ?? account.id,
      html`${told?.done === 'disable' && notice('The account is disabled: within a second its keys are answered with 403.')}${told?.done === 'enable' && notice('The account is enabled.')}
<section class="card"><dl class="facts">
<dt>State</dt><dd>${stateOf(account)}</dd>
${isDisabled && html`<dt>Disabled</dt><dd>${time(account.disabledAt ?? new Date(0), 'minute')}${account.disabledReason !== null && html`: ${account.disabledReason}`}</dd>`}
<dt>Id</dt><dd class="mono">${account.id}</dd>${account.name !== null && account.name !== '' && html`<dt>Name</dt><dd>${account.name}</dd>`}<dt>Address</dt><dd>${orDash(account.email)}${account.email !== null && (account.emailVerified ? ' (confirmed)' : ' (not confirmed)')}</dd>
<dt>Created</dt><dd>${time(account.createdAt, 'minute')}</dd></dl>
<p><a href="/dashboard/operator/audit?q=${account.id}">What was done by it and to it</a></p></section>
${keys.length > 0 && html`<div class="table"><table class="collapse"><caption>Its keys${keys.length > KEYS_MAX && html`, the last ${KEYS_MAX} of <a href="/dashboard/operator/keys?q=${account.id}">${keys.length}</a>`}</caption><thead><tr>${keyHeads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${keys.slice(-KEYS_MAX).reverse().map(keyRow)}</tbody></table></div>`}
${reasonForm(isDisabled ? enabling(acts, told?.fault) : disabling(acts, told?.fault))}`,
      { status: told?.fault === undefined ? 200 : 400 },
    );
  };

  const change =
    (kind: 'disable' | 'enable') =>
    async ({ params, form, visitor }: SignedInContext): Promise<Reply> => {
      const id = params.id ?? '';
      const reason = (form.get('reason') ?? '').trim();
      try {
        if (kind === 'disable') {
          // The command line may leave it out; who reads it here has nobody to ask.
          await disableAccount(actingAsOperator(services, visitor), id, reason);
        } else {
          await enableAccount(actingAsOperator(services, visitor), id, reason === '' ? undefined : reason);
        }
      } catch (error) {
        if (error instanceof OperatorError && !(error instanceof UnknownError)) {
          return show(id, { fault: error.message });
        }
        throw error;
      }
      return { location: `${PATH}/${id}?done=${kind}` };
    };

  return [
    operatorsOnly('GET', PATH, list),
    operatorsOnly('GET', `${PATH}/:id`, ({ params, query }) =>
      show(params.id ?? '', { done: query.get('done') }),
    ),
    operatorsOnly('POST', `${PATH}/:id/disable`, change('disable')),
    operatorsOnly('POST', `${PATH}/:id/enable`, change('enable')),
  ];
}

function stateOf({ disabledAt, operator }: Account): Html {
  return html`${disabledAt === null ? html`<span class="badge good">active</span>` : html`<span class="badge bad">disabled</span>`}${operator && html` <span class="badge">operator</span>`}`;
}

const disabling = (acts: string, fault: string | undefined) => ({
  action: `${acts}/disable`,
  title: 'Disable the account',
  text: 'Under the acceptable-use policy. Requests with any of its keys are answered with 403 until it is enabled again.',
  button: 'Disable the account',
  hint: 'Its holder reads it. 1 to 500 characters.',
  isDangerous: true,
  fault,
});

const enabling = (acts: string, fault: string | undefined) => ({
  action: `${acts}/enable`,
  title: 'Enable the account',
  text: 'Its keys work again, but for those that were disabled themselves.',
  button: 'Enable the account',
  hint: 'For the audit trail only; may be left out.',
  isDangerous: false,
  fault,
});
