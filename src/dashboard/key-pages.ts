import { html } from './html.ts';
import { type Route, signedIn } from './page.ts';
import type { Services } from './services.ts';

/** A visitor's own keys. */
export function keyRoutes(_services: Services): Route[] {
  return [
    signedIn('GET', '/dashboard/keys', () => ({
      title: 'Keys',
      main: html`<div class="card empty"><h2>No key yet</h2></div>`,
    })),
  ];
}
