import type { Route } from '../page.ts';
import type { Services } from '../services.ts';
import { accountAdminRoutes } from './account-pages.ts';
import { healthRoutes } from './health-page.ts';
import { keyAdminRoutes } from './key-pages.ts';
import { recordRoutes } from './record-pages.ts';

/** The pages of those who run the gateway; to everybody else there are none. */
export function operatorRoutes(services: Services): Route[] {
  return [
    ...healthRoutes(services),
    ...accountAdminRoutes(services),
    ...keyAdminRoutes(services),
    ...recordRoutes(services),
  ];
}
