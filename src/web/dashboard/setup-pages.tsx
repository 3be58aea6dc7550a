import { Hono } from 'hono';
import { isEmail } from '../../access/accounts/create.ts';
import { isSetupOpen, setUpOperator } from '../../access/accounts/links.ts';
import { trySignIn } from '../../access/accounts/sign-in/sign-in.ts';
import { buttonLink } from '../shared/components.tsx';
import { FACTOR_PATH } from './access.ts';
import { invalidEmail, passwordErrors } from './auth-errors.ts';
import { action, FieldErrors, type SentForm, view } from './form-actions.ts';
import { emailField, newPasswordField, PostForm, readEmail } from './forms.tsx';
import { type DashboardEnv, OtherPage, type Page, type PageContext, redirect } from './page.ts';
import type { Services } from './services.ts';

const PATH = '/dashboard/setup';

/** Setting up the first operator, by the link that a start prints. */
export function setupRoutes(services: Services): Hono<DashboardEnv> {
  const { auth, operators } = services;

  const page = async (context: PageContext, sent: SentForm): Promise<Page> => {
    const token = sent.values.token ?? context.req.query('token') ?? '';
    if (!(await isSetupOpen(services, token, operators))) {
      throw closed();
    }
    return {
      title: 'Set up the first operator',
      isNarrow: true,
      main: (
        <div class="card">
          <PostForm action={PATH} button="Create the operator's account" isWide hidden={{ token }}>
            <p>An operator imports startups, and sees and changes all keys and accounts.</p>
            {emailField({ sent, isFirst: true })}
            {newPasswordField({ sent })}
          </PostForm>
        </div>
      ),
    };
  };

  const setUp = async (context: PageContext): Promise<Response> => {
    const { token = '', password = '' } = context.var.form;
    const email = readEmail(context.var.form);
    const errors = { ...(isEmail(email) ? {} : invalidEmail), ...passwordErrors(password) };
    if (Object.keys(errors).length > 0) {
      throw new FieldErrors(errors);
    }
    // Hashing takes long, so only who has a link can ask for it.
    if (!(await isSetupOpen(services, token, operators))) {
      throw closed();
    }
    const passwordHash = await auth.hashPassword(password);
    if ((await setUpOperator(services, { token, email, passwordHash }, operators)) === undefined) {
      throw closed();
    }
    const { cookies } = await trySignIn(services, context.env.request, { email, password });
    const next = encodeURIComponent('/dashboard/operator?notice=operator');
    return redirect(context, `${FACTOR_PATH}?next=${next}`, cookies);
  };

  return new Hono<DashboardEnv>().get(PATH, view(page)).post(PATH, action(page, setUp));
}

/** The same page whatever the reason: it discloses nothing to those who have no link. */
function closed(): OtherPage {
  return new OtherPage({
    status: 400,
    title: 'This link does not work',
    isNarrow: true,
    main: (
      <>
        <p class="lead">
          It is older than an hour, was already used, or was not copied completely, or there is an operator
          already.
        </p>
        <p>
          If there is no operator yet, start the server again: it prints another link. On the command line,{' '}
          <code>revgate accounts create --operator</code> creates an operator's account.
        </p>
        <p class="actions">{buttonLink('/dashboard/sign-in', 'Sign in')}</p>
      </>
    ),
  });
}
