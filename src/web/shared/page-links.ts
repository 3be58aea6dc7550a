import {
  EMBEDS_PATH,
  EXPLORER_PATH,
  IMPORTS_PATH,
  KEYS_PATH,
  NEW_EMBED_PATH,
  NEW_KEY_PATH,
  OPERATOR_PATH,
  SAVED_PATH,
  SEARCHES_PATH,
  USAGE_PATH,
} from './paths.ts';

/** A page, and what links call it. */
export interface PageLink {
  readonly path: string;
  readonly label: string;
}

/** The pages that others link. Each is headed by its label. */
export const pageLinks = {
  docs: { path: '/docs', label: 'Docs' },
  graphiql: { path: '/graphql', label: 'GraphiQL' },
  explorer: { path: EXPLORER_PATH, label: 'Explore' },
  saved: { path: SAVED_PATH, label: 'Saved' },
  searches: { path: SEARCHES_PATH, label: 'Saved searches' },
  keys: { path: KEYS_PATH, label: 'Keys' },
  newKey: { path: NEW_KEY_PATH, label: 'Create key' },
  usage: { path: USAGE_PATH, label: 'Usage' },
  embeds: { path: EMBEDS_PATH, label: 'Embeds' },
  newEmbed: { path: NEW_EMBED_PATH, label: 'Create embed' },
  account: { path: '/dashboard/account', label: 'Account' },
  overview: { path: OPERATOR_PATH, label: 'Overview' },
  imports: { path: IMPORTS_PATH, label: 'Imports' },
  fields: { path: `${OPERATOR_PATH}/fields`, label: 'Fields' },
  tokens: { path: `${OPERATOR_PATH}/tokens`, label: 'Tokens' },
  accounts: { path: `${OPERATOR_PATH}/accounts`, label: 'Accounts' },
  allKeys: { path: `${OPERATOR_PATH}/keys`, label: 'Keys' },
  policies: { path: `${OPERATOR_PATH}/policies`, label: 'Policy' },
  audit: { path: `${OPERATOR_PATH}/audit`, label: 'Audit log' },
} as const satisfies Readonly<Record<string, PageLink>>;
