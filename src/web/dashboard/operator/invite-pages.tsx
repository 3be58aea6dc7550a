import { Hono } from 'hono';
import { requireAccount } from '../../../access/accounts/account.ts';
import { isEmail } from '../../../access/accounts/create.ts';
import { createPasswordLink, inviteAccount, type PasswordLink } from '../../../access/accounts/links.ts';
import type { Mailer } from '../../../lib/mail/open-mailer.ts';
import { ShownOnce } from '../../shared/code-blocks.tsx';
import { buttonLink } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { time } from '../../shared/time.tsx';
import { invalidEmail } from '../auth-errors.ts';
import { action, FieldErrors, type SentForm, view } from '../form-actions.ts';
import { emailField, PostForm, readEmail } from '../forms.tsx';
import type { Page, SignedInContext, SignedInEnv } from '../page.ts';
import { actingAsOperator, type Services } from '../services.ts';
import { operatorPage } from './frame.tsx';

const PATH = '/dashboard/operator/accounts';

/**
 * Whether operators pass on links themselves. A link opens an account, so with a mail server only the user of the
 * address gets it.
 */
const passesLinks = (mail: Mailer['kind']): boolean => mail !== 'smtp';

/** The button that leads to the invitation. */
export function inviteButton(mail: Mailer['kind']): Html | undefined {
  return passesLinks(mail) ? buttonLink(`${PATH}/invite`, 'Invite', 'second') : undefined;
}

/** The form on the page of an account that creates a link to set a password. */
export function passwordLinkForm(mail: Mailer['kind'], id: string): Html | false {
  return (
    passesLinks(mail) && (
      <section class="card">
        <h2>Link to set a password</h2>
        <p>
          For a user who forgot the password or has none yet. Send the link to this user only: whoever opens
          it gets the account. Earlier links stop working.
        </p>
        <PostForm action={`${PATH}/${id}/link`} button="Create a link" kind="second" />
      </section>
    )
  );
}

/** Inviting people by links that the operator passes on, where no mail server sends them. */
export function inviteRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma, mail, origin } = services;
  const app = new Hono<SignedInEnv>();
  if (!passesLinks(mail)) {
    return app;
  }

  const page = (_: SignedInContext, sent: SentForm): Page =>
    operatorPage(
      PATH,
      'Invite someone',
      <div class="card">
        <PostForm action={`${PATH}/invite`} button="Create a link" cancel={PATH}>
          <p>You get a link to pass on. Whoever opens it chooses a password, and then creates API keys.</p>
          {emailField({ sent, isFirst: true, autocomplete: 'off' })}
        </PostForm>
      </div>,
      { back: { path: PATH, label: 'Accounts' }, isNarrow: true },
    );

  const invite = async (context: SignedInContext): Promise<Response> => {
    const email = readEmail(context.var.form);
    if (!isEmail(email)) {
      throw new FieldErrors(invalidEmail);
    }
    const acting = actingAsOperator(services, context.var.visitor);
    const { account, link } = await inviteAccount(acting, { email });
    return context.render(linkPage(account.id, email, link));
  };

  const linkTo = async (context: SignedInContext): Promise<Response> => {
    const account = await requireAccount(prisma, context.req.param('id') ?? '');
    const link = await createPasswordLink(actingAsOperator(services, context.var.visitor), account);
    return context.render(linkPage(account.id, account.email ?? '', link));
  };

  const linkPage = (id: string, email: string, { path, expiresAt }: PasswordLink): Page =>
    operatorPage(
      PATH,
      'Pass this link on',
      <ShownOnce
        name={email}
        secret={`${origin}${path}`}
        what="link"
        address={`${PATH}/${id}`}
        next={`${PATH}/${id}`}
      >
        , and works once, until {time(expiresAt, 'minute')}.
      </ShownOnce>,
      { back: { path: PATH, label: 'Accounts' }, isNarrow: true },
    );

  return app
    .get(`${PATH}/invite`, view(page))
    .post(`${PATH}/invite`, action(page, invite))
    .post(`${PATH}/:id/link`, linkTo);
}
