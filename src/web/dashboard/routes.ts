import type { Hono } from 'hono';
import { limitChanges, readForm, requireOperator, requireSignIn } from './access.ts';
import { accountRoutes } from './account-pages.tsx';
import { embedRoutes } from './embeds/embed-pages.tsx';
import { explorerRoutes } from './explorer/explorer-pages.tsx';
import { EMBED_PATH } from './explorer/query.ts';
import { sessionRoutes } from './graphql.ts';
import { importListRoutes } from './imports/list-pages.tsx';
import { mappingRoutes, uploadRoutes } from './imports/upload-pages.tsx';
import { documentRoutes } from './keys/document-pages.tsx';
import { keyRoutes } from './keys/key-pages.tsx';
import { keyListRoutes } from './keys/list-page.tsx';
import { newKeyRoutes } from './keys/new-key-pages.tsx';
import { accountAdminRoutes } from './operator/account-pages.tsx';
import { inviteRoutes } from './operator/invite-pages.tsx';
import { keyAdminRoutes } from './operator/key-pages.tsx';
import { overviewRoutes } from './operator/overview-page.tsx';
import { recordRoutes } from './operator/record-pages.tsx';
import { tokenRoutes } from './operator/token-pages.tsx';
import { type DashboardEnv, redirect } from './page.ts';
import { passwordRoutes } from './password-pages.tsx';
import { policyRoutes } from './policy-pages.tsx';
import { factorRoutes } from './second-factor/pages.tsx';
import type { Services } from './services.ts';
import { setupRoutes } from './setup-pages.tsx';
import { compareRoutes } from './shortlist/compare-pages.tsx';
import { COMPARE_PATH, SHORTLIST_PATH } from './shortlist/paths.ts';
import { searchRoutes } from './shortlist/search-pages.tsx';
import { shortlistRoutes } from './shortlist/shortlist-pages.tsx';
import { signInRoutes } from './sign-in-pages.tsx';
import { signUpRoutes } from './sign-up-pages.tsx';
import { usageRoutes } from './usage/usage-pages.tsx';

const signedInPaths = [
  '/dashboard/keys/*',
  '/dashboard/usage/*',
  '/dashboard/explorer/*',
  EMBED_PATH,
  `${SHORTLIST_PATH}/*`,
  COMPARE_PATH,
  '/dashboard/account/*',
  '/dashboard/change-email',
  '/dashboard/operator/*',
];

/** Adds all pages of the dashboard: first the access checks, then the handlers. */
export function addRoutes(app: Hono<DashboardEnv>, services: Services): void {
  for (const path of signedInPaths) {
    app.use(path, requireSignIn);
  }
  app.post('/dashboard/policy', requireSignIn);
  app.use('/dashboard/operator/*', requireOperator);
  // A form with a file is received in another way.
  app.route('/', uploadRoutes(services));
  // A form is read only after its sender is authorized.
  app.use(readForm);
  for (const path of ['/dashboard/keys/*', EMBED_PATH]) {
    app.use(path, limitChanges(services));
  }

  app.get('/dashboard', (context) =>
    redirect(context, context.var.visitor === undefined ? '/dashboard/sign-in' : '/dashboard/keys'),
  );
  const openPages = [
    setupRoutes,
    signInRoutes,
    factorRoutes,
    signUpRoutes,
    passwordRoutes,
    policyRoutes,
    sessionRoutes,
  ];
  for (const routes of openPages) {
    app.route('/', routes(services));
  }
  const ownPages = [
    keyListRoutes,
    newKeyRoutes,
    keyRoutes,
    documentRoutes,
    accountRoutes,
    explorerRoutes,
    embedRoutes,
    shortlistRoutes,
    compareRoutes,
    searchRoutes,
    usageRoutes,
  ];
  const operatorPages = [
    inviteRoutes,
    accountAdminRoutes,
    keyAdminRoutes,
    recordRoutes,
    importListRoutes,
    mappingRoutes,
    tokenRoutes,
    overviewRoutes,
  ];
  for (const routes of [...ownPages, ...operatorPages]) {
    app.route('/', routes(services));
  }
}
