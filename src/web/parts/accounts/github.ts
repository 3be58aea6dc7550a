import type { Visit } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';

/** The button leads to GitHub. */
export const GITHUB = 'https://github.com';

/** Leads to GitHub, which leads back to one of two pages. */
export async function toGithub(
  { auth }: Services,
  { context }: Visit,
  path: '/sign-in/social' | '/link-social',
  callbackURL: string,
  errorCallbackURL: string,
) {
  const sent = { provider: 'github', callbackURL, errorCallbackURL };
  const { body, cookies } = await auth.post(context.env.request, path, sent);
  return { to: String(body.url ?? errorCallbackURL), cookies };
}
