import type { Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { limited, readForm, requestedPath } from '../page/access.ts';
import { withNotice } from '../page/notices.ts';
import { type Audience, type DashboardEnv, keepNext, type PageRow, redirect } from '../page/page.ts';
import { addPages } from '../page/page-table.ts';
import type { Services } from '../page/services.ts';
import {
  EXPLORER_PATH,
  FACTOR_PATH,
  HOME_PATH,
  NEW_EMBED_PATH,
  OPERATOR_PATH,
  SIGN_IN_PATH,
  SIGN_UP_PATH,
} from '../shared/paths.ts';
import { accountPages } from './account/own-account-pages.tsx';
import { embedListPages, embedPages } from './embeds/embed-pages.tsx';
import { explorerPages } from './explorer/explorer-pages.tsx';
import { sessionPages } from './graphql/session-pages.ts';
import { importListPages } from './imports/list-pages.tsx';
import { uploadPages, uploadRoutes } from './imports/upload-pages.tsx';
import { documentPages } from './keys/document-pages.tsx';
import { keyPages } from './keys/key-pages.tsx';
import { newKeyPages } from './keys/new-key-pages.tsx';
import { accountAdminPages } from './operator/accounts-pages.tsx';
import { fieldPages } from './operator/field-pages.tsx';
import { keyAdminPages } from './operator/keys-pages.tsx';
import { overviewPages } from './operator/overview-page.tsx';
import { recordPages } from './operator/record-pages.tsx';
import { tokenPages } from './operator/token-pages.tsx';
import { savedMailPages, unsubscribePages } from './saved/mail-pages.tsx';
import { searchPages } from './saved/search-pages.tsx';
import { savedStartupPages } from './saved/startup-pages.tsx';
import { passwordPages } from './sign-in/password-pages.tsx';
import { policyPages } from './sign-in/policy-pages.tsx';
import { factorPages } from './sign-in/second-factor-pages.tsx';
import { signInPages } from './sign-in/sign-in-pages.tsx';
import { usagePages } from './usage/usage-pages.tsx';

/** All pages, by who may see them. */
const table: Readonly<Record<Audience, readonly ((services: Services) => readonly PageRow<unknown>[])[]>> = {
  everyone: [signInPages, factorPages, passwordPages, policyPages, unsubscribePages, sessionPages],
  members: [
    newKeyPages,
    keyPages,
    documentPages,
    usagePages,
    accountPages,
    explorerPages,
    embedListPages,
    embedPages,
    savedStartupPages,
    searchPages,
    savedMailPages,
  ],
  operators: [
    overviewPages,
    accountAdminPages,
    keyAdminPages,
    recordPages,
    fieldPages,
    tokenPages,
    // The upload first: its path is like that of one import.
    uploadPages,
    importListPages,
  ],
};

const audiences = Object.keys(table) as Audience[];

/** The pages of an audience. */
export const pagesOf = (audience: Audience, services: Services): readonly PageRow<unknown>[] =>
  table[audience].flatMap((of) => of(services));

/** Changes that an account may make in a minute: each is recorded, and makes every node look up its keys again. */
const CHANGES_PER_MINUTE = 30;

/** Adds all pages of the dashboard: first the access checks, then the handlers. */
export function addRoutes(app: Hono<DashboardEnv>, services: Services): void {
  const requireSignIn = createMiddleware<DashboardEnv>(async (context, next) =>
    context.var.visitor === undefined ? redirect(context, signInPath(context, services)) : next(),
  );
  const rows = audiences.map((audience) => [audience, pagesOf(audience, services)] as const);
  const own = rows.flatMap(([audience, pages]) => (audience === 'everyone' ? [] : pages));
  // All that is below the first name after /dashboard.
  for (const path of new Set(own.map((row) => row.path.split('/', 3).join('/')))) {
    app.use(`${path}/*`, requireSignIn);
  }
  app.post('/dashboard/policy', requireSignIn);
  // Without the factor, only the pages that give it or set it up.
  app.use(`${FACTOR_PATH}/*`, async (context, next) => {
    const { visitor, pending } = context.var;
    const isOwn = /\/(codes|remove)$/.test(context.req.path);
    return visitor !== undefined || (pending !== undefined && !isOwn)
      ? next()
      : redirect(context, pending === undefined ? SIGN_IN_PATH : FACTOR_PATH);
  });
  // The pages of operators do not exist for other accounts.
  app.use('/dashboard/operator/*', async (context, next) =>
    context.var.visitor?.isOperator ? next() : context.notFound(),
  );
  // A form with a file is received in another way.
  app.route('/', uploadRoutes(services));
  // A form is read only after its sender is authorized.
  app.use(readForm);
  for (const path of ['/dashboard/keys/*', NEW_EMBED_PATH]) {
    app.use(path, async ({ req, var: { visitor } }, next) => {
      if (req.method === 'POST') {
        const name = `dashboard:changes:${visitor?.id}`;
        const reservation = await services.counter.reserve(name, 1, CHANGES_PER_MINUTE);
        if (!reservation.admitted) {
          throw limited('Too many changes in a minute.', reservation, services.now());
        }
      }
      return next();
    });
  }

  app.get(HOME_PATH, (context) => {
    const { visitor } = context.var;
    const home = visitor?.isOperator ? OPERATOR_PATH : EXPLORER_PATH;
    return redirect(context, visitor === undefined ? SIGN_IN_PATH : home);
  });
  for (const [audience, pages] of rows) {
    addPages(app, services, pages, audience);
  }
}

/** The sign-in page for a visitor who requested a page that requires it, to return to that page afterwards. */
function signInPath(context: Context<DashboardEnv>, { auth, isInvitedOnly }: Services): string {
  const isPending = context.var.pending !== undefined;
  if (context.req.method === 'GET') {
    // Who comes from the first page to the explorer most likely has no account, unless the browser has signed in before.
    const isNew =
      context.req.path.startsWith(EXPLORER_PATH) &&
      !isInvitedOnly &&
      auth.browsers.findAccount(context.env.request) === undefined;
    const path = isPending ? FACTOR_PATH : isNew ? SIGN_UP_PATH : SIGN_IN_PATH;
    return `${path}?next=${encodeURIComponent(requestedPath(context))}`;
  }
  if (isPending) {
    return FACTOR_PATH;
  }
  // To the page with the form, which browsers name.
  const page = context.req.header('referer');
  if (page !== undefined) {
    keepNext(context, page);
  }
  return withNotice(SIGN_IN_PATH, 'expired');
}
