import { EMAIL_MAX } from '../accounts/account.ts';
import { html } from '../html.ts';
import { demandAnswer, fieldFaults } from './auth-faults.ts';
import { field, notice, readEmail } from './forms.ts';
import { open, type Page, type PageContext, type Reply, type Route } from './page.ts';
import { PASSWORD_MAX, PASSWORD_MIN } from './passwords.ts';
import type { Services } from './services.ts';
import { deadLink, mailMissing } from './sign-up-pages.ts';

/** Getting a new password by mail. */
export function passwordRoutes({ auth, mail }: Services): Route[] {
  const ask = async ({ request, form }: PageContext): Promise<Reply> => {
    if (mail === 'none') {
      return mailMissing('Forgotten password');
    }
    const email = readEmail(form);
    const answer = await auth.post(request, '/request-password-reset', { email });
    demandAnswer(answer);
    return answer.status === 200 ? sent(email, mail) : askPage(email, fieldFaults(answer).email);
  };

  const choose = async ({ request, form }: PageContext): Promise<Reply> => {
    const token = form.get('token') ?? '';
    const newPassword = form.get('password') ?? '';
    const answer = await auth.post(request, '/reset-password', { token, newPassword });
    demandAnswer(answer);
    if (answer.status === 200) {
      return { location: '/dashboard/sign-in?notice=password' };
    }
    const fault = fieldFaults(answer).password;
    return fault === undefined ? deadLink() : choosePage(token, fault);
  };

  return [
    open('GET', '/dashboard/forgotten-password', () =>
      mail === 'none' ? mailMissing('Forgotten password') : askPage(''),
    ),
    open('POST', '/dashboard/forgotten-password', ask),
    open('GET', '/dashboard/reset-password', ({ query }) => {
      const token = query.get('token') ?? '';
      return token === '' ? deadLink() : choosePage(token);
    }),
    open('POST', '/dashboard/reset-password', choose),
  ];
}

function askPage(email: string, fault?: string): Page {
  return {
    status: fault === undefined ? 200 : 400,
    title: 'Forgotten password',
    isNarrow: true,
    main: html`<div class="card">
<form class="stack" method="post" action="/dashboard/forgotten-password">
${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: email, maxLength: EMAIL_MAX, fault, isFirst: true })}
<button class="full">Send me a link</button>
</form>
</div>
<p class="soft">You remember it? <a href="/dashboard/sign-in">Sign in</a>.</p>`,
  };
}

/** The same whether or not the address has an account. */
function sent(email: string, mail: 'smtp' | 'terminal'): Page {
  return {
    title: 'Look into your mailbox',
    isNarrow: true,
    main: html`<p class="lead">If <strong>${email}</strong> has an account, a mail with a link is on its way. The link works for an hour.</p>
${mail === 'terminal' && notice('No mail server is set up: the link is printed on the terminal in which revgate runs.', 'warn')}`,
  };
}

function choosePage(token: string, fault?: string): Page {
  return {
    status: fault === undefined ? 200 : 400,
    title: 'Choose a new password',
    isNarrow: true,
    main: html`<div class="card">
<form class="stack" method="post" action="/dashboard/reset-password">
<input type="hidden" name="token" value="${token}">
${field({ name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password', minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX, fault, hint: `At least ${PASSWORD_MIN} characters. Everywhere else you are signed out.`, isFirst: true })}
<button class="full">Set the password</button>
</form>
</div>`,
  };
}
