import { html } from './html.ts';
import { type Route, signedIn } from './page.ts';
import type { Services } from './services.ts';

/** A visitor's own account. */
export function accountRoutes(_services: Services): Route[] {
  return [
    signedIn('GET', '/dashboard/account', ({ visitor }) => ({
      title: 'Account',
      main: html`<div class="card"><p>${visitor.email}</p></div>`,
    })),
  ];
}
