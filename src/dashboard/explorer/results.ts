import { type Content, type Html, html } from '../../html.ts';
import type { StartupList } from '../../startups/catalogue/startup-list.ts';
import type { Stats } from '../../startups/catalogue/summary.ts';
import type { ListRequest } from '../../startups/list-request.ts';
import type { StartupRecord } from '../../startups/record.ts';
import { cellBar } from '../charts.ts';
import { count, money, percent, wordsOf } from '../figures.ts';
import { columns, figures, type ShownColumn } from './columns.ts';
import { readNumber, showField } from './fields.ts';

const PATH = '/dashboard/explorer';

/**
 * A page of startups: figures of all that match, the table, and the ways to its other pages.
 *
 * @param stats figures of all that match.
 * @param query what was asked for, without empty parameters.
 */
export function results(list: StartupList, stats: Stats, query: URLSearchParams): Html {
  const { request, records, total = 0, hasMore } = list;
  const page = request.page ?? 1;
  if (records.length === 0) {
    const text = total === 0 ? 'No startup matches all of this.' : `There is no page ${count(page)}.`;
    return html`<section class="card empty" id="results"><h2>${text}</h2><p class="soft">${count(total)} startups match the filters.</p>
<p><a class="button second" href="${total === 0 ? PATH : withParameter(query, 'page', '1')}">${total === 0 ? 'Show all' : 'To the first page'}</a></p></section>`;
  }
  const most = new Map(
    columns.map(({ field: { path } }) => [
      path,
      Math.max(0, ...records.map((record) => Math.abs(readNumber(record, path) ?? 0))),
    ]),
  );
  const from = (page - 1) * request.limit + 1;
  return html`<div id="results">${summary(total, stats)}
<div class="table results"><table class="collapse"><caption>${count(from)} to ${count(from + records.length - 1)} of ${count(total)} startups. Amounts are US dollars; growth is in percent. Bars compare the rows of this page.</caption>
<thead><tr><th scope="col">Startup</th>${columns.map((column) => columnHead(column, request, query))}</tr></thead>
<tbody>${records.map((record) => row(record, most))}</tbody></table></div>
${pager(query, page, hasMore)}</div>`;
}

function row(record: StartupRecord, most: ReadonlyMap<string, number>): Html {
  const about = [record.category, record.country].filter((text) => text !== null).join(' · ');
  return html`<tr><th scope="row"><a href="${PATH}/${record.slug}">${record.name}</a>${record.onSale && html` <span class="badge good">for sale</span>`}<span class="about">${about}</span></th>${columns.map(
    ({ field, hasBar }) => {
      const number = readNumber(record, field.path);
      const top = most.get(field.path) ?? 0;
      return html`<td class="number${number === undefined && ' none'}" data-label="${wordsOf(field.path)}"><span>${showField(record, field)}${hasBar && number !== undefined && top > 0 && cellBar(Math.abs(number) / top, number < 0 ? 'bad' : 'plain')}</span></td>`;
    },
  )}</tr>`;
}

/** A heading that orders the list by its column, and the other way round when it does already. */
function columnHead({ field, sorts }: ShownColumn, { sort }: ListRequest, query: URLSearchParams): Html {
  const text = wordsOf(field.path);
  if (sorts === undefined) {
    return html`<th scope="col" class="number">${text}</th>`;
  }
  const { descending, ascending } = sorts;
  const state = sort === descending ? 'descending' : sort === ascending ? 'ascending' : undefined;
  const next = state === 'descending' ? ascending : descending;
  return html`<th scope="col" class="number"${state !== undefined && html` aria-sort="${state}"`}><a href="${withParameter(without(query, 'page'), 'sort', next)}">${text}${state !== undefined && html`<span aria-hidden="true"> ${state === 'descending' ? '↓' : '↑'}</span>`}</a></th>`;
}

function summary(total: number, stats: Stats): Html {
  const show = (column: keyof Stats, value: number | null): Content =>
    value === null ? '–' : column === 'growth' ? percent(value, 'change') : money(value);
  return html`<dl class="figures"><div><dt>Startups</dt><dd>${count(total)}</dd></div>${figures.map(
    ({ column, figure }) =>
      html`<div><dt>${wordsOf(column)}, ${figure}</dt><dd>${show(column, stats[column][figure])}</dd></div>`,
  )}</dl>`;
}

function pager(query: URLSearchParams, page: number, hasMore: boolean): Html {
  const link = (to: number, text: string, relation: string): Html =>
    html`<a class="button second" rel="${relation}" href="${withParameter(query, 'page', String(to))}">${text}</a>`;
  return page > 1 || hasMore
    ? html`<nav class="pager" aria-label="Pages">${page > 1 && link(page - 1, 'Previous', 'prev')}<span class="soft">Page ${count(page)}</span>${hasMore && link(page + 1, 'Next', 'next')}</nav>`
    : html``;
}

function without(query: URLSearchParams, name: string): URLSearchParams {
  const copy = new URLSearchParams(query);
  copy.delete(name);
  return copy;
}

function withParameter(query: URLSearchParams, name: string, value: string): string {
  const copy = new URLSearchParams(query);
  copy.set(name, value);
  return `${PATH}?${copy}`;
}
