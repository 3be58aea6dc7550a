import type { Hono } from 'hono';
import {
  FACTOR_PATH,
  limitChanges,
  readForm,
  requireFactorVisit,
  requireOperator,
  requireSignIn,
} from './access.ts';
import { accountPages } from './account-pages.tsx';
import { embedPages } from './embeds/embed-pages.tsx';
import { explorerPages } from './explorer/explorer-pages.tsx';
import { EMBED_PATH } from './explorer/query.ts';
import { sessionRoutes } from './graphql.ts';
import { importListPages } from './imports/list-pages.tsx';
import { uploadPages, uploadRoutes } from './imports/upload-pages.tsx';
import { documentPages } from './keys/document-pages.tsx';
import { keyPages } from './keys/key-pages.tsx';
import { keyListPages } from './keys/list-page.tsx';
import { newKeyPages } from './keys/new-key-pages.tsx';
import { accountAdminPages } from './operator/account-pages.tsx';
import { keyAdminPages } from './operator/key-pages.tsx';
import { overviewPages } from './operator/overview-page.tsx';
import { recordPages } from './operator/record-pages.tsx';
import { tokenPages } from './operator/token-pages.tsx';
import { type Audience, type DashboardEnv, type PageRow, redirect } from './page.ts';
import { addPages } from './page-table.ts';
import { passwordPages } from './password-pages.tsx';
import { policyPages } from './policy-pages.tsx';
import { savedMailPages } from './saved-mails/settings-pages.tsx';
import { unsubscribeRoutes } from './saved-mails/unsubscribe-pages.tsx';
import { factorPages } from './second-factor/pages.tsx';
import type { Services } from './services.ts';
import { setupPages } from './setup-pages.tsx';
import { searchPages } from './shortlist/search-pages.tsx';
import { shortlistPages } from './shortlist/shortlist-pages.tsx';
import { signInPages } from './sign-in-pages.tsx';
import { signUpPages } from './sign-up-pages.tsx';
import { usagePages } from './usage/page.tsx';

/** All pages, by who may see them. */
const table: Readonly<Record<Audience, readonly ((services: Services) => readonly PageRow<unknown>[])[]>> = {
  everyone: [setupPages, signInPages, factorPages, signUpPages, passwordPages, policyPages],
  members: [
    ...[keyListPages, newKeyPages, keyPages, documentPages, usagePages, accountPages],
    ...[explorerPages, embedPages, shortlistPages, searchPages, savedMailPages],
  ],
  operators: [
    ...[overviewPages, accountAdminPages, keyAdminPages, recordPages, tokenPages],
    // The upload first: its path is like that of one import.
    ...[uploadPages, importListPages],
  ],
};
/** Paths below which pages are for those who have signed in. */
const memberPaths = [
  'keys',
  'usage',
  'documents',
  'explorer',
  'embed',
  'shortlist',
  'account',
  'change-email',
  'operator',
];

/** Adds all pages of the dashboard: first the access checks, then the handlers. */
export function addRoutes(app: Hono<DashboardEnv>, services: Services): void {
  for (const path of memberPaths) {
    app.use(`/dashboard/${path}/*`, requireSignIn);
  }
  app.post('/dashboard/policy', requireSignIn);
  app.use(`${FACTOR_PATH}/*`, requireFactorVisit);
  app.use('/dashboard/operator/*', requireOperator);
  // A form with a file is received in another way.
  app.route('/', uploadRoutes(services));
  // What mail services send to it is not read.
  app.route('/', unsubscribeRoutes(services));
  // A form is read only after its sender is authorized.
  app.use(readForm);
  for (const path of ['/dashboard/keys/*', EMBED_PATH]) {
    app.use(path, limitChanges(services));
  }

  app.get('/dashboard', (context) =>
    redirect(context, context.var.visitor === undefined ? '/dashboard/sign-in' : '/dashboard/keys'),
  );
  for (const [audience, pages] of Object.entries(table)) {
    addPages(
      app,
      services,
      pages.flatMap((of) => of(services)),
      audience as Audience,
    );
  }
  app.route('/', sessionRoutes(services));
}
