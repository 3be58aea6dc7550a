import { acceptPolicy } from '../../../access/accounts/change.ts';
import { isEmail } from '../../../access/accounts/create.ts';
import { findLinkedAccount, isSetupOpen, setUpOperator, signUp } from '../../../access/accounts/links.ts';
import { tooManyAttempts } from '../../../access/accounts/sign-in/auth.ts';
import { PASSWORD_MIN } from '../../../access/accounts/sign-in/passwords.ts';
import { createKey } from '../../../access/keys/create.ts';
import { addressSubject } from '../../../access/limits/subject.ts';
import { ApiError, OperatorError } from '../../../lib/errors.ts';
import type { MailOutcome } from '../../../lib/mail/outcome.ts';
import { ButtonForm, emailField, newPasswordField, readEmail } from '../../page/forms.tsx';
import { withNotice } from '../../page/notices.ts';
import {
  FieldErrors,
  keptNext,
  type OtherPage,
  type Outcome,
  type Page,
  page,
  safeNext,
  setCookies,
  someoneOf,
  type Visit,
} from '../../page/page.ts';
import { policyRules } from '../../page/policy.tsx';
import type { Services } from '../../page/services.ts';
import {
  accepted,
  deadLink,
  invalidEmail,
  linkSentPage,
  otherPage,
  outcomeOf,
  passwordErrors,
  requireMail,
  requireOpenSignUp,
} from '../../parts/accounts/auth-answers.tsx';
import { GITHUB } from '../../parts/accounts/github.ts';
import { keyNameField, shownOnce } from '../../parts/keys/new-key.tsx';
import { buttonLink } from '../../shared/components.tsx';
import {
  FACTOR_PATH,
  FORGOTTEN_PASSWORD_PATH,
  NEW_KEY_PATH,
  SIGN_IN_PATH,
  SIGN_UP_PATH,
  UPLOAD_PATH,
} from '../../shared/paths.ts';
import { asked, githubButton, signIn } from './sign-in-pages.tsx';

/** Addresses that can sign up in a minute from one network address. */
const SIGN_UPS = 5;

