import { type Content, type Html, html } from '../../html.ts';
import { type Paged, readPage } from '../../paged.ts';
import type { Page, SignedInContext } from '../page.ts';

const PATH = '/dashboard/operator';

const parts = [
  { path: PATH, label: 'Health' },
  { path: `${PATH}/accounts`, label: 'Accounts' },
  { path: `${PATH}/keys`, label: 'Keys' },
  { path: `${PATH}/policies`, label: 'Policy' },
  { path: `${PATH}/imports`, label: 'Imports' },
  { path: `${PATH}/audit`, label: 'Audit trail' },
] as const;
type PartPath = (typeof parts)[number]['path'];

/** A page for operators, with links to the others. */
export function operatorPage(part: PartPath, title: string, main: Content, more: Partial<Page> = {}): Page {
  return {
    styles: ['data.css'],
    ...more,
    title,
    main: html`<nav class="tabs" aria-label="Operator">${parts.map(
      ({ path, label }) => html`<a href="${path}"${path === part && html` aria-current="page"`}>${label}</a>`,
    )}</nav>${main}`,
  };
}

/** How many rows a page of a list shows. */
const PAGE_SIZE = 25;

/** The search terms of a list, from its URL. */
interface ListQuery {
  readonly text: string;
  readonly page: number;
  readonly size: number;
}

/** Reads the text and the page of a list. */
export function readSearch({ req }: SignedInContext): ListQuery {
  return {
    text: (req.query('q') ?? '').trim(),
    page: readPage(req.query('page')),
    size: PAGE_SIZE,
  };
}

/** A choice in addition to the search text. */
interface SearchChoice {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  /** The label of each value; the empty value does not filter. */
  readonly options: readonly (readonly [value: string, label: string])[];
}

/** Searches a list, by a text and a choice. */
export function searchForm(action: PartPath, text: string, hint: string, choice: SearchChoice): Html {
  return html`<form class="search" action="${action}" method="get" role="search">
<div class="field"><label for="q">Search</label><input id="q" name="q" type="search" maxlength="254" value="${text}" placeholder="${hint}"></div>
<div class="field short"><label for="${choice.name}">${choice.label}</label><select id="${choice.name}" name="${choice.name}">${choice.options.map(
    ([value, label]) =>
      html`<option value="${value}"${value === choice.value && html` selected`}>${label}</option>`,
  )}</select></div>
<button>Search</button></form>`;
}

/** A table of a list's page, with links to the previous and next pages. */
export function listTable<T>(
  list: Paged<T>,
  at: { path: PartPath; query: URLSearchParams; page: number },
  table: { caption: string; heads: readonly string[]; row: (item: T) => Html },
): Html {
  if (list.items.length === 0) {
    return html`<section class="card empty"><h2>Nothing found</h2><p class="soft">${at.page > 1 ? 'There is no such page.' : 'Try another search.'}</p></section>`;
  }
  const link = (page: number, text: string, relation: string): Html => {
    const query = new URLSearchParams(at.query);
    query.set('page', String(page));
    return html`<a class="button second" rel="${relation}" href="${at.path}?${query.toString()}">${text}</a>`;
  };
  return html`<div class="table"><table class="collapse"><caption>${table.caption}</caption>
<thead><tr>${table.heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${list.items.map(table.row)}</tbody></table></div>
${(at.page > 1 || list.hasMore) && html`<nav class="pager" aria-label="Pages">${at.page > 1 && link(at.page - 1, 'Previous', 'prev')}<span class="soft">Page ${at.page}</span>${list.hasMore && link(at.page + 1, 'Next', 'next')}</nav>`}`;
}

/** A form for an action under the policy, with a reason. */
export function reasonForm(of: {
  action: string;
  title: string;
  text: string;
  button: string;
  hint: string;
  isDangerous: boolean;
  error?: string | undefined;
}): Html {
  const { action, title, text, button, hint, isDangerous, error } = of;
  return html`<section class="card${isDangerous && ' danger'}"><h2>${title}</h2><p>${text}</p>
<form class="stack" method="post" action="${action}"><div class="field"><label for="reason">Reason</label><input id="reason" name="reason" maxlength="500" autocomplete="off"${isDangerous && html` required`} aria-describedby="reason-hint${error !== undefined && ' reason-error'}"${error !== undefined && html` aria-invalid="true"`}>
<p class="hint" id="reason-hint">${hint}</p>${error !== undefined && html`<p class="error" id="reason-error">${error}</p>`}</div>
<div class="actions"><button${isDangerous && html` class="danger"`}>${button}</button></div></form></section>`;
}

export const orDash = (text: Content): Content =>
  text === null || text === undefined || text === '' ? html`<span class="soft">–</span>` : text;
