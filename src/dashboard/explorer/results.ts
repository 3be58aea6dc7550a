import { type Content, type Html, html } from '../../html.ts';
import type { StartupList } from '../../startups/catalogue/startup-list.ts';
import type { Stats } from '../../startups/catalogue/summary.ts';
import type { ListRequest } from '../../startups/list-request.ts';
import type { StartupRecord } from '../../startups/record.ts';
import { count, money, percent } from '../figures.ts';
import { columns, figures, type ShownColumn } from './columns.ts';
import { hasValue, showField } from './fields.ts';
import { choiceLabel } from './labels.ts';
import { EXPLORER_PATH, explorerPath, withoutParameters, withParameter } from './query.ts';

/**
 * A page of startups: the table, the links to its other pages, and figures of all that match.
 *
 * @param stats figures of all that match.
 * @param query the parameters of the list.
 */
export function results(list: StartupList, stats: Stats, query: URLSearchParams): Html {
  const { request, records, total = 0, hasMore } = list;
  const page = request.page ?? 1;
  if (records.length === 0) {
    return total === 0
      ? empty('No startup matches all of these filters', EXPLORER_PATH, 'Show all startups')
      : empty(
          `There is no page ${count(page)}`,
          explorerPath(withoutParameters(query, 'page')),
          'First page',
        );
  }
  return html`${summary(total, stats)}
<div class="table results"><table><caption class="hidden">${rangeText(list)}. Amounts are US dollars; growth is in percent.</caption>
<thead><tr><th scope="col">Startup</th><th scope="col">Category</th><th scope="col"><span class="hidden">Sale status</span></th>${columns.map((column) => columnHead(column, request, query))}</tr></thead>
<tbody>${records.map(row)}</tbody></table></div>
${pager(query, page, hasMore)}`;
}

/** Which startups a page shows, of how many. */
export function rangeText({ request, records, total = 0 }: StartupList): string {
  if (records.length === 0) {
    return `${count(total)} startups`;
  }
  const from = ((request.page ?? 1) - 1) * request.limit + 1;
  return `${count(from)}–${count(from + records.length - 1)} of ${count(total)} ${total === 1 ? 'startup' : 'startups'}`;
}

function empty(text: string, path: string, label: string): Html {
  return html`<section class="card empty"><h2>${text}</h2><p><a class="button second" href="${path}">${label}</a></p></section>`;
}

function row(record: StartupRecord): Html {
  return html`<tr><th scope="row"><a href="${EXPLORER_PATH}/${record.slug}">${record.name}</a></th><td class="text">${record.category !== null && choiceLabel('category', record.category)}</td><td class="sale">${record.onSale && html`<span class="badge good">For sale</span>`}</td>${columns.map(
    ({ field, heading }) =>
      html`<td class="number${!hasValue(record, field.path) && ' none'}" data-label="${heading}">${showField(record, field)}</td>`,
  )}</tr>`;
}

/** A heading that sorts the list by its column, and reverses the order if it already does. */
function columnHead({ heading, sorts }: ShownColumn, { sort }: ListRequest, query: URLSearchParams): Html {
  if (sorts === undefined) {
    return html`<th scope="col" class="number">${heading}</th>`;
  }
  const { descending, ascending } = sorts;
  const state = sort === descending ? 'descending' : sort === ascending ? 'ascending' : undefined;
  const next = state === 'descending' ? ascending : descending;
  const path = explorerPath(withParameter(withoutParameters(query, 'page'), 'sort', next));
  return html`<th scope="col" class="number"${state !== undefined && html` aria-sort="${state}"`}><a href="${path}">${heading}${state !== undefined && html`<span aria-hidden="true"> ${state === 'descending' ? '↓' : '↑'}</span>`}</a></th>`;
}

function summary(total: number, stats: Stats): Html {
  const show = (column: keyof Stats, value: number | null): Content =>
    value === null ? '–' : column === 'growth' ? percent(value, 'change') : money(value);
  return html`<dl class="figures"><div><dt>Startups</dt><dd>${count(total)}</dd></div>${figures.map(
    ({ column, figure, label }) =>
      html`<div><dt>${label}</dt><dd>${show(column, stats[column][figure])}</dd></div>`,
  )}</dl>`;
}

function pager(query: URLSearchParams, page: number, hasMore: boolean): Html {
  const link = (to: number, text: string, relation: string): Html =>
    html`<a class="button second" rel="${relation}" href="${explorerPath(withParameter(query, 'page', String(to)))}">${text}</a>`;
  return page > 1 || hasMore
    ? html`<nav class="pager" aria-label="Pages">${page > 1 && link(page - 1, 'Previous', 'prev')}<span class="soft">Page ${count(page)}</span>${hasMore && link(page + 1, 'Next', 'next')}</nav>`
    : html``;
}