/** Signing up, a forgotten password, and the page behind their links, where people choose a password; the first operator. */
export function passwordPages(services: Services) {
  const { auth, mail, hasGithub, isInvitedOnly, counter, origin, policy, operators } = services;
  const signInLink = (question: string) => (
    <p class="soft">
      {question} <a href="/dashboard/sign-in">Sign in</a>.
    </p>
  );
  /** The same whether or not the address has an account. */
  const linkPage = (
    path: string,
    email: string,
    { isCertain, outcome }: { readonly isCertain: boolean; readonly outcome: MailOutcome },
  ): Page =>
    linkSentPage(mail, email, {
      isCertain,
      outcome,
      steps: 'Open the link within an hour.',
      actions: (
        <div class="actions">
          <ButtonForm action={path} hidden={{ email }}>
            Send it again
          </ButtonForm>
          <a href={path}>Use another address</a>
        </div>
      ),
    });
  /** Creates a key with the account. The link is used: a name that no key can have is asked for again on the page of new keys. */
  const firstKey = async (id: string, name: string): Promise<Outcome> => {
    try {
      const named = { name: name.trim(), tier: 'standard', policyVersion: policy.version, acceptedBy: id };
      return shownOnce(await createKey({ ...services, actor: id, holder: id }, named), origin);
    } catch (error) {
      if (error instanceof OperatorError) {
        return NEW_KEY_PATH;
      }
      throw error;
    }
  };
  /** Records the policy that a form has shown, unless there is a newer one. */
  const acceptIn = async (id: string, version: string | undefined): Promise<void> => {
    if (version === policy.version) {
      await acceptPolicy({ ...services, actor: id }, id, version);
    }
  };
  /** The token of a link, which its form sends on. */
  const tokenOf = ({ form, query }: Visit): string => form.token ?? query('token') ?? '';

  return [
    page({
      path: SIGN_UP_PATH,
      view: (visit) => {
        if (someoneOf(visit) !== undefined && visit.context.req.method === 'GET') {
          return safeNext(visit.query('next'), origin);
        }
        requireOpenSignUp(isInvitedOnly);
        if (!hasGithub) {
          requireMail(mail);
        }
        return {
          title: 'Sign up',
          button: 'Continue',
          ...asked(services, visit, 'Create a free account'),
          formTargets: hasGithub ? [GITHUB] : [],
          fields: [
            emailField({
              isFirst: true,
              autocomplete: 'email',
              hint: "We'll email you a link to set your password.",
            }),
          ],
          below: [hasGithub && githubButton('Sign up with GitHub'), signInLink('Already have an account?')],
        };
      },
      act: async (visit) => {
        requireOpenSignUp(isInvitedOnly);
        requireMail(mail);
        const email = readEmail(visit.form).toLowerCase();
        if (!isEmail(email)) {
          throw new FieldErrors(invalidEmail);
        }
        const { name } = addressSubject(visit.context.env.request.address);
        const attempt = await counter.reserve(`dashboard:sign-up:${name}`, 1, SIGN_UPS);
        if (!attempt.admitted) {
          throw tooManyAttempts(attempt.resetAt - services.now());
        }
        await signUp(services, email);
        const answer = accepted(await auth.postSignUp(visit.context.env.request, email));
        // An email is sent in any case: to sign up, or to sign in.
        const outcome = await outcomeOf(services, answer.mail);
        return linkPage(SIGN_UP_PATH, email, { isCertain: true, outcome });
      },
    }),
    page({
      path: FORGOTTEN_PASSWORD_PATH,
      load: () => requireMail(mail),
      view: () => ({
        title: 'Reset your password',
        button: 'Send link',
        fields: [emailField({ isFirst: true, hint: "We'll email you a link to choose a new password." })],
        below: signInLink('Remember it?'),
      }),
      act: async (visit) => {
        const email = readEmail(visit.form);
        accepted(await auth.post(visit.context.env.request, '/request-password-reset', { email }));
        // Only an account gets an email, so the page does not wait for it.
        const outcome = await outcomeOf(services, undefined);
        return linkPage(FORGOTTEN_PASSWORD_PATH, email, { isCertain: false, outcome });
      },
    }),
    page({
      path: '/dashboard/reset-password',
      load: async (visit) => {
        const token = tokenOf(visit);
        const account = await findLinkedAccount(services, token, operators);
        if (account === null) {
          throw deadLink();
        }
        return { token, account };
      },
      view: ({ context, form, query }, { token, account: { email, emailVerified } }) => {
        const next = form.next ?? query('next') ?? '';
        const hidden = { token, next };
        const hint = emailVerified
          ? `At least ${PASSWORD_MIN} characters. You are signed out everywhere else.`
          : `At least ${PASSWORD_MIN} characters, of any kind. Longer is safer.`;
        return {
          text: ['You sign in with ', <strong>{email}</strong>, '.'],
          fields: [
            newPasswordField({ hint, isFirst: true }),
            ...(!emailVerified && (next || keptNext(context)) === NEW_KEY_PATH
              ? [keyNameField({ label: 'Name of your first API key', value: 'First key', isFirst: false })]
              : []),
          ],
          ...(emailVerified
            ? { title: 'Choose a new password', button: 'Set password', hidden }
            : {
                title: 'Create your account',
                button: 'Accept and continue',
                hidden: { ...hidden, accept: policy.version },
                after: policyRules(policy),
              }),
        };
      },
      act: async (visit, { token, account: { id, email } }) => {
        const { next, password = '', accept, name } = visit.form;
        const body = { token, newPassword: password };
        accepted(await auth.post(visit.context.env.request, '/reset-password', body));
        await acceptIn(id, accept);
        const credentials = { email: email ?? '', password };
        try {
          const outcome = (await signIn(services, visit, credentials, next)) ?? SIGN_IN_PATH;
          const isForKey = typeof outcome === 'object' && 'to' in outcome && outcome.to === NEW_KEY_PATH;
          if (!isForKey || name === undefined) {
            return outcome;
          }
          setCookies(visit.context, outcome.cookies);
          return await firstKey(id, name);
        } catch (error) {
          // The link is used: too many attempts to sign in are no reason to open it again.
          if (error instanceof ApiError && error.code === 'RATE_LIMITED') {
            return withNotice(SIGN_IN_PATH, 'new-password');
          }
          throw error;
        }
      },
    }),
    page({
      path: '/dashboard/setup',
      // Before the form acts, too: hashing takes long, so only who has a link can ask for it.
      load: async (visit) => {
        const token = tokenOf(visit);
        if (!(await isSetupOpen(services, token, operators))) {
          throw closed();
        }
        return token;
      },
      view: (_, token) => ({
        title: 'Set up the first operator',
        button: 'Accept and create operator account',
        hidden: { token, accept: policy.version },
        text: 'An operator imports startups, and sees and changes all keys and accounts.',
        fields: [emailField({ isFirst: true }), newPasswordField()],
        after: policyRules(policy),
      }),
      act: async (visit, token) => {
        const { password = '', accept } = visit.form;
        const email = readEmail(visit.form);
        const errors = { ...(isEmail(email) ? {} : invalidEmail), ...passwordErrors(password) };
        if (Object.keys(errors).length > 0) {
          throw new FieldErrors(errors);
        }
        const passwordHash = await auth.hashPassword(password);
        const account = await setUpOperator(services, { token, email, passwordHash }, operators);
        if (account === undefined) {
          throw closed();
        }
        await acceptIn(account.id, accept);
        return (
          (await signIn(services, visit, { email, password }, FACTOR_PATH, UPLOAD_PATH)) ?? closed().page
        );
      },
    }),
  ];
}

/** The same page whatever the reason: it discloses nothing to those who have no link. */
function closed(): OtherPage {
  return otherPage(400, 'This link does not work', [
    <p class="lead">
      It is older than an hour, was already used, or was not copied completely, or there is an operator
      already.
    </p>,
    <p>
      If there is no operator yet, start the server again: it prints another link. On the command line,{' '}
      <code>revgate accounts create --operator</code> creates an operator's account.
    </p>,
    <p class="actions">{buttonLink('/dashboard/sign-in', 'Sign in')}</p>,
  ]);
}
