// Where pages are that others link.

/** Leads to what an account has come for most likely: operators to the overview, all others to the explorer. */
export const HOME_PATH = '/dashboard';

export const SIGN_IN_PATH = '/dashboard/sign-in';
export const SIGN_UP_PATH = '/dashboard/sign-up';
export const FORGOTTEN_PASSWORD_PATH = '/dashboard/forgotten-password';

/** Where a session gives the second factor, and an account sets it up. */
export const FACTOR_PATH = '/dashboard/second-factor';

export const EXPLORER_PATH = '/dashboard/explorer';

/** What an account shows on web pages. Not below the path of the explorer, where every name is a startup's. */
export const EMBEDS_PATH = '/dashboard/embeds';
/** Where lists, figures and charts are embedded. */
export const NEW_EMBED_PATH = `${EMBEDS_PATH}/new`;

/** The address of the page that embeds the line of a startup's figure. */
export const chartEmbedPath = (slug: string, value: string): string =>
  `${NEW_EMBED_PATH}?${new URLSearchParams({ chart: slug, value })}`;

/** The saved startups. */
export const SAVED_PATH = '/dashboard/shortlist';

export const SEARCHES_PATH = `${SAVED_PATH}/searches`;

export const KEYS_PATH = '/dashboard/keys';
export const NEW_KEY_PATH = `${KEYS_PATH}/new`;

/** Where visitors sign up for a key, which they get then. */
export const SIGN_UP_FOR_KEY_PATH = `${SIGN_UP_PATH}?next=${NEW_KEY_PATH}`;

export const USAGE_PATH = '/dashboard/usage';

/** The page of the usage of one key. */
export const usagePath = (key: string, period = '30d'): string => `${USAGE_PATH}?key=${key}&period=${period}`;

export const OPERATOR_PATH = '/dashboard/operator';
export const IMPORTS_PATH = `${OPERATOR_PATH}/imports`;

/** Where operators upload a file. */
export const UPLOAD_PATH = `${IMPORTS_PATH}/new`;

/** Where GraphiQL runs operations with the session of an account in place of a key. */
export const SESSION_GRAPHQL_PATH = '/dashboard/graphql';

/** Where GraphiQL requests the signed-in user, and the token that its operations require. */
export const SESSION_PATH = '/dashboard/graphql/session';
