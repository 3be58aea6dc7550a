import type { GatewayResponse } from '../handler.ts';
import type { Mailer } from '../mail/mail.ts';
import { type Assets, openAssets } from './assets.ts';
import { createAuth } from './auth.ts';
import { createDashboard, type Dashboard, securityHeaders } from './dashboard.ts';
import type { PasswordHashing } from './passwords.ts';
import { createRoutes } from './routes.ts';
import type { Services } from './services.ts';

/** What an operator sets of the dashboard. */
export interface DashboardSettings {
  /** Where the gateway is reached, such as https://api.example.com; asked at the first request. */
  readonly origin: () => string;
  /** Signs cookies and the tokens of mails; undefined: there is no dashboard. */
  readonly secret: string | undefined;
  readonly github: { readonly clientId: string; readonly clientSecret: string } | undefined;
  readonly mailer: Mailer;
  /** How passwords are hashed; with scrypt where it is not given. */
  readonly hashing?: PasswordHashing | undefined;
}

interface OpenDashboardOptions extends Omit<Services, 'auth' | 'origin' | 'mail' | 'hasGithub'> {
  /** Undefined: there is no dashboard. */
  readonly settings: DashboardSettings | undefined;
  /** Told of every fault that a visitor sees masked. */
  readonly report: (error: unknown, requestId: string) => void;
  /** Told of faults that no visitor sees, such as a mail that did not leave. */
  readonly onFault: (error: unknown) => void;
}

const ASSETS = new URL('../../assets/', import.meta.url);

/** Reads the files of the dashboard, and opens it at its first request. */
export function openDashboard(options: OpenDashboardOptions): Dashboard {
  const assets = openAssets(ASSETS);
  let dashboard: Dashboard | undefined;
  return (request, requestId) => {
    dashboard ??= build(options, assets);
    return dashboard(request, requestId);
  };
}

function build({ settings, report, onFault, ...shared }: OpenDashboardOptions, assets: Assets): Dashboard {
  if (settings?.secret === undefined) {
    return async () => switchedOff;
  }
  const { secret, github, mailer, hashing } = settings;
  const { prisma, counter, randomBytes, now } = shared;
  const origin = settings.origin();
  const auth = createAuth({
    ...{ prisma, origin, secret, github, mailer, hashing },
    ...{ counter, randomBytes, now, onFault },
  });
  const services = { ...shared, auth, origin, mail: mailer.kind, hasGithub: github !== undefined };
  return createDashboard({ auth, assets, counter, routes: createRoutes(services), origin, report });
}

const switchedOff = plain(
  503,
  'The dashboard is not set up on this server. Its operator sets AUTH_SECRET to at least 32 random characters.',
);

/** An answer where there is no page to make. */
function plain(status: number, text: string): GatewayResponse {
  const headers = { ...securityHeaders, 'Content-Type': 'text/plain; charset=utf-8' };
  return { status, headers, body: `${text}\n` };
}
