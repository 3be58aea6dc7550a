import type { Route } from './page.ts';

/** Where a request goes. */
interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the route of a request; `methods` are those that its path has when no route fits. */
type FindRoute = (method: string, path: string) => Match | { readonly methods: readonly string[] };

/** Makes a table of routes. HEAD goes where GET does. A path without parameters goes first. */
export function createRouter(routes: readonly Route[]): FindRoute {
  const table = routes.map((route) => ({ route, parts: route.path.split('/') }));
  table.sort((a, b) => Number(a.route.path.includes(':')) - Number(b.route.path.includes(':')));
  return (method, path) => {
    const asked = method === 'HEAD' ? 'GET' : method;
    const segments = path.split('/');
    const methods = new Set<string>();
    for (const { route, parts } of table) {
      const params = matchParts(parts, segments);
      if (params !== undefined) {
        if (route.method === asked) {
          return { route, params };
        }
        methods.add(route.method);
      }
    }
    return { methods: [...methods].flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name])) };
  };
}

function matchParts(
  parts: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  if (parts.length !== segments.length) {
    return undefined;
  }
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith(':')) {
      const value = decode(segment);
      if (value === undefined || value === '') {
        return undefined;
      }
      params[part.slice(1)] = value;
    } else if (part !== segment) {
      return undefined;
    }
  }
  return params;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
