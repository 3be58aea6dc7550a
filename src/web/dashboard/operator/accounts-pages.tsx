import {
  type Account,
  accountLabel,
  accountStates,
  requireAccount,
  searchAccounts,
} from '../../../access/accounts/account.ts';
import { deleteAccount, disableAccount, enableAccount } from '../../../access/accounts/change.ts';
import { isEmail } from '../../../access/accounts/create.ts';
import {
  createPasswordLink,
  inviteAccount,
  type LinkMaker,
  type PasswordLink,
} from '../../../access/accounts/links.ts';
import { isOperator } from '../../../access/accounts/operators.ts';
import { runAction } from '../../../access/audit/audit-log.ts';
import { listKeys } from '../../../access/keys/key.ts';
import { OperatorError } from '../../../lib/errors.ts';
import { emailField, readEmail } from '../../page/forms.tsx';
import { withNotice } from '../../page/notices.ts';
import { FieldErrors, type Page, page, type Visit } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { invalidEmail } from '../../parts/accounts/auth-answers.tsx';
import { findUnsent } from '../../parts/accounts/mail-outcomes.ts';
import { keysTable, lastUse } from '../../parts/keys/key-parts.tsx';
import { ShownOnce } from '../../shared/code-blocks.tsx';
import { Badge, buttonLink, Facts } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Html } from '../../shared/jsx.ts';
import { pageLinks } from '../../shared/page-links.ts';
import { time } from '../../shared/time.tsx';
import { auditButton, searchPage, stateOf } from './operator-parts.tsx';

const PATH = pageLinks.accounts.path;
const KEYS_PATH = pageLinks.allKeys.path;
/** Of the page of one account; a search of keys by its id finds the others. */
const KEYS_MAX = 50;

const disabling = stateOf('account', disableAccount, enableAccount, {
  disabling:
    'For violations of the acceptable-use policy. Requests with any of its keys get a 403 response until it is enabled again.',
  enabling: 'Its keys work again, except those that were disabled individually.',
});

