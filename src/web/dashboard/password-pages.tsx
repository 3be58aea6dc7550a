import { Hono } from 'hono';
import { PASSWORD_MIN } from '../../access/accounts/sign-in/passwords.ts';
import { accepted } from './auth-errors.ts';
import { action, type SentForm, view } from './form-actions.ts';
import { emailField, newPasswordField, PostForm, readEmail } from './forms.tsx';
import { deadLink, linkSentPage, requireMail } from './mail-pages.tsx';
import { type DashboardEnv, type Page, type PageContext, redirect } from './page.ts';
import type { Services } from './services.ts';

/** Resetting a password by mail. */
export function passwordRoutes({ auth, mail }: Services): Hono<DashboardEnv> {
  const askPage = (_: PageContext, sent: SentForm): Page => {
    requireMail(mail);
    return {
      title: 'Forgotten password',
      isNarrow: true,
      main: (
        <>
          <div class="card">
            <PostForm action="/dashboard/forgotten-password" button="Send me a link" isWide>
              {emailField({ sent, isFirst: true })}
            </PostForm>
          </div>
          <p class="soft">
            Remember it? <a href="/dashboard/sign-in">Sign in</a>.
          </p>
        </>
      ),
    };
  };

  // The same whether or not the address has an account.
  const ask = async (context: PageContext): Promise<Response> => {
    requireMail(mail);
    const email = readEmail(context.var.form);
    accepted(await auth.post(context.env.request, '/request-password-reset', { email }));
    return context.render(
      linkSentPage(mail, email, { isCertain: false, more: <p>The link works for an hour.</p> }),
    );
  };

  const choosePage = (context: PageContext, sent: SentForm): Page => {
    const token = sent.values.token ?? context.req.query('token') ?? '';
    const next = sent.values.next ?? context.req.query('next') ?? '';
    if (token === '') {
      throw deadLink();
    }
    return {
      title: 'Choose a new password',
      isNarrow: true,
      main: (
        <div class="card">
          <PostForm
            action="/dashboard/reset-password"
            button="Set the password"
            isWide
            hidden={{ token, next }}
          >
            {newPasswordField({
              label: 'New password',
              sent,
              hint: `At least ${PASSWORD_MIN} characters. You are signed out everywhere else.`,
              isFirst: true,
            })}
          </PostForm>
        </div>
      ),
    };
  };

  const choose = async (context: PageContext): Promise<Response> => {
    const { token = '', next = '', password: newPassword = '' } = context.var.form;
    accepted(await auth.post(context.env.request, '/reset-password', { token, newPassword }));
    const query = next === '' ? '' : `&next=${encodeURIComponent(next)}`;
    return redirect(context, `/dashboard/sign-in?notice=new-password${query}`);
  };

  return new Hono<DashboardEnv>()
    .get('/dashboard/forgotten-password', view(askPage))
    .post('/dashboard/forgotten-password', action(askPage, ask))
    .get('/dashboard/reset-password', view(choosePage))
    .post('/dashboard/reset-password', action(choosePage, choose));
}
