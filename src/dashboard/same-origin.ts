import type { GatewayRequest } from '../handler.ts';

/**
 * Whether a form comes from a page of ours. Every browser sends Origin with a POST, and a page cannot
 * forge it, so that a request that names neither Origin nor Sec-Fetch-Site comes from no form of ours.
 *
 * @param origins where the dashboard is reached; never taken from the request's Host.
 */
export function isOwnForm(request: Pick<GatewayRequest, 'header'>, origins: readonly string[]): boolean {
  const origin = request.header('origin');
  const site = request.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') {
    return false;
  }
  return origin === undefined ? site === 'same-origin' : origins.includes(origin);
}

/** Where the dashboard is reached: one origin, or on loopback all the names that this machine has. */
export function allowedOrigins(publicOrigin: string): readonly string[] {
  const { protocol, hostname, port } = new URL(publicOrigin);
  const loopback = ['127.0.0.1', 'localhost', '[::1]'];
  if (protocol !== 'http:' || !loopback.includes(hostname)) {
    return [publicOrigin];
  }
  return loopback.map((name) => new URL(`http://${name}:${port}`).origin);
}