/** All accounts, for operators: search, view, invite, disable, enable and delete. */
export function accountAdminPages(services: Services) {
  const { prisma, now, mail, operators, origin } = services;
  /** A link opens an account, so with a mail server only the user of the address gets it, not an operator. */
  const passesLinks = mail !== 'smtp';
  const load = ({ id }: Visit) => requireAccount(prisma, id);
  const makerOf = ({ visitor }: Visit): LinkMaker => ({ id: visitor.id, operators });
  const linkPage = (id: string, email: string, { path, expiresAt }: PasswordLink): Page => ({
    title: `Send this link to ${email}`,
    back: pageLinks.accounts,
    isNarrow: true,
    main: (
      <ShownOnce
        name={email}
        secret={`${origin}${path}`}
        what="link"
        address={`${PATH}/${id}`}
        next={`${PATH}/${id}`}
      >
        , and works once, until {time(expiresAt, 'minute')}.
      </ShownOnce>
    ),
  });
  const state = (account: Account): Html => (
    <span>
      {account.disabledAt === null ? <Badge tone="good">Active</Badge> : <Badge tone="bad">Disabled</Badge>}{' '}
      {account.email !== null && !account.emailVerified && <Badge tone="warn">Unconfirmed</Badge>}{' '}
      {isOperator(account, operators) && <Badge>Operator</Badge>}
    </span>
  );

  const list = page({
    path: PATH,
    view: (visit) =>
      searchPage(visit, {
        title: pageLinks.accounts.label,
        action: passesLinks ? buttonLink(`${PATH}/invite`, 'Invite', 'second') : undefined,
        hint: 'Address, name or ID',
        choice: { name: 'state', label: 'State', values: accountStates },
        find: (search, chosen) => searchAccounts(prisma, { ...search, state: chosen }),
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
          ['State', state],
          [
            'Keys',
            ({ id, keys }) => (keys === 0 ? 0 : <a href={`${KEYS_PATH}?q=${id}`}>{count(keys)}</a>),
            'number',
          ],
          ['Last used', ({ lastUsedAt }) => lastUse(lastUsedAt, now())],
        ],
      }),
  });

  const invitation = page({
    path: `${PATH}/invite`,
    isGuarded: true,
    view: () => ({
      title: 'Invite someone',
      back: pageLinks.accounts,
      button: 'Create a link',
      text: 'You get a link to pass on. Whoever opens it chooses a password, and can then create API keys.',
      fields: [emailField({ isFirst: true, autocomplete: 'off' })],
    }),
    act: async (visit) => {
      const email = readEmail(visit.form);
      if (!isEmail(email)) {
        throw new FieldErrors(invalidEmail);
      }
      const { account, link } = await inviteAccount(visit.acting, { email }, makerOf(visit));
      return linkPage(account.id, email, link);
    },
  });

  const one = page({
    path: `${PATH}/:id`,
    load,
    view: async (visit, account) => {
      const { id, path } = visit;
      const { disabledAt, disabledReason, email } = account;
      const keys = await listKeys({ prisma, now, holder: id }, { newest: KEYS_MAX + 1 });
      const shown = keys.slice(-KEYS_MAX).reverse();
      const unsent = await findUnsent(prisma, id, now());
      return {
        title: accountLabel(account),
        back: pageLinks.accounts,
        action: auditButton(id),
        main: [
          <section class="card">
            <Facts
              facts={[
                ['State', state(account)],
                disabledAt !== null && [
                  'Disabled',
                  [time(disabledAt, 'minute'), disabledReason !== null && `: ${disabledReason}`],
                ],
                ['ID', id, 'mono'],
                Boolean(account.name) && ['Name', account.name],
                ['Address', `${email ?? '–'} ${account.emailVerified ? '(confirmed)' : '(not confirmed)'}`],
                ['Created', time(account.createdAt, 'minute')],
                unsent !== null && [
                  'Emails',
                  [unsent.text, ' (', time(unsent.at, 'minute'), '): ', unsent.failure],
                ],
              ]}
            />
          </section>,
          shown.length > 0 && [<h2>Keys</h2>, await keysTable(services, KEYS_PATH, 'Keys', shown)],
          keys.length > KEYS_MAX && (
            <p>
              These are the last {KEYS_MAX}. <a href={`${KEYS_PATH}?q=${id}`}>All of its keys</a>
            </p>
          ),
          <div class="columns">
            {passesLinks && !isOperator(account, operators) && (
              <section class="card">
                <h2>Password link</h2>
                <p>For a user who forgot the password or has none yet.</p>
                <p>{buttonLink(`${path}/link`, 'Create a link …', 'second')}</p>
              </section>
            )}
            {disabling.form(visit, disabledAt !== null)}
            <section class="card danger">
              <h2>Delete the account</h2>
              <p>Its keys are revoked, and its personal data is removed at once.</p>
              <p>{buttonLink(`${path}/delete`, 'Delete account …', 'second danger')}</p>
            </section>
          </div>,
        ],
      };
    },
    forms: disabling.acts,
  });

  const passwordLink = page({
    path: `${PATH}/:id/link`,
    isGuarded: true,
    load,
    view: (_, account) => ({
      title: 'Create a password link',
      back: { name: accountLabel(account) },
      button: 'Create a link',
      text:
        'Send the link to the user of this account only: anyone who opens it can take over the account. ' +
        'Earlier links stop working. It also stops working if you are no longer an operator.',
    }),
    act: async (visit, { id, email }) => {
      const link = await createPasswordLink(visit.acting, id, makerOf(visit));
      return linkPage(id, email ?? '', link);
    },
  });

  const deletion = page({
    path: `${PATH}/:id/delete`,
    isGuarded: true,
    load,
    view: (_, account) => ({
      title: 'Delete this account?',
      back: { name: accountLabel(account) },
      isDanger: true,
      button: 'Delete account',
      text: (
        <>
          All keys of <strong>{accountLabel(account)}</strong> are revoked at once, and its address, password,
          sessions and published documents are removed. The audit log keeps the ID of the account. This cannot
          be undone.
        </>
      ),
    }),
    act: ({ acting, id }) =>
      runAction(acting, async (within) => {
        // It may have become one since the page was loaded.
        if (isOperator(await requireAccount(within.prisma, id), operators)) {
          throw new OperatorError(
            'This is the account of an operator. First remove its address from OPERATORS, or demote it on the command line: npx revgate accounts demote ID.',
          );
        }
        await deleteAccount({ ...acting, within }, id);
        return withNotice(PATH, 'account-delete');
      }),
  });

  return [list, ...(passesLinks ? [invitation, passwordLink] : []), one, deletion];
}
