import { Hono } from 'hono';
import { setFactor, unsetFactor } from '../../../access/accounts/second-factor/change.ts';
import { readSecret } from '../../../access/accounts/second-factor/check.ts';
import { base32, totpUri } from '../../../access/accounts/second-factor/totp.ts';
import type { Visitor } from '../../../access/accounts/sign-in/visitor.ts';
import { OperatorError } from '../../../lib/errors.ts';
import { Badge, buttonLink } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { FACTOR_PATH } from '../access.ts';
import { accepted } from '../auth-errors.ts';
import { action, type SentForm, view } from '../form-actions.ts';
import { ButtonForm, PostForm, passwordField } from '../forms.tsx';
import { safeNext } from '../next.ts';
import { type DashboardEnv, type Page, type PageContext, redirect, type SignedInContext } from '../page.ts';
import { actingFor, type Services } from '../services.ts';
import { enterFactor, factorField, factorFieldIfOld, requireFreshFactor } from './factor-form.tsx';
import { QrCode } from './qr-code.tsx';

const ACCOUNT_PATH = '/dashboard/account';

/**
 * Giving the second factor after signing in, setting it up, and turning it off. The only pages of a pending session, which
 * lacks the factor.
 */
export function factorRoutes(services: Services): Hono<DashboardEnv> {
  const { auth, prisma, service, requiresFactor, origin } = services;

  const nextOf = (context: PageContext): string =>
    safeNext(context.var.form.next ?? context.req.query('next'), origin);

  /** Who has signed in, with or without the factor. */
  const whoever = ({ var: { visitor, pending } }: PageContext): Visitor => (visitor ?? pending) as Visitor;
  const isRequiredOf = ({ isOperator }: Visitor): boolean => requiresFactor && isOperator;

  const passwordOf = async ({ id }: Visitor, sent: SentForm): Promise<Html | null> =>
    (await prisma.accountProvider.count({ where: { userId: id, providerId: 'credential' } })) === 0
      ? null
      : passwordField({ name: 'current', label: 'Your password', sent });

  const page = async (context: PageContext, sent: SentForm): Promise<Page> => {
    const { pending } = context.var;
    const visitor = whoever(context);
    const common = { isNarrow: true, title: 'Second factor' };
    const leave = pending !== undefined && (
      <ButtonForm action="/dashboard/sign-out" hidden={{}}>
        Sign out
      </ButtonForm>
    );
    const hidden = { next: nextOf(context) };
    if (visitor.hasFactor && pending !== undefined) {
      return {
        ...common,
        title: 'Enter your code',
        main: (
          <>
            <div class="card">
              <PostForm action={FACTOR_PATH} button="Continue" isWide hidden={hidden}>
                {factorField(sent, true)}
              </PostForm>
            </div>
            <p class="soft">Lost both? Ask the operator of this server to reset your second factor.</p>
            {leave}
          </>
        ),
      };
    }
    const password = await passwordOf(visitor, sent);
    if (!visitor.hasFactor) {
      return {
        ...common,
        title: 'Set up a second factor',
        main: (
          <>
            <div class="card">
              <PostForm action={`${FACTOR_PATH}/start`} button="Show the QR code" isWide hidden={hidden}>
                <p>
                  An authenticator app on your phone shows a code, which you enter when you sign in: a
                  password alone opens nothing.
                </p>
                {password}
              </PostForm>
            </div>
            {pending === undefined ? (
              <p>
                <a href={hidden.next}>Not now</a>
              </p>
            ) : (
              <p class="soft">Operators of this server need one.</p>
            )}
            {leave}
          </>
        ),
      };
    }
    return {
      ...common,
      back: { path: ACCOUNT_PATH, label: 'Account' },
      main: (
        <>
          <section class="card">
            <p>
              <Badge tone="good">on</Badge> Signing in needs a code of your app, or a recovery code.
            </p>
            <h2>New recovery codes</h2>
            <PostForm action={`${FACTOR_PATH}/codes`} button="Replace recovery codes" kind="second">
              {password}
              {factorFieldIfOld(services, visitor, sent)}
            </PostForm>
          </section>
          {!isRequiredOf(visitor) && (
            <section class="card danger">
              <h2>Turn it off</h2>
              <p>Then a password is enough to sign in.</p>
              <PostForm action={`${FACTOR_PATH}/remove`} button="Turn off" kind="danger">
                {factorField(sent)}
              </PostForm>
            </section>
          )}
        </>
      ),
    };
  };

  /** The QR code of a factor that is being set up. */
  const setUpPage = async (context: PageContext, sent: SentForm): Promise<Page> => {
    const { id, email } = whoever(context);
    const factor = await prisma.twoFactor.findUnique({ where: { userId: id, verified: false } });
    if (factor === null) {
      throw new OperatorError('Nothing is being set up. Begin again.');
    }
    const secret = await readSecret(auth, factor.secret);
    return {
      title: 'Scan the QR code',
      isNarrow: true,
      main: (
        <div class="card">
          <p>
            Scan it with an authenticator app, or type in the secret. Then enter the code that the app shows.
          </p>
          <QrCode text={totpUri(secret, service.name, email)} label="QR code for an authenticator app" />
          <p class="mono wrap">{base32(secret)}</p>
          <PostForm
            action={`${FACTOR_PATH}/confirm`}
            button="Turn on"
            isWide
            hidden={{ next: nextOf(context) }}
          >
            {factorField(sent, true)}
          </PostForm>
        </div>
      ),
    };
  };

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

  const give = async (context: PageContext): Promise<Response> => {
    await enterFactor(services, context.env.request, whoever(context), context.var.form);
    return redirect(context, nextOf(context));
  };

  const start = async (context: PageContext): Promise<Response> => {
    const { hasFactor } = whoever(context);
    if (hasFactor) {
      return redirect(context, FACTOR_PATH);
    }
    const { current: password } = context.var.form;
    accepted(await auth.post(context.env.request, '/two-factor/enable', password ? { password } : {}));
    return context.render(await setUpPage(context, { values: {}, errors: {} }));
  };

  const confirm = async (context: PageContext): Promise<Response> => {
    const visitor = whoever(context);
    await enterFactor(services, context.env.request, visitor, context.var.form, true);
    await setFactor(actingFor(services, visitor), visitor.id);
    const { backupCodes } = await prisma.twoFactor.findUniqueOrThrow({ where: { userId: visitor.id } });
    const codes: string[] = JSON.parse(await auth.decrypt(backupCodes));
    return context.render(recoveryPage(codes, nextOf(context)));
  };

  const replaceCodes = async (context: SignedInContext): Promise<Response> => {
    await requireFreshFactor(services, context);
    const { current: password } = context.var.form;
    const path = '/two-factor/generate-backup-codes';
    const { body } = accepted(await auth.post(context.env.request, path, password ? { password } : {}));
    return context.render(recoveryPage(body.backupCodes as string[], ACCOUNT_PATH));
  };

  const remove = async (context: SignedInContext): Promise<Response> => {
    const { visitor, form } = context.var;
    if (isRequiredOf(visitor)) {
      throw new OperatorError('Operators of this server need a second factor.');
    }
    await enterFactor(services, context.env.request, visitor, form);
    await unsetFactor(actingFor(services, visitor), visitor.id);
    return redirect(context, `${ACCOUNT_PATH}?notice=factor-off`);
  };

  const app = new Hono<DashboardEnv>();
  app.use(`${FACTOR_PATH}/*`, async (context, next) => {
    const { visitor, pending } = context.var;
    const isPending = visitor === undefined && pending !== undefined;
    const isOwn = /\/(codes|remove)$/.test(context.req.path);
    return (visitor === undefined && !isPending) || (isPending && isOwn)
      ? redirect(context, isPending ? FACTOR_PATH : '/dashboard/sign-in')
      : next();
  });
  return app
    .get(FACTOR_PATH, view(page))
    .post(FACTOR_PATH, action(page, give))
    .post(`${FACTOR_PATH}/start`, action(page, start))
    .post(`${FACTOR_PATH}/confirm`, action(setUpPage, confirm))
    .post(
      `${FACTOR_PATH}/codes`,
      action(page, (context) => replaceCodes(context as SignedInContext)),
    )
    .post(
      `${FACTOR_PATH}/remove`,
      action(page, (context) => remove(context as SignedInContext)),
    );
}
