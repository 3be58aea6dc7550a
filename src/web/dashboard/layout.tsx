import type { Visitor } from '../../access/accounts/sign-in/visitor.ts';
import type { Brand } from '../shared/brand.ts';
import { Notice } from '../shared/components.tsx';
import type { Html } from '../shared/jsx.ts';
import { type AssetUrl, shellPage } from '../shared/shell.tsx';
import { notices } from './notices.ts';
import type { Page } from './page.ts';

/** A part of the dashboard in its navigation. */
interface Section {
  readonly path: string;
  readonly label: string;
  /** Pages of it that have other paths. */
  readonly further?: readonly string[];
  /** Only operators see it. */
  readonly isForOperators?: boolean;
}

/** The navigation of signed-in users, in this order. */
const sections: readonly Section[] = [
  { path: '/dashboard/keys', label: 'Keys' },
  { path: '/dashboard/usage', label: 'Usage' },
  {
    path: '/dashboard/explorer',
    label: 'Explorer',
    further: ['/dashboard/embed', '/dashboard/shortlist/searches/new'],
  },
  { path: '/dashboard/shortlist', label: 'Shortlist' },
  { path: '/dashboard/account', label: 'Account' },
  { path: '/dashboard/operator', label: 'Operator', isForOperators: true },
];

/** What a page is laid out with. */
export interface LayoutOptions {
  readonly brand: Brand;
  readonly assetUrl: AssetUrl;
  readonly path: string;
  /** The name of a result of the last action. */
  readonly notice?: string | undefined;
  readonly visitor: Visitor | undefined;
}

/** Lays out a page of the dashboard. */
export function layOut(page: Page, { brand, assetUrl, path, notice = '', visitor }: LayoutOptions): string {
  const { title, heading = title, main, action, styles = [], scripts = [], errors = [] } = page;
  const back = typeof page.back === 'string' ? undefined : page.back;
  const [result, tone = 'good'] = notices.get(notice) ?? [];
  const isAlone = page.isNarrow && visitor === undefined;
  const kind = isAlone ? 'narrow alone' : page.isNarrow ? 'narrow' : page.isWide ? 'wide' : undefined;
  return shellPage({
    title,
    brand,
    assetUrl,
    path,
    isSignedIn: visitor !== undefined,
    styles: ['dashboard.css', ...styles],
    scripts: ['dashboard.js', ...scripts],
    children: (
      <>
        {visitor !== undefined && (
          <Sections current={sectionOf(back?.path ?? path) ?? sectionOf(path)} visitor={visitor} />
        )}
        <main id="main" class={kind}>
          {isAlone && (
            <p class="mark">
              <img src={brand.logo} alt="" width="44" height="44" />
              {brand.name}
            </p>
          )}
          {back !== undefined && (
            <p class="back">
              <a href={back.path}>{back.label}</a>
            </p>
          )}
          <div class="heading">
            {page.icon === undefined ? (
              <h1>{heading}</h1>
            ) : (
              <div class="titled">
                {page.icon}
                <h1>{heading}</h1>
              </div>
            )}
            {action}
          </div>
          {result !== undefined && <Notice tone={tone}>{result}</Notice>}
          {errors.map((error) => (
            <Notice tone="wrong">{error}</Notice>
          ))}
          {main}
        </main>
      </>
    ),
  });
}

interface SectionsProps {
  readonly current: Section | undefined;
  readonly visitor: Visitor;
}

function Sections({ current, visitor }: SectionsProps): Html {
  const shown = sections.filter(({ isForOperators = false }) => !isForOperators || visitor.isOperator);
  return (
    <section class="bar sections" aria-label="Your dashboard">
      <nav aria-label="Dashboard">
        {shown.map((section) => (
          <a href={section.path} aria-current={section === current ? 'page' : undefined}>
            {section.label}
          </a>
        ))}
      </nav>
      <form class="actions access" method="post" action="/dashboard/sign-out">
        <span class="soft small who" title={visitor.email}>
          {visitor.email}
        </span>
        <button class="quiet">Sign out</button>
      </form>
    </section>
  );
}

/** The section that a page belongs to: the one with the longest path above it. */
function sectionOf(path: string): Section | undefined {
  const above = sections.flatMap((section) =>
    [section.path, ...(section.further ?? [])]
      .filter((one) => path === one || path.startsWith(`${one}/`))
      .map((one) => ({ section, length: one.length })),
  );
  return above.toSorted((one, other) => other.length - one.length)[0]?.section;
}
