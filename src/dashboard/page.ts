import type { GatewayRequest, GatewayResponse } from '../handler.ts';
import type { Html } from '../html.ts';
import type { Visitor } from './auth.ts';

/** What every handler of a page is given. */
export interface PageContext {
  readonly request: GatewayRequest;
  readonly requestId: string;
  /** The path's `:name` parts, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** What a POST sent; empty otherwise. */
  readonly form: URLSearchParams;
  /** Who is signed in. */
  readonly visitor: Visitor | undefined;
}

/** The same for a page that only those who signed in see. */
export interface SignedInContext extends PageContext {
  readonly visitor: Visitor;
}

/** A page to be laid out. */
export interface Page {
  /** 200 by default. */
  readonly status?: number;
  /** Names the page in its title and heading. */
  readonly title: string;
  readonly main: Html;
  /** The page that this one belongs to, above the heading. */
  readonly back?: { readonly path: string; readonly label: string };
  /** Beside the heading. */
  readonly action?: Html;
  /** Names of script files of `assets/`, beside the one of every page. */
  readonly scripts?: readonly string[];
  /** The same of style files. */
  readonly styles?: readonly string[];
  /** Whether its scripts may send requests to this server. */
  readonly connects?: boolean;
  /** Origins that its forms may lead to beside our own: browsers hold a redirect after a form to it too. */
  readonly formTargets?: readonly string[];
  /** A narrow column: for a page that is one form or one text. */
  readonly isNarrow?: boolean;
  /** As wide as the window, within reason: for a page that shows things side by side. */
  readonly isBroad?: boolean;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of Set-Cookie. */
  readonly cookies?: readonly string[];
}

/** Goes to another page of the dashboard with GET. */
interface Redirect {
  readonly location: string;
  readonly cookies?: readonly string[];
}

/** What a handler answers: a page, a way to another one, or anything as it is. */
export type Reply = Page | Redirect | GatewayResponse;

/** Who may see a page. An operator's is a 404 to everybody else. */
type Access = 'anyone' | 'account' | 'operator';

/** A page's place and handler. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** Such as `/dashboard/keys/:id`. */
  readonly path: string;
  readonly access: Access;
  answer(context: PageContext): Promise<Reply> | Reply;
}

/** A page that anybody sees. */
export function open(method: Route['method'], path: string, answer: Route['answer']): Route {
  return { method, path, access: 'anyone', answer };
}

/** A page that those see who signed in. */
export function signedIn(
  method: Route['method'],
  path: string,
  answer: (context: SignedInContext) => Promise<Reply> | Reply,
): Route {
  return { method, path, access: 'account', answer: (context) => answer(context as SignedInContext) };
}

/** A page that only operators see. */
export function operatorsOnly(
  method: Route['method'],
  path: string,
  answer: (context: SignedInContext) => Promise<Reply> | Reply,
): Route {
  return { method, path, access: 'operator', answer: (context) => answer(context as SignedInContext) };
}
