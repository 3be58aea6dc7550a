import { html } from './html.ts';
import { open, type Route } from './page.ts';
import type { Services } from './services.ts';

/** The acceptable-use policy, and its acceptance. */
export function policyRoutes({ policy }: Services): Route[] {
  return [
    open('GET', '/dashboard/policy', () => ({
      title: 'Acceptable use',
      main: html`<pre tabindex="0">${policy.text}</pre>`,
    })),
  ];
}
