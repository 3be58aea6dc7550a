/**
 * The page to continue with: of the dashboard, or GraphiQL; never a page of another site.
 *
 * @param next an address that a visitor has sent.
 */
export function safeNext(next: string | undefined, origin: string, fallback = '/dashboard/keys'): string {
  if (next === undefined || next === '' || !URL.canParse(next, origin)) {
    return fallback;
  }
  const url = new URL(next, origin);
  if (url.origin !== new URL(origin).origin) {
    return fallback;
  }
  if (url.pathname === '/graphql') {
    // Without its query, which could contain an operation.
    return url.pathname;
  }
  return /^\/dashboard(\/|$)/.test(url.pathname) ? `${url.pathname}${url.search}` : fallback;
}
