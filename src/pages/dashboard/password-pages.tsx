import { Hono } from 'hono';
import { fieldErrors } from './auth-errors.ts';
import { emailField, linkSentPage, newPasswordField, PostForm, readEmail } from './forms.tsx';
import { type DashboardEnv, type Page, type PageContext, redirect } from './page.ts';
import { PASSWORD_MIN } from './passwords.ts';
import type { Services } from './services.ts';
import { deadLink, mailMissing } from './sign-up-pages.tsx';

/** Resetting a password by mail. */
export function passwordRoutes({ auth, mail }: Services): Hono<DashboardEnv> {
  const ask = async (context: PageContext): Promise<Response> => {
    if (mail === 'none') {
      return context.render(mailMissing('Forgotten password'));
    }
    const email = readEmail(context.var.form);
    const answer = await auth.post(context.env.request, '/request-password-reset', { email });
    return context.render(
      answer.status === 200 ? sent(email, mail) : askPage(email, fieldErrors(answer).email),
    );
  };

  const choose = async (context: PageContext): Promise<Response> => {
    const { token = '', password: newPassword = '' } = context.var.form;
    const answer = await auth.post(context.env.request, '/reset-password', { token, newPassword });
    if (answer.status === 200) {
      return redirect(context, '/dashboard/sign-in?notice=password');
    }
    return context.render(
      answer.code === 'INVALID_TOKEN' ? deadLink() : choosePage(token, fieldErrors(answer).password),
    );
  };

  return new Hono<DashboardEnv>()
    .get('/dashboard/forgotten-password', (context) =>
      context.render(mail === 'none' ? mailMissing('Forgotten password') : askPage('')),
    )
    .post('/dashboard/forgotten-password', ask)
    .get('/dashboard/reset-password', (context) => {
      const token = context.req.query('token') ?? '';
      return context.render(token === '' ? deadLink() : choosePage(token));
    })
    .post('/dashboard/reset-password', choose);
}

function askPage(email: string, error?: string): Page {
  return {
    status: error === undefined ? 200 : 400,
    title: 'Forgotten password',
    isNarrow: true,
    main: (
      <>
        <div class="card">
          <PostForm action="/dashboard/forgotten-password" button="Send me a link" isWide>
            {emailField({ value: email, error, isFirst: true })}
          </PostForm>
        </div>
        <p class="soft">
          Remember it? <a href="/dashboard/sign-in">Sign in</a>.
        </p>
      </>
    ),
  };
}

/** The same whether or not the address has an account. */
function sent(email: string, mail: 'smtp' | 'terminal'): Page {
  return linkSentPage(mail, email, { isCertain: false, more: <p>The link works for an hour.</p> });
}

function choosePage(token: string, error?: string): Page {
  return {
    status: error === undefined ? 200 : 400,
    title: 'Choose a new password',
    isNarrow: true,
    main: (
      <div class="card">
        <PostForm action="/dashboard/reset-password" button="Set the password" isWide>
          <input type="hidden" name="token" value={token} />
          {newPasswordField({
            label: 'New password',
            error,
            hint: `At least ${PASSWORD_MIN} characters. You are signed out everywhere else.`,
            isFirst: true,
          })}
        </PostForm>
      </div>
    ),
  };
}
