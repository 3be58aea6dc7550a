import {
  base32,
  readSecret,
  setFactor,
  totpUri,
  unsetFactor,
} from '../../../access/accounts/second-factor.ts';
import type { Auth, Visitor } from '../../../access/accounts/sign-in/auth.ts';
import { OperatorError } from '../../../lib/errors.ts';
import { ButtonForm, FormCard, formPage, passwordField } from '../../page/forms.tsx';
import { withNotice } from '../../page/notices.ts';
import {
  type Field,
  type FormContent,
  type Outcome,
  type Page,
  type PageContext,
  page,
  safeNext,
  someoneOf,
  type Visit,
} from '../../page/page.ts';
import { enterFactor, factorField, factorIfOld, requireFreshFactor } from '../../page/second-factor.ts';
import { actingFor, type Services } from '../../page/services.ts';
import { accepted } from '../../parts/accounts/auth-answers.tsx';
import { CodeBlock, CopyButton } from '../../shared/code-blocks.tsx';
import { buttonLink } from '../../shared/components.tsx';
import { pageLinks } from '../../shared/page-links.ts';
import { FACTOR_PATH } from '../../shared/paths.ts';
import { Steps } from '../../shared/steps.tsx';
import { QrCode } from './qr-code.tsx';

const ACCOUNT_PATH = pageLinks.account.path;

const steps = ['Start', 'Scan', 'Recovery codes'] as const;
/** Where a visitor is in setting it up, on pages that stand alone. @param later where who wants no factor now goes. */
const setUpStep = (current: (typeof steps)[number], later?: string) => ({
  isAlone: true,
  above: [
    <Steps steps={steps} current={current} />,
    later !== undefined && (
      <p class="soft small">
        You can do this later. <a href={later}>Not now</a>
      </p>
    ),
  ],
});

/** Whose factor it is. */
type Holder = Pick<Visitor, 'id' | 'email' | 'isOperator'>;

/**
 * Begins to set up the second factor of an account.
 *
 * @param sender a request with the session of the account.
 * @param next where to go then.
 */
export async function startFactor(
  services: Services,
  account: Holder & { readonly password: string | undefined },
  sender: Parameters<Auth['post']>[0],
  next: string,
): Promise<Outcome> {
  const answer = await services.auth.post(sender, '/two-factor/enable', passwordOf(account.password));
  if (answer.code === 'TOTP_ALREADY_ENABLED') {
    // In another tab, meanwhile: its page says so.
    return FACTOR_PATH;
  }
  accepted(answer);
  return setUpPage(services, account, next);
}

/** What better-auth checks. */
const passwordOf = (password: string | undefined) => (password ? { password } : {});

/** The QR code of a factor that is being set up; or the page that says how far that is, if none is any more. */
async function setUpPage(
  { auth, prisma, service, requiresFactor }: Services,
  { id, email, isOperator }: Holder,
  next: string,
  sent: Visit['sent'] = { values: {}, errors: {} },
): Promise<Outcome> {
  const factor = await prisma.twoFactor.findUnique({ where: { userId: id, verified: false } });
  if (factor === null) {
    return FACTOR_PATH;
  }
  const secret = await readSecret(auth, factor.secret);
  const uri = totpUri(secret, service.name, email);
  const isRequired = requiresFactor && isOperator;
  const path = `${FACTOR_PATH}/confirm`;
  return formPage(
    { path, up: '', sent, factor: [] },
    {
      ...setUpStep('Scan', isRequired ? undefined : next),
      title: 'Scan the code',
      button: 'Turn on',
      hidden: { next },
      text: 'Scan it with your authenticator app, or enter the secret there. Then enter the code that the app shows.',
      children: [
        // On a phone, the app is there.
        <p class="phone">
          <a class="button second" href={uri}>
            Open your authenticator app
          </a>
        </p>,
        <QrCode text={uri} label="QR code for an authenticator app" />,
        <div class="actions secret">
          <code id="secret">{base32(secret).replace(/.{4}(?=.)/g, '$& ')}</code>
          <CopyButton of="secret" label="Copy the secret" isQuiet />
        </div>,
      ],
      fields: [
        { ...factorField, label: '6-digit code', hint: 'From your authenticator app.', isFirst: true },
      ],
      below: isRequired && <p class="soft">Operators of this server need one.</p>,
    },
  );
}

function recoveryPage(codes: readonly string[], next: string): Page {
  return {
    title: 'Your recovery codes',
    isNarrow: true,
    isAlone: true,
    main: [
      setUpStep('Recovery codes').above,
      <div class="card">
        <p>
          Keep them somewhere you can reach without your phone. Each works once in place of a code of the app.{' '}
          <strong>They are shown only once.</strong>
        </p>
        <CodeBlock id="codes" label="Recovery codes" title="Recovery codes">
          {codes.map((code, index) => [index % 2 > 0 ? '   ' : index > 0 && '\n', code])}
        </CodeBlock>
        <p>{buttonLink(next, 'I have saved them')}</p>
      </div>,
    ],
  };
}

