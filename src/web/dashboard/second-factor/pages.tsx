import { setFactor, unsetFactor } from '../../../access/accounts/second-factor/change.ts';
import { readSecret } from '../../../access/accounts/second-factor/check.ts';
import { base32, totpUri } from '../../../access/accounts/second-factor/totp.ts';
import type { Visitor } from '../../../access/accounts/sign-in/visitor.ts';
import { OperatorError } from '../../../lib/errors.ts';
import { Badge, buttonLink } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { FACTOR_PATH } from '../access.ts';
import { accepted } from '../auth-errors.ts';
import { ButtonForm, formPage, PostForm, passwordField } from '../forms.tsx';
import { safeNext } from '../next.ts';
import { type Page, type PageContext, page, someoneOf, type Visit } from '../page.ts';
import { actingFor, type Services } from '../services.ts';
import { enterFactor, factorField, factorFieldIfOld, requireFreshFactor } from './factor-form.tsx';
import { QrCode } from './qr-code.tsx';

const ACCOUNT_PATH = '/dashboard/account';

/**
 * Giving the second factor after signing in, setting it up, and turning it off. The only pages of a pending session, which
 * lacks the factor.
 */
export function factorPages(services: Services) {
  const { auth, prisma, service, requiresFactor, origin } = services;
  const nextOf = ({ form, query }: Visit): string => safeNext(form.next ?? query('next'), origin);
  const isRequiredOf = ({ isOperator }: Visitor): boolean => requiresFactor && isOperator;

  /** Who has signed in, with or without the factor. */
  const whoever = (visit: Visit): Visitor =>
    (someoneOf(visit) ?? (visit.context as unknown as PageContext).var.pending) as Visitor;
  const isPending = (visit: Visit): boolean => someoneOf(visit) === undefined;

  const passwordOf = async (visit: Visit): Promise<Html | null> => {
    const where = { userId: whoever(visit).id, providerId: 'credential' };
    return (await prisma.accountProvider.count({ where })) === 0
      ? null
      : passwordField({ name: 'current', label: 'Your password', sent: visit.sent });
  };
  /** What better-auth checks. */
  const passwordIn = ({ form: { current: password } }: Visit) => (password ? { password } : {});

  const recoveryPage = (codes: readonly string[], next: string): Page => ({
    title: 'Your recovery codes',
    isNarrow: true,
    main: (
      <div class="card">
        <p>
          Store them where you find them without your phone. Each works once in place of a code of the app.{' '}
          <strong>They are shown only once.</strong>
        </p>
        <ul class="mono">
          {codes.map((code) => (
            <li>{code}</li>
          ))}
        </ul>
        <p>{buttonLink(next, 'I have stored them')}</p>
      </div>
    ),
  });

  /** The QR code of a factor that is being set up. */
  const setUpPage = async (visit: Visit): Promise<Page> => {
    const { id, email } = whoever(visit);
    const factor = await prisma.twoFactor.findUnique({ where: { userId: id, verified: false } });
    if (factor === null) {
      throw new OperatorError('Nothing is being set up. Begin again.');
    }
    const secret = await readSecret(auth, factor.secret);
    return formPage(visit, {
      title: 'Scan the QR code',
      action: `${FACTOR_PATH}/confirm`,
      button: 'Turn on',
      isWide: true,
      hidden: { next: nextOf(visit) },
      children: (
        <>
          <p>
            Scan it with an authenticator app, or type in the secret. Then enter the code that the app shows.
          </p>
          <QrCode text={totpUri(secret, service.name, email)} label="QR code for an authenticator app" />
          <p class="mono wrap">{base32(secret)}</p>
          {factorField(visit.sent, true)}
        </>
      ),
    });
  };

  const settings = async (visit: Visit): Promise<Page> => ({
    title: 'Second factor',
    isNarrow: true,
    back: { path: ACCOUNT_PATH, label: 'Account' },
    main: (
      <>
        <section class="card">
          <p>
            <Badge tone="good">on</Badge> Signing in needs a code of your app, or a recovery code.
          </p>
          <h2>New recovery codes</h2>
          <PostForm action={`${FACTOR_PATH}/codes`} button="Replace recovery codes" kind="second">
            {await passwordOf(visit)}
            {factorFieldIfOld(services, visit.visitor, visit.sent)}
          </PostForm>
        </section>
        {!isRequiredOf(visit.visitor) && (
          <section class="card danger">
            <h2>Turn it off</h2>
            <p>Then a password is enough to sign in.</p>
            <PostForm action={`${FACTOR_PATH}/remove`} button="Turn off" kind="danger">
              {factorField(visit.sent)}
            </PostForm>
          </section>
        )}
      </>
    ),
  });

  const giveOrSetUp = async (visit: Visit): Promise<Page> => {
    const { hasFactor } = whoever(visit);
    const hidden = { next: nextOf(visit) };
    const leave = isPending(visit) && (
      <ButtonForm action="/dashboard/sign-out" hidden={{}}>
        Sign out
      </ButtonForm>
    );
    return hasFactor
      ? formPage(visit, {
          title: 'Enter your code',
          button: 'Continue',
          isWide: true,
          hidden,
          children: factorField(visit.sent, true),
          below: (
            <>
              <p class="soft">Lost both? Ask the operator of this server to reset your second factor.</p>
              {leave}
            </>
          ),
        })
      : formPage(visit, {
          title: 'Set up a second factor',
          action: `${FACTOR_PATH}/start`,
          button: 'Show the QR code',
          isWide: true,
          hidden,
          children: (
            <>
              <p>
                An authenticator app on your phone shows a code, which you enter when you sign in: a password
                alone opens nothing.
              </p>
              {await passwordOf(visit)}
            </>
          ),
          below: (
            <>
              {isPending(visit) ? (
                <p class="soft">Operators of this server need one.</p>
              ) : (
                <p>
                  <a href={hidden.next}>Not now</a>
                </p>
              )}
              {leave}
            </>
          ),
        });
  };

  return [
    page({
      path: FACTOR_PATH,
      view: (visit) => (whoever(visit).hasFactor && !isPending(visit) ? settings(visit) : giveOrSetUp(visit)),
      forms: {
        '': async (visit) => {
          await enterFactor(services, visit.context.env.request, whoever(visit), visit.form);
          return nextOf(visit);
        },
        '/start': async (visit) => {
          if (whoever(visit).hasFactor) {
            return FACTOR_PATH;
          }
          accepted(await auth.post(visit.context.env.request, '/two-factor/enable', passwordIn(visit)));
          return setUpPage(visit);
        },
        '/codes': async (visit) => {
          await requireFreshFactor(services, visit.context);
          const { request } = visit.context.env;
          const made = await auth.post(request, '/two-factor/generate-backup-codes', passwordIn(visit));
          return recoveryPage(accepted(made).body.backupCodes as string[], ACCOUNT_PATH);
        },
        '/remove': async (visit) => {
          if (isRequiredOf(visit.visitor)) {
            throw new OperatorError('Operators of this server need a second factor.');
          }
          await enterFactor(services, visit.context.env.request, visit.visitor, visit.form);
          await unsetFactor(visit.acting, visit.visitor.id);
          return `${ACCOUNT_PATH}?notice=factor-off`;
        },
      },
    }),
    page({
      path: `${FACTOR_PATH}/confirm`,
      isFormOnly: true,
      view: setUpPage,
      forms: {
        '': async (visit) => {
          const visitor = whoever(visit);
          await enterFactor(services, visit.context.env.request, visitor, visit.form, true);
          await setFactor(actingFor(services, visitor), visitor.id);
          const { backupCodes } = await prisma.twoFactor.findUniqueOrThrow({ where: { userId: visitor.id } });
          return recoveryPage(JSON.parse(await auth.decrypt(backupCodes)), nextOf(visit));
        },
      },
    }),
  ];
}
