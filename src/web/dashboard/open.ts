import type { OperatorAddresses } from '../../access/accounts/operators.ts';
import { createAuth } from '../../access/accounts/sign-in/auth.ts';
import type { PasswordHashing } from '../../access/accounts/sign-in/passwords.ts';
import { createUnsubscribeLinks } from '../../access/mails/saved-mail-settings.ts';
import type { AuthenticateSession } from '../../api/gateway/authentication.ts';
import type { Mailer } from '../../lib/mail/open-mailer.ts';
import { createOperatorCheck, type FindOperator } from '../page/access.ts';
import type { SharedServices } from '../page/services.ts';
import { brandOf } from '../shared/brand.ts';
import type { AnswerPage } from '../shared/hono-app.ts';
import { createDashboard, switchedOff } from './dashboard.tsx';
import { createSessionAccess } from './graphql/session-pages.ts';

/** The operator's settings of the dashboard. */
export interface DashboardSettings {
  /** The public origin of the gateway, such as https://api.example.com; read at the first request. */
  readonly origin: () => string;
  /** Signs cookies and the tokens of mails; undefined: there is no dashboard. */
  readonly secret: string | undefined;
  readonly github: { readonly clientId: string; readonly clientSecret: string } | undefined;
  readonly mailer: Mailer;
  /** Whether only invited people get an account; false by default. */
  readonly isInvitedOnly?: boolean | undefined;
  /** None by default. */
  readonly operators?: OperatorAddresses | undefined;
  /** Whether operators need a second factor; false by default. */
  readonly requiresFactor?: boolean | undefined;
  /** How passwords are hashed; with scrypt by default. */
  readonly hashing?: PasswordHashing | undefined;
}

export interface OpenDashboardOptions extends SharedServices {
  /** Undefined: there is no dashboard. */
  readonly dashboard?: DashboardSettings | undefined;
  /** The URL of a file of `assets/`. */
  readonly assetUrl: (name: string) => string;
  /** Receives every error that is masked for visitors. */
  readonly report: (error: unknown, requestId: string) => void;
  /** Receives errors that no visitor sees, such as a mail that could not be sent. */
  readonly onError: (error: unknown) => void;
}

/** Opens the dashboard at its first request. */
export function openDashboard({
  dashboard: settings,
  assetUrl,
  report,
  onError,
  ...shared
}: OpenDashboardOptions): {
  /** Answers every path at and below /dashboard. */
  pages: AnswerPage;
  /** Undefined if signing in is not possible. */
  authenticateSession: AuthenticateSession | undefined;
  /** The same. */
  findOperator: FindOperator | undefined;
} {
  const look = { brand: brandOf(shared.service), assetUrl };
  const secret = settings?.secret;
  if (settings === undefined || secret === undefined) {
    return {
      pages: (_request, env) => switchedOff(env.request.path, look),
      authenticateSession: undefined,
      findOperator: undefined,
    };
  }
  let opened: ReturnType<typeof build> | undefined;
  const build = () => {
    const { github, mailer, isInvitedOnly = false, operators = [], requiresFactor = false } = settings;
    const origin = settings.origin();
    const own = { isInvitedOnly, operators, requiresFactor, origin };
    const auth = createAuth({ ...shared, ...settings, ...own, secret, onError });
    const hasGithub = github !== undefined;
    const unsubscribeLinks = createUnsubscribeLinks(secret);
    const services = {
      ...shared,
      ...own,
      auth,
      mail: mailer.kind,
      checkMail: mailer.check,
      unsubscribeLinks,
      hasGithub,
    };
    return {
      pages: createDashboard(services, look, report),
      authenticateSession: createSessionAccess(services),
      findOperator: createOperatorCheck(services),
    };
  };
  const open = () => (opened ??= build());
  return {
    pages: (request, env) => open().pages.fetch(request, env),
    authenticateSession: (request) => open().authenticateSession(request),
    findOperator: (request) => open().findOperator(request),
  };
}
