import { type Html, html } from '../../html.ts';
import type { KeySummary } from '../../keys/key.ts';
import type { ListedKey } from '../../keys/list.ts';
import type { RateLimitState } from '../../rate-limit/limiter.ts';
import { REFUSED_STATUS, type UsageRow, type UsageTotal } from '../../usage/read.ts';
import { barChart, cellBar } from '../charts.ts';
import { count } from '../figures.ts';
import { time } from '../forms.ts';
import { byBucket, type Division, type Tally, tally } from './buckets.ts';

/** The charts of some keys, with the tables behind them. */
export function usageCharts(usage: readonly { division: Division; rows: readonly UsageRow[] }[]): Html {
  return html`${usage.map(({ division, rows }) => chartOf(division, rows))}`;
}

function chartOf(division: Division, rows: readonly UsageRow[]): Html {
  const { bucket, title, length, starts, label } = division;
  const buckets = byBucket(rows, length);
  const tallies = starts.map((start) => ({ start, ...tally(buckets.get(start.getTime()) ?? []) }));
  const all = tally(rows);
  const most = tallies.reduce((one, other) => (other.requests > one.requests ? other : one));
  const peak =
    most.requests === 0 ? '' : ` Most in one ${bucket}: ${count(most.requests)}, ${label(most.start)}.`;
  return barChart({
    id: `by-${bucket}`,
    title,
    summary: `${count(all.requests)} requests, ${count(all.refused)} of them refused by the limit.${peak}`,
    bars: tallies.map(({ start, requests, refused }) => ({
      label: label(start),
      admitted: requests - refused,
      refused,
    })),
    table: usageTable(division, tallies, all),
  });
}

function usageTable(
  { bucket, title, label }: Division,
  tallies: readonly ({ start: Date } & Tally)[],
  all: Tally,
): Html {
  const busy = tallies.filter(({ requests }) => requests > 0).reverse();
  if (busy.length === 0) {
    return html`<p class="soft">No request yet.</p>`;
  }
  const surfaces = [...all.surfaces.keys()].sort();
  const statuses = [...all.statuses.keys()].sort((a, b) => a - b);
  const cells = (of: Tally): Html =>
    html`<td>${count(of.requests)}</td><td>${count(of.refused)}</td>${surfaces.map((surface) => html`<td>${count(of.surfaces.get(surface) ?? 0)}</td>`)}${statuses.map((status) => html`<td>${count(of.statuses.get(status) ?? 0)}</td>`)}`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${title} in numbers"><table class="counts"><caption>In UTC, the last first; ${bucket === 'hour' ? 'an hour' : 'a day'} without a request is left out.</caption>
<thead><tr><th scope="col">${bucket === 'hour' ? 'Hour' : 'Day'}</th><th scope="col">Requests</th><th scope="col">Refused</th>${surfaces.map((surface) => html`<th scope="col">${surfaceNames[surface] ?? surface}</th>`)}${statuses.map((status) => html`<th scope="col">${status}</th>`)}</tr></thead>
<tbody>${busy.map((one) => html`<tr><th scope="row">${label(one.start)}</th>${cells(one)}</tr>`)}<tr><th scope="row">All</th>${cells(all)}</tr></tbody></table></div>`;
}

const surfaceNames: Readonly<Record<string, string>> = { rest: 'REST', graphql: 'GraphQL' };

/** How requests were answered: by surface and status, with bars to compare them. */
export function answersTable({ title }: Division, rows: readonly UsageRow[]): Html {
  const sums = new Map<string, { surface: string; status: number; requests: number }>();
  for (const { surface, status, requests } of rows) {
    const name = `${surface} ${status}`;
    sums.set(name, { surface, status, requests: (sums.get(name)?.requests ?? 0) + requests });
  }
  const lines = [...sums.values()].sort((a, b) => b.requests - a.requests);
  const [most] = lines;
  return html`<section class="card"><h2>By surface and status</h2>${
    most === undefined
      ? html`<p class="soft">No request in the last 30 days.</p>`
      : html`<table><caption>${title}</caption><thead><tr><th scope="col">Surface</th><th scope="col">Status</th><th scope="col" class="number">Requests</th></tr></thead>
<tbody>${lines.map(
          ({ surface, status, requests }) =>
            html`<tr><th scope="row">${surfaceNames[surface] ?? surface}</th><td><span class="badge ${statusTone(status)}">${status}</span></td><td class="number"><span>${count(requests)}${cellBar(requests / most.requests, status >= 400 ? 'bad' : 'plain')}</span></td></tr>`,
        )}</tbody></table>`
  }</section>`;
}

function statusTone(status: number): string {
  return status < 400 ? 'good' : status === REFUSED_STATUS ? 'warn' : 'bad';
}

/** What is left of a key's current minute; undefined for a key that ended. */
export function remainder(state: RateLimitState | undefined, now: number): Html {
  if (state === undefined) {
    return html`<p class="left"><strong>–</strong> this key no longer works</p>`;
  }
  const { remaining, limit, resetAt } = state;
  const seconds = Math.max(0, Math.ceil((resetAt - now) / 1000));
  return html`<p class="left"><strong>${count(remaining)}</strong> of ${count(limit)} requests left</p>
${cellBar(remaining / limit, remaining === 0 ? 'bad' : 'plain')}
<p class="soft small">${remaining === limit ? 'No window is open: the next request opens one.' : html`The window ends in ${seconds} s.`}</p>`;
}

/** The keys of an account, what was asked of each, and what is left. */
export function keyUsageTable(
  keys: readonly (ListedKey & { total: UsageTotal; left: RateLimitState | undefined })[],
): Html {
  const most = Math.max(1, ...keys.map(({ total }) => total.requests));
  return html`<div class="table"><table class="collapse"><caption>The last 24 hours, and this minute</caption>
<thead><tr><th scope="col">Key</th><th scope="col" class="number">Requests</th><th scope="col" class="number">Refused</th><th scope="col" class="number">Left now</th><th scope="col">Last used</th></tr></thead>
<tbody>${keys.map(
    ({
      id,
      name,
      prefix,
      total,
      left,
      lastUsedAt,
    }) => html`<tr><th scope="row"><a href="/dashboard/usage/${id}">${name}</a> <span class="soft mono">${prefix}…</span></th>
<td class="number" data-label="Requests"><span>${count(total.requests)}${cellBar(total.requests / most)}</span></td>
<td class="number" data-label="Refused">${count(total.refused)}</td>
<td class="number" data-label="Left now">${left === undefined ? '–' : `${count(left.remaining)} of ${count(left.limit)}`}</td>
<td data-label="Last used">${lastUsedAt === null ? html`<span class="soft">never</span>` : time(lastUsedAt, 'minute')}</td></tr>`,
  )}</tbody></table></div>`;
}

/** What a page of one key's use begins with. */
export function usageHead(key: KeySummary, left: Html, isOwn: boolean): Html {
  const path = `/dashboard/usage/${key.id}`;
  return html`<div class="columns"><section class="card live"><h2>This minute</h2><div data-live="${path}/left">${left}</div><p class="soft small"><a href="${path}">Refresh</a></p></section>
<section class="card"><h2>The key</h2><dl class="facts"><dt>Key</dt><dd class="mono">${key.prefix}…</dd><dt>Tier</dt><dd>${key.tier}</dd><dt>State</dt><dd>${key.state}</dd></dl>
<p class="small"><a href="${isOwn ? '/dashboard/keys' : '/dashboard/operator/keys'}/${key.id}">More of this key</a></p></section></div>`;
}
