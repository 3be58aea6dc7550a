import { Hono } from 'hono';
import { type Account, requireAccount } from '../../accounts/account.ts';
import { disableAccount } from '../../accounts/disable.ts';
import { enableAccount } from '../../accounts/enable.ts';
import { searchAccounts } from '../../accounts/search.ts';
import { type Html, html } from '../../html.ts';
import { listKeys } from '../../keys/list.ts';
import { notice, time } from '../forms.ts';
import type { Page, SignedInContext, SignedInEnv } from '../page.ts';
import type { Services } from '../services.ts';
import { actRoutes, type Outcome, reasonToDisable, reasonToEnable, stateForm } from './acts.ts';
import { listTable, operatorPage, orDash, readSearch, searchForm } from './frame.ts';
import { keyHeads, keyRow } from './key-row.ts';

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
  { path: PATH, query: new URLSearchParams(context.env.request.query), page: wanted.page },
  {
    caption: 'Newest first',
    heads: ['Account', 'State', 'Keys', 'Created'],
    row: (
      account,
    ) => html`<tr><th scope="row"><a href="${PATH}/${account.id}">${account.email ?? account.name ?? account.id}</a></th>
<td data-label="State">${stateOf(account)}</td><td data-label="Keys">${account.keys}</td><td data-label="Created">${time(account.createdAt)}</td></tr>`,
  },
)}`,
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
      html`${done === 'disable' && notice('The account is disabled. Within a second, requests with its keys get a 403 response.')}${done === 'enable' && notice('The account is enabled.')}
<section class="card"><dl class="facts">
<dt>State</dt><dd>${stateOf(account)}</dd>
${isDisabled && html`<dt>Disabled</dt><dd>${time(account.disabledAt ?? new Date(0), 'minute')}${account.disabledReason !== null && html`: ${account.disabledReason}`}</dd>`}
<dt>Id</dt><dd class="mono">${account.id}</dd>${account.name !== null && account.name !== '' && html`<dt>Name</dt><dd>${account.name}</dd>`}<dt>Address</dt><dd>${orDash(account.email)}${account.email !== null && (account.emailVerified ? ' (confirmed)' : ' (not confirmed)')}</dd>
<dt>Created</dt><dd>${time(account.createdAt, 'minute')}</dd></dl>
<p><a href="/dashboard/operator/audit?q=${account.id}">Show its audit trail</a></p></section>
${keys.length > 0 && html`<div class="table"><table class="collapse"><caption>Its keys${keys.length > KEYS_MAX && html`, the last ${KEYS_MAX} of <a href="/dashboard/operator/keys?q=${account.id}">all</a>`}</caption><thead><tr>${keyHeads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${keys.slice(-KEYS_MAX).reverse().map(keyRow)}</tbody></table></div>`}
${stateForm(
  {
    name: 'account',
    path: `${PATH}/${id}`,
    isDisabled,
    disabling:
      'Under the acceptable-use policy. Requests with any of its keys get a 403 response until it is enabled again.',
    enabling: 'Its keys work again, except those that were disabled individually.',
  },
  error,
)}`,
      { status: error === undefined ? 200 : 400 },
    );
  };

  return new Hono<SignedInEnv>().get(PATH, list).route(
    '/',
    actRoutes(services, PATH, show, {
      disable: (acting, id, form) => disableAccount(acting, id, reasonToDisable(form)),
      enable: (acting, id, form) => enableAccount(acting, id, reasonToEnable(form)),
    }),
  );
}

function stateOf({ disabledAt, operator }: Account): Html {
  return html`${disabledAt === null ? html`<span class="badge good">active</span>` : html`<span class="badge bad">disabled</span>`}${operator && html` <span class="badge">operator</span>`}`;
}
