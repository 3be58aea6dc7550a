import { LinkCards } from './components.tsx';
import type { Content } from './jsx.ts';
import { pageLinks } from './page-links.ts';

export const NOT_FOUND = 'Page not found';

/** The links of a page that is not found. */
type Links = Parameters<typeof LinkCards>[0]['links'];

/** Where it leads visitors and accounts. */
const elsewhere: Links = [
  { ...pageLinks.explorer, text: 'Filter and compare startups.' },
  { ...pageLinks.docs, text: 'Start with GraphQL or REST.' },
  { ...pageLinks.graphiql, text: 'Write and run a query in the browser.' },
];

/** Below the heading of every page that is not found: what is missing, a search by a parameter, and where to go on. */
export function notFound(
  missing: Content,
  [path, name, label]: readonly [path: string, name: string, label: string],
  links: Links = elsewhere,
): Content {
  return [
    <p class="lead">{missing}</p>,
    <form class="actions find" action={path} role="search">
      <input name={name} type="search" maxlength="100" aria-label={label} placeholder={label} autofocus />
      <button>Search</button>
    </form>,
    <LinkCards links={links} />,
  ];
}
