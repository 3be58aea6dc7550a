import type { Brand } from './brand.ts';
import type { Html } from './jsx.ts';
import { type PageLink, pageLinks } from './page-links.ts';
import { OPERATOR_PATH, SIGN_UP_FOR_KEY_PATH } from './paths.ts';
import { Popup } from './popup.tsx';

/** Parts of the header with several pages, which a second line links. */
const sections = {
  API: [pageLinks.keys, pageLinks.embeds, pageLinks.usage, pageLinks.graphiql],
  Data: [pageLinks.imports, pageLinks.fields, pageLinks.tokens],
  People: [pageLinks.accounts, pageLinks.allKeys],
  Compliance: [pageLinks.policies, pageLinks.audit],
} as const;

/** A part of the header. One with several pages has the path of the first, and links to all. */
interface Section extends PageLink {
  readonly pages?: readonly PageLink[];
}

const section = (label: keyof typeof sections): Section => ({
  label,
  path: sections[label][0].path,
  pages: sections[label],
});

const forVisitors: readonly Section[] = [pageLinks.docs, pageLinks.graphiql];
const forMembers: readonly Section[] = [pageLinks.explorer, pageLinks.saved, section('API'), pageLinks.docs];
const forOperators: readonly Section[] = [
  pageLinks.overview,
  section('Data'),
  section('People'),
  section('Compliance'),
];

/** Where a visitor is, and who it is. */
export interface Place {
  /** The path of the page, which the header marks. */
  readonly path: string;
  /** Whether the visitor has a session. */
  readonly isSignedIn: boolean;
  /** Whose session it is, on pages that may have forms. */
  readonly account?: { readonly email: string; readonly isOperator: boolean } | undefined;
  /** Whether the page itself is one to sign in or up, so that the header does not offer that. */
  readonly isEntering?: boolean | undefined;
}

const isBelow = (path: string, above: string): boolean => path === above || path.startsWith(`${above}/`);

/** The link to the page that a path belongs to: the longest path above it. */
const currentOf = <T extends PageLink>(links: readonly T[], path: string): T | undefined =>
  links
    .filter((link) => isBelow(path, link.path))
    .toSorted((one, other) => other.path.length - one.path.length)[0];

/** The list that a page of the dashboard is of, by its path. */
export const listAbove = (path: string, isOperator: boolean): PageLink | undefined =>
  currentOf(
    [...(isOperator ? forOperators.slice(1) : []), ...forMembers].flatMap((one) => one.pages ?? one),
    path,
  );

/**
 * The header of every page: the sections for this visitor, and the pages of the current one. On phones, one menu has all.
 * The menu of the account looks the same on pages that do not know whose it is, where signing out takes a page of its own.
 */
export function Header({
  path,
  isSignedIn,
  account,
  isEntering = false,
  brand,
  search,
}: Place & { readonly brand: Brand; readonly search?: string }): Html {
  const isAdmin = account?.isOperator === true && isBelow(path, OPERATOR_PATH);
  const sections = isAdmin ? forOperators : isSignedIn ? forMembers : forVisitors;
  const page = currentOf(
    sections.flatMap((one) => one.pages ?? one),
    path,
  );
  const current = sections.find((one) => one === page || one.pages?.some((two) => two === page));
  const link = (to: PageLink, isCurrent: boolean, kind?: string): Html => (
    <a href={to.path} class={kind} aria-current={isCurrent ? 'page' : undefined}>
      {to.label}
    </a>
  );
  const top = sections.map((one) => link(one, one === current));
  const other = isAdmin
    ? { path: pageLinks.explorer.path, label: 'Exit admin' }
    : { path: OPERATOR_PATH, label: 'Admin' };
  const own = isSignedIn
    ? [account?.isOperator === true && link(other, false)]
    : !isEntering && [
        link({ path: '/dashboard/sign-in', label: 'Sign in' }, false),
        // The first page has a larger one.
        link(
          { path: SIGN_UP_FOR_KEY_PATH, label: 'Get an API key' },
          false,
          path === '/' ? undefined : 'main',
        ),
      ];
  const address = account !== undefined && <p class="soft">{account.email}</p>;
  const mine = [
    link(pageLinks.account, path === pageLinks.account.path),
    account === undefined ? (
      link({ path: '/dashboard/sign-out', label: 'Sign out' }, false)
    ) : (
      <form method="post" action="/dashboard/sign-out">
        <button class="quiet">Sign out</button>
      </form>
    ),
  ];
  return (
    <>
      <header class="bar">
        <a class="brand" href="/">
          <img src={brand.logo} alt="" width="24" height="24" />
          <span>{brand.name}</span>
        </a>
        <nav class="wide" aria-label="Main">
          {top}
        </nav>
        {search !== undefined && (
          <form class="search" action="/docs" role="search">
            <label class="hidden" for="search">
              Search the documentation
            </label>
            <input
              id="search"
              name="q"
              type="search"
              placeholder="Search the docs"
              autocomplete="off"
              value={search}
            />
          </form>
        )}
        <nav class="wide access" aria-label="Account">
          {own}
          {isSignedIn && (
            <Popup id="account-menu" label={pageLinks.account.label} kind="items">
              {[address, mine]}
            </Popup>
          )}
        </nav>
        <div class="phone access">
          <Popup id="menu" label="Menu" kind="items">
            {sections.map(({ pages, ...one }) =>
              pages === undefined
                ? link(one, one.path === page?.path)
                : [<hr />, pages.map((two) => link(two, two === page)), <hr />],
            )}
            <hr />
            {[address, own, isSignedIn && mine]}
          </Popup>
        </div>
      </header>
      {current?.pages !== undefined && (
        <div class="bar sections">
          <nav aria-label={current.label}>{current.pages.map((one) => link(one, one === page))}</nav>
        </div>
      )}
    </>
  );
}
