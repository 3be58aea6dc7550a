import { isEmail } from '../../access/accounts/create.ts';
import { isSetupOpen, setUpOperator } from '../../access/accounts/links.ts';
import { trySignIn } from '../../access/accounts/sign-in/sign-in.ts';
import { buttonLink } from '../shared/components.tsx';
import { FACTOR_PATH } from './access.ts';
import { invalidEmail, otherPage, passwordErrors } from './auth-answers.tsx';
import { emailField, formPage, newPasswordField, readEmail } from './forms.tsx';
import { FieldErrors, type OtherPage, page } from './page.ts';
import type { Services } from './services.ts';

/** Setting up the first operator, by the link that a start prints. */
export function setupPages(services: Services) {
  const { auth, operators } = services;
  return [
    page({
      path: '/dashboard/setup',
      view: async (visit) => {
        const token = visit.sent.values.token ?? visit.query('token') ?? '';
        if (!(await isSetupOpen(services, token, operators))) {
          throw closed();
        }
        return formPage(visit, {
          title: 'Set up the first operator',
          button: 'Create operator account',
          hidden: { token },
          text: 'An operator imports startups, and sees and changes all keys and accounts.',
          fields: [emailField({ isFirst: true }), newPasswordField()],
        });
      },
      forms: {
        '': async ({ context, form }) => {
          const { token = '', password = '' } = form;
          const email = readEmail(form);
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
          return { to: `${FACTOR_PATH}?next=${next}`, cookies };
        },
      },
    }),
  ];
}

/** The same page whatever the reason: it discloses nothing to those who have no link. */
function closed(): OtherPage {
  return otherPage(
    400,
    'This link does not work',
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
    </>,
  );
}
