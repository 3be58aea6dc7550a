import { endOtherSessions, endSession, listSessions } from '../accounts/sessions.ts';
import { type AccountOverview, accountPage, changedAddressPage, deletionPage } from './account-views.ts';
import { demandAnswer, fieldFaults } from './auth-faults.ts';
import { readAuthToken } from './auth-token.ts';
import { readEmail } from './forms.ts';
import { type Page, type Reply, type Route, type SignedInContext, signedIn } from './page.ts';
import type { Services } from './services.ts';
import { GITHUB } from './sign-in-pages.ts';
import { deadLink, mailMissing } from './sign-up-pages.ts';

/** A visitor's own account: address, password, sessions, and its end. */
export function accountRoutes(services: Services): Route[] {
  const { auth, prisma, mail, hasGithub } = services;

  const providersOf = async ({ visitor }: SignedInContext): Promise<string[]> => {
    const rows = await prisma.accountProvider.findMany({
      where: { userId: visitor.id },
      select: { providerId: true },
    });
    return rows.map(({ providerId }) => providerId);
  };

  const page = async (context: SignedInContext, faults: AccountOverview['faults'] = {}): Promise<Page> => {
    const { visitor, query } = context;
    const [providers, sessions] = [await providersOf(context), await listSessions(services, visitor.id)];
    const overview = { visitor, providers, sessions, faults, mail, hasGithub };
    return {
      ...accountPage({ ...overview, notice: query.get('notice') ?? '' }),
      formTargets: hasGithub ? [GITHUB] : [],
    };
  };

  const changeAddress = async (context: SignedInContext): Promise<Reply> => {
    if (mail === 'none') {
      return mailMissing('Change your address');
    }
    const { request, form, visitor } = context;
    const newEmail = readEmail(form);
    const answer = await auth.post(request, '/change-email', { newEmail });
    demandAnswer(answer);
    if (answer.status !== 200) {
      const { email = 'This is your address already.' } = fieldFaults(answer);
      return page(context, { email });
    }
    return changedAddressPage({ kind: 'asked', from: visitor.email, to: newEmail, mail });
  };

  // Only in the browser that is signed in: whoever reads a mistyped address must not get the account.
  const confirmAddress = async ({ request, form, visitor }: SignedInContext): Promise<Reply> => {
    const token = form.get('token') ?? '';
    const content = readAuthToken(token);
    if (content?.updateTo === undefined || content.email !== visitor.email) {
      return deadLink();
    }
    const answer = await auth.get(request, `/verify-email?token=${encodeURIComponent(token)}`);
    demandAnswer(answer);
    if (answer.status !== 200) {
      return deadLink();
    }
    return content.isPermission
      ? changedAddressPage({ kind: 'allowed', from: visitor.email, to: content.updateTo, mail })
      : { location: '/dashboard/account?notice=email', cookies: answer.cookies };
  };

  const changePassword = async (context: SignedInContext): Promise<Reply> => {
    const { request, form } = context;
    const answer = await auth.post(request, '/change-password', {
      currentPassword: form.get('current') ?? '',
      newPassword: form.get('password') ?? '',
      revokeOtherSessions: true,
    });
    demandAnswer(answer);
    return answer.status === 200
      ? { location: '/dashboard/account?notice=password', cookies: answer.cookies }
      : page(context, fieldFaults(answer));
  };

  const link = async ({ request }: SignedInContext): Promise<Reply> => {
    const answer = await auth.post(request, '/link-social', {
      provider: 'github',
      callbackURL: '/dashboard/account?notice=github',
      errorCallbackURL: '/dashboard/account?notice=github-failed',
    });
    demandAnswer(answer);
    return {
      location: String(answer.body.url ?? '/dashboard/account?notice=github-failed'),
      cookies: answer.cookies,
    };
  };

  const unlink = async ({ request, visitor }: SignedInContext): Promise<Reply> => {
    const linked = await prisma.accountProvider.findFirst({
      where: { userId: visitor.id, providerId: 'github' },
      select: { id: true },
    });
    const answer = await auth.post(request, '/unlink-account', { accountId: linked?.id ?? '' });
    demandAnswer(answer);
    return { location: `/dashboard/account?notice=${answer.status === 200 ? 'unlinked' : 'last'}` };
  };

  const remove = async (context: SignedInContext): Promise<Reply> => {
    const { request, form, visitor } = context;
    const hasPassword = (await providersOf(context)).includes('credential');
    const password = form.get('current') ?? '';
    // better-auth takes an empty password for none to be checked.
    if (hasPassword && password === '') {
      return deletionPage({ hasPassword, fault: 'Enter your password.' });
    }
    if (!hasPassword && readEmail(form).toLowerCase() !== visitor.email) {
      return deletionPage({ hasPassword, fault: 'This is not the address of your account.' });
    }
    const answer = await auth.post(request, '/delete-user', hasPassword ? { password } : {});
    demandAnswer(answer);
    if (answer.status !== 200) {
      const { current = 'You signed in more than a day ago: sign out and in, then try again.' } =
        fieldFaults(answer);
      return deletionPage({ hasPassword, fault: current });
    }
    return { location: '/dashboard/sign-in?notice=deleted', cookies: answer.cookies };
  };

  return [
    signedIn('GET', '/dashboard/account', (context) => page(context)),
    signedIn('POST', '/dashboard/account/email', changeAddress),
    signedIn('GET', '/dashboard/change-email', ({ query, visitor }) => {
      const token = query.get('token') ?? '';
      const content = readAuthToken(token);
      return content?.updateTo === undefined || content.email !== visitor.email
        ? deadLink()
        : changedAddressPage({ kind: 'confirm', from: content.email, to: content.updateTo, token });
    }),
    signedIn('POST', '/dashboard/change-email', confirmAddress),
    signedIn('POST', '/dashboard/account/password', changePassword),
    signedIn('POST', '/dashboard/account/sessions', async ({ form, visitor }) => {
      const id = form.get('session') ?? '';
      await (id === 'others'
        ? endOtherSessions(services, visitor.id, visitor.sessionId)
        : endSession(services, visitor.id, id));
      return { location: '/dashboard/account?notice=sessions' };
    }),
    ...(hasGithub
      ? [
          signedIn('POST', '/dashboard/account/github', link),
          signedIn('POST', '/dashboard/account/github/unlink', unlink),
        ]
      : []),
    signedIn('GET', '/dashboard/account/delete', async (context) =>
      deletionPage({ hasPassword: (await providersOf(context)).includes('credential') }),
    ),
    signedIn('POST', '/dashboard/account/delete', remove),
  ];
}
