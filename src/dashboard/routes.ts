import { accountRoutes } from './account-pages.ts';
import { documentRoutes } from './document-pages.ts';
import { explorerRoutes } from './explorer/pages.ts';
import { keyRoutes } from './key-pages.ts';
import { operatorRoutes } from './operator/routes.ts';
import type { Route } from './page.ts';
import { passwordRoutes } from './password-pages.ts';
import { policyRoutes } from './policy-pages.ts';
import type { Services } from './services.ts';
import { signInRoutes } from './sign-in-pages.ts';
import { signUpRoutes } from './sign-up-pages.ts';
import { usageRoutes } from './usage/pages.ts';
import { welcomeRoutes } from './welcome-page.ts';

/** All pages of the dashboard. */
export function createRoutes(services: Services): Route[] {
  return [
    ...welcomeRoutes(services),
    ...signInRoutes(services),
    ...signUpRoutes(services),
    ...passwordRoutes(services),
    ...policyRoutes(services),
    ...keyRoutes(services),
    ...documentRoutes(services),
    ...accountRoutes(services),
    ...explorerRoutes(services),
    ...usageRoutes(services),
    ...operatorRoutes(services),
  ];
}