/**
 * Giving the second factor after signing in, setting it up, and turning it off. The only pages of a pending session, which
 * lacks the factor.
 */
export function factorPages(services: Services) {
  const { auth, prisma, requiresFactor, origin } = services;
  const nextOf = ({ form, query }: Visit): string => safeNext(form.next ?? query('next'), origin);
  const isRequiredOf = ({ isOperator }: Visitor): boolean => requiresFactor && isOperator;

  /** Who has signed in, with or without the factor. */
  const whoever = (visit: Visit): Visitor =>
    (someoneOf(visit) ?? (visit.context as unknown as PageContext).var.pending) as Visitor;
  const isPending = (visit: Visit): boolean => someoneOf(visit) === undefined;

  const passwordFields = async (visit: Visit): Promise<Field[]> => {
    const where = { userId: whoever(visit).id, providerId: 'credential' };
    return (await prisma.accountProvider.count({ where })) === 0
      ? []
      : [passwordField({ name: 'current', label: 'Your password' })];
  };

  const settings = async (visit: Visit): Promise<Page> => ({
    title: 'Second factor',
    isNarrow: true,
    back: pageLinks.account,
    main: [
      <FormCard
        title="New recovery codes"
        text="The second factor is on: to sign in, you need a code of your app, or a recovery code."
        action={`${FACTOR_PATH}/codes`}
        button="Replace recovery codes"
        kind="second"
        sent={visit.sent}
        fields={[...(await passwordFields(visit)), ...factorIfOld(services, visit.visitor)]}
      />,
      !isRequiredOf(visit.visitor) && (
        <FormCard
          title="Turn it off"
          text="Then a password is enough to sign in."
          isDanger
          action={`${FACTOR_PATH}/remove`}
          button="Turn off"
          sent={visit.sent}
          fields={[factorField]}
        />
      ),
    ],
  });

  const giveOrSetUp = async (visit: Visit): Promise<FormContent> => {
    const hidden = { next: nextOf(visit) };
    const leave = isPending(visit) && <ButtonForm action="/dashboard/sign-out">Sign out</ButtonForm>;
    const below = (text: string) => [<p class="soft">{text}</p>, leave];
    return whoever(visit).hasFactor
      ? {
          title: 'Enter your code',
          button: 'Continue',
          hidden,
          fields: [{ ...factorField, isFirst: true }],
          below: below(
            'Lost your phone and your recovery codes? Ask the operator of this server to reset your second factor.',
          ),
        }
      : {
          ...setUpStep('Start', isPending(visit) ? undefined : ACCOUNT_PATH),
          title: 'Set up a second factor',
          action: `${FACTOR_PATH}/start`,
          button: 'Show the QR code',
          hidden,
          text: 'An authenticator app on your phone shows a code that you enter when you sign in. A stolen password alone is then not enough.',
          fields: await passwordFields(visit),
          below: isPending(visit) && below('Operators of this server need one.'),
        };
  };

  return [
    page({
      path: FACTOR_PATH,
      view: async (visit) =>
        whoever(visit).hasFactor && !isPending(visit) ? settings(visit) : giveOrSetUp(visit),
      act: async (visit) => {
        if (!whoever(visit).hasFactor) {
          return FACTOR_PATH;
        }
        await enterFactor(services, whoever(visit), visit.form);
        return nextOf(visit);
      },
      forms: {
        '/start': async (visit) => {
          const account = whoever(visit);
          const password = visit.form.current;
          return account.hasFactor
            ? FACTOR_PATH
            : startFactor(services, { ...account, password }, visit.context.env.request, nextOf(visit));
        },
        '/codes': async (visit) => {
          await requireFreshFactor(services, visit.context);
          const { request } = visit.context.env;
          const body = passwordOf(visit.form.current);
          const answer = await auth.post(request, '/two-factor/generate-backup-codes', body);
          if (answer.code === 'TWO_FACTOR_NOT_ENABLED') {
            // Turned off in another tab.
            return FACTOR_PATH;
          }
          return recoveryPage(accepted(answer).body.backupCodes as string[], ACCOUNT_PATH);
        },
        '/remove': async (visit) => {
          if (!visit.visitor.hasFactor) {
            return FACTOR_PATH;
          }
          if (isRequiredOf(visit.visitor)) {
            throw new OperatorError('Operators of this server need a second factor.');
          }
          await enterFactor(services, visit.visitor, visit.form);
          await unsetFactor(visit.acting, visit.visitor.id);
          return withNotice(ACCOUNT_PATH, 'factor-off');
        },
      },
    }),
    page({
      path: `${FACTOR_PATH}/confirm`,
      isFormOnly: true,
      view: (visit) => setUpPage(services, whoever(visit), nextOf(visit), visit.sent),
      act: async (visit) => {
        const visitor = whoever(visit);
        await enterFactor(services, visitor, visit.form, true);
        const codes = await setFactor({ ...actingFor(services, visitor), auth }, visitor.id);
        return codes === undefined ? FACTOR_PATH : recoveryPage(codes, nextOf(visit));
      },
    }),
  ];
}
