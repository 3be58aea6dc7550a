import type { GatewayRequest } from '../../server/request-response.ts';

/**
 * Whether a form comes from a page of ours. Every browser sends Origin with a POST, and a page cannot
 * forge it, so a request without Origin and Sec-Fetch-Site is not from a form of ours.
 *
 * @param origins the origins of the dashboard; never derived from the request's Host.
 */
export function isOwnForm(request: Pick<GatewayRequest, 'header'>, origins: readonly string[]): boolean {
  const origin = request.header('origin');
  const site = request.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') {
    return false;
  }
  return origin === undefined ? site === 'same-origin' : origins.includes(origin);
}

/** The origins of the dashboard: one, or on loopback all names of this machine. */
export function allowedOrigins(publicOrigin: string): readonly string[] {
  const { protocol, hostname, port } = new URL(publicOrigin);
  const loopback = ['127.0.0.1', 'localhost', '[::1]'];
  if (protocol !== 'http:' || !loopback.includes(hostname)) {
    return [publicOrigin];
  }
  return loopback.map((name) => new URL(`http://${name}:${port}`).origin);
}
