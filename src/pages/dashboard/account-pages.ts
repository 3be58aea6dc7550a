import { Hono } from 'hono';
import { endOtherSessions, endSession, listSessions } from '../../accounts/sessions.ts';
import { accountPage, changedAddressPage, deletionPage } from './account-views.tsx';
import type { Visitor } from './auth.ts';
import { fieldErrors, unexpected } from './auth-errors.ts';
import { readAuthToken } from './auth-token.ts';
import { readEmail } from './forms.tsx';
import { redirect, type SignedInContext, type SignedInEnv } from './page.ts';
import type { Services } from './services.ts';
import { deadLink, mailMissing } from './sign-up-pages.tsx';

/** The notices of the account page for better-auth's reasons not to unlink. */
const unlinkErrors: ReadonlyMap<string, string> = new Map([
  ['FAILED_TO_UNLINK_LAST_ACCOUNT', 'last'],
  ['SESSION_NOT_FRESH', 'old-session'],
]);

/** A visitor's own account: address, password, sessions, and its end. */
export function accountRoutes(services: Services): Hono<SignedInEnv> {
  const { auth, prisma, mail, hasGithub } = services;

  const providersOf = async ({ id }: Visitor): Promise<string[]> => {
    const rows = await prisma.accountProvider.findMany({
      where: { userId: id },
      select: { providerId: true },
    });
    return rows.map(({ providerId }) => providerId);
  };

  const page = async (
    context: SignedInContext,
    errors: Readonly<Record<string, string>> = {},
  ): Promise<Response> => {
    const { visitor } = context.var;
    const [providers, sessions] = [await providersOf(visitor), await listSessions(services, visitor.id)];
    const notice = context.req.query('notice') ?? '';
    return context.render(accountPage(services, { visitor, providers, sessions, errors, notice }));
  };

  const changeAddress = async (context: SignedInContext): Promise<Response> => {
    if (mail === 'none') {
      return context.render(mailMissing('Change your address'));
    }
    const { form, visitor } = context.var;
    const newEmail = readEmail(form);
    if (newEmail.toLowerCase() === visitor.email) {
      return page(context, { email: 'This is already your address.' });
    }
    const answer = await auth.post(context.env.request, '/change-email', { newEmail });
    if (answer.status !== 200) {
      return page(context, fieldErrors(answer));
    }
    return context.render(changedAddressPage({ kind: 'asked', from: visitor.email, to: newEmail, mail }));
  };

  // Only in the signed-in browser: the owner of a mistyped address must not get the account.
  const confirmAddress = async (context: SignedInContext): Promise<Response> => {
    const { form, visitor } = context.var;
    const { token = '' } = form;
    const content = readAuthToken(token);
    if (content?.updateTo === undefined || content.email !== visitor.email) {
      return context.render(deadLink());
    }
    const answer = await auth.get(context.env.request, `/verify-email?token=${encodeURIComponent(token)}`);
    if (answer.status !== 200) {
      return context.render(deadLink());
    }
    return content.isPermission
      ? context.render(
          changedAddressPage({ kind: 'allowed', from: visitor.email, to: content.updateTo, mail }),
        )
      : redirect(context, '/dashboard/account?notice=email', answer.cookies);
  };

  const changePassword = async (context: SignedInContext): Promise<Response> => {
    const { current = '', password = '' } = context.var.form;
    const answer = await auth.post(context.env.request, '/change-password', {
      currentPassword: current,
      newPassword: password,
      revokeOtherSessions: true,
    });
    return answer.status === 200
      ? redirect(context, '/dashboard/account?notice=password', answer.cookies)
      : page(context, fieldErrors(answer));
  };

  const link = async (context: SignedInContext): Promise<Response> => {
    const answer = await auth.post(context.env.request, '/link-social', {
      provider: 'github',
      callbackURL: '/dashboard/account?notice=github',
      errorCallbackURL: '/dashboard/account?notice=github-failed',
    });
    const location = String(answer.body.url ?? '/dashboard/account?notice=github-failed');
    return redirect(context, location, answer.cookies);
  };

  const unlink = async (context: SignedInContext): Promise<Response> => {
    const linked = await prisma.accountProvider.findFirst({
      where: { userId: context.var.visitor.id, providerId: 'github' },
      select: { id: true },
    });
    if (linked === null) {
      return redirect(context, '/dashboard/account?notice=unlinked');
    }
    const answer = await auth.post(context.env.request, '/unlink-account', { accountId: linked.id });
    const notice = answer.status === 200 ? 'unlinked' : unlinkErrors.get(answer.code ?? '');
    if (notice === undefined) {
      throw unexpected(answer);
    }
    return redirect(context, `/dashboard/account?notice=${notice}`);
  };

  const remove = async (context: SignedInContext): Promise<Response> => {
    const { form, visitor } = context.var;
    const hasPassword = (await providersOf(visitor)).includes('credential');
    const { current: password = '' } = form;
    // better-auth skips the check of an empty password.
    if (hasPassword && password === '') {
      return context.render(deletionPage({ hasPassword, error: 'Enter your password.' }));
    }
    if (!hasPassword && readEmail(form).toLowerCase() !== visitor.email) {
      const error = 'This is not the address of your account.';
      return context.render(deletionPage({ hasPassword, error }));
    }
    const answer = await auth.post(context.env.request, '/delete-user', hasPassword ? { password } : {});
    if (answer.status !== 200) {
      const [error = ''] = Object.values(fieldErrors(answer));
      return context.render(deletionPage({ hasPassword, error }));
    }
    return redirect(context, '/dashboard/sign-in?notice=deleted', [
      ...answer.cookies,
      auth.browsers.forget(visitor.email),
    ]);
  };

  const app = new Hono<SignedInEnv>()
    .get('/dashboard/account', (context) => page(context))
    .post('/dashboard/account/email', changeAddress)
    .get('/dashboard/change-email', (context) => {
      const token = context.req.query('token') ?? '';
      const content = readAuthToken(token);
      return context.render(
        content?.updateTo === undefined || content.email !== context.var.visitor.email
          ? deadLink()
          : changedAddressPage({ kind: 'confirm', from: content.email, to: content.updateTo, token }),
      );
    })
    .post('/dashboard/change-email', confirmAddress)
    .post('/dashboard/account/password', changePassword)
    .post('/dashboard/account/sessions', async (context) => {
      const { form, visitor } = context.var;
      const { session = '' } = form;
      await (session === 'others'
        ? endOtherSessions(services, visitor.id, visitor.sessionId)
        : endSession(services, visitor.id, session));
      return redirect(context, '/dashboard/account?notice=sessions');
    })
    .get('/dashboard/account/delete', async (context) => {
      const hasPassword = (await providersOf(context.var.visitor)).includes('credential');
      return context.render(deletionPage({ hasPassword }));
    })
    .post('/dashboard/account/delete', remove);
  if (hasGithub) {
    app.post('/dashboard/account/github', link).post('/dashboard/account/github/unlink', unlink);
  }
  return app;
}
