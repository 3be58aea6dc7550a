import { count } from './figures.tsx';
import type { Content, Html } from './jsx.ts';

/** The kind of a notice, or of a badge. */
export type Tone = 'good' | 'warn' | 'wrong';

/** The result of an action, at the top of a page; read out when the page opens. */
export function Notice({
  tone = 'good',
  children,
}: {
  readonly tone?: Tone;
  readonly children: Content;
}): Html {
  return (
    <div class={tone === 'good' ? 'notice' : `notice ${tone}`} role={tone === 'wrong' ? 'alert' : 'status'}>
      <p>{children}</p>
    </div>
  );
}

/** A text with its first letter in upper case. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A state in a word. */
export function Badge({ tone, children }: { readonly tone?: string; readonly children: Content }): Html {
  return <span class={tone === undefined || tone === '' ? 'badge' : `badge ${tone}`}>{children}</span>;
}

/** The first letter of a name on a colored tile, which tells rows apart: icons of other servers are not loaded. */
export function monogram(name: string): Html {
  const [first] = new Intl.Segmenter('en').segment(name.trim());
  const tone = [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % 3;
  return (
    <span class={`monogram tone-${tone}`} aria-hidden="true">
      {first?.segment.toUpperCase()}
    </span>
  );
}

/** A link that looks like a button. */
export function buttonLink(href: string, label: Content, kind?: 'second' | 'second danger'): Html {
  return (
    <a class={kind === undefined ? 'button' : `button ${kind}`} href={href}>
      {label}
    </a>
  );
}

/** What stands in place of an empty list. */
export function EmptyState({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text?: string;
  /** Where to begin. */
  readonly children?: Content;
}): Html {
  return (
    <section class="card empty">
      <h2>{title}</h2>
      {text !== undefined && <p class="soft">{text}</p>}
      {children}
    </section>
  );
}

interface PagerProps {
  readonly page: number;
  readonly hasMore: boolean;
  /** The URL of another page. */
  readonly link: (page: number) => string;
  /** How many pages there are, if that is known. */
  readonly pages?: number;
}

/** Links to the previous and the next page; nothing where there is one page only. */
export function Pager({ page, hasMore, pages, link }: PagerProps): Html | null {
  if (page === 1 && !hasMore) {
    return null;
  }
  return (
    <nav class="actions pager" aria-label="Pages">
      {page > 1 && (
        <a class="button second" id="previous-page" rel="prev" href={link(page - 1)}>
          Previous
        </a>
      )}
      <span class="soft">
        Page {count(page)}
        {pages !== undefined && ` of ${count(pages)}`}
      </span>
      {hasMore && (
        <a class="button second" id="next-page" rel="next" href={link(page + 1)}>
          Next
        </a>
      )}
    </nav>
  );
}

interface TabsProps {
  readonly label: string;
  /** How they look: by default as tabs, or as `views`, one control. */
  readonly className?: string;
  readonly tabs: readonly { readonly path: string; readonly label: string; readonly isCurrent: boolean }[];
}

/** The parts of a page, as links. */
export function Tabs({ label, className = 'tabs', tabs }: TabsProps): Html {
  return (
    <nav class={className} aria-label={label}>
      {tabs.map((tab) => (
        <a href={tab.path} aria-current={tab.isCurrent ? 'page' : undefined}>
          {tab.label}
        </a>
      ))}
    </nav>
  );
}

/** A headline figure. */
export type Figure = readonly [name: Content, value: Content];

/** Figures with their names. */
export function Figures({
  figures,
  className = 'figures',
}: {
  readonly figures: readonly Figure[];
  /** How they are laid out: by default large, each below its name. */
  readonly className?: string;
}): Html {
  return (
    <dl class={className}>
      {figures.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A name and its value, or `false`: nothing. */
export type Fact = readonly [name: string, value: Content, kind?: string] | false;

/** Names and values, one below another. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }): Html {
  return (
    <dl class="facts">
      {facts
        .filter((fact) => fact !== false)
        .map(([name, value, kind]) => [<dt>{name}</dt>, <dd class={kind}>{value}</dd>])}
    </dl>
  );
}

/** Links as cards. */
export function LinkCards({
  links,
}: {
  readonly links: readonly Readonly<Record<'label' | 'text' | 'path', string>>[];
}): Html {
  return (
    <ul class="bare link-cards">
      {links.map(({ label, text, path }) => (
        <li class="card">
          <a href={path}>{label}</a>
          <p class="soft small">{text}</p>
        </li>
      ))}
    </ul>
  );
}

/**
 * What the cells of a column are, which says where they stand.
 *
 * - `number`: at the right edge of the column; on a phone, a figure below its heading
 * - `wrap`: a text that may break anywhere
 * - `line`: such a text that has a line of its own on a phone; a `named line` begins with its heading there
 * - `aside`: what can be done with a row, or when it was: on a phone beside what names the row
 *
 * Others are short texts.
 */
export type Place = 'number' | 'wrap' | 'line' | 'named line' | 'aside';

/** A column of a table: its heading, what it shows of a row, and where that stands. */
export type Column<T> = readonly [head: Content, cell: (row: T) => Content, place?: Place | undefined];

interface TableProps<T> {
  /**
   * What a row is on a phone: `entries` name it in a line of its own, with its figures side by side below; a `sentence` has
   * all in one text. A table that can `scroll` stays one there.
   */
  readonly layout: 'entries' | 'sentence' | 'scroll';
  /** Set where the table scrolls in a box if it is wider than its place: what the box is called. */
  readonly box?: string;
  /** Without one, no cell names its row. */
  readonly caption?: Content;
  /** Whether only screen readers get the caption. */
  readonly isCaptionHidden?: boolean;
  /** The first one names the row. */
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
}

/** A table, a row of it for each thing. */
export function Table<T>({
  layout,
  box,
  caption,
  isCaptionHidden = false,
  columns,
  rows,
}: TableProps<T>): Html {
  const isNamed = caption !== undefined;
  const table = (
    <table class={layout === 'scroll' ? undefined : layout}>
      {isNamed && <caption class={isCaptionHidden ? 'hidden' : undefined}>{caption}</caption>}
      <thead>
        <tr>
          {columns.map(([head, , place]) => (
            <th scope="col" class={place}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {columns.map(([head, cell, place], index) =>
              index === 0 && isNamed ? (
                <th scope="row" class={place}>
                  {cell(row)}
                </th>
              ) : (
                <td class={place} data-label={isNamed ? labelOf(head, place, layout) : undefined}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
  return box === undefined ? table : scrollBox(box, table);
}

/** What stands beside a cell on a phone, where the headings are not shown; undefined: nothing. */
export const labelOf = (
  head: Content,
  place: Place | undefined,
  layout: TableProps<never>['layout'] = 'entries',
): string | undefined =>
  typeof head === 'string' &&
  (place === 'named line' || (layout === 'entries' && place !== 'line' && place !== 'aside'))
    ? head
    : undefined;

/** A box in which a table scrolls. @param label what it is called. */
const scrollBox = (label: string, table: Html): Html => (
  <div class="scroll" tabindex="0" role="group" aria-label={label}>
    {table}
  </div>
);

/** A table in a card of its own. */
export const ListTable = <T,>(table: TableProps<T>): Html => (
  <div class="table">
    <Table {...table} />
  </div>
);
