import { DEFAULT_SERVICE } from '../../../src/lib/text/service.ts';
import { field } from '../../../src/web/dashboard/forms.tsx';
import { barChart } from '../../../src/web/shared/bar-chart.tsx';
import { brandOf } from '../../../src/web/shared/brand.ts';
import { cellBar } from '../../../src/web/shared/charts.tsx';
import { CodeBlock, CopyButton, CopyStatus, Samples } from '../../../src/web/shared/code-blocks.tsx';
import { Badge, EmptyState, Figures, Notice, Pager, Tabs } from '../../../src/web/shared/components.tsx';
import { money, percent, times } from '../../../src/web/shared/figures.tsx';
import { highlight } from '../../../src/web/shared/highlight.tsx';
import type { Content, Html } from '../../../src/web/shared/jsx.ts';
import { renderMarkdown } from '../../../src/web/shared/markdown.tsx';
import { seriesChart } from '../../../src/web/shared/series-chart.tsx';
import { shellPage } from '../../../src/web/shared/shell.tsx';
import { time } from '../../../src/web/shared/time.tsx';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const link = (page: number): string => `?page=${page}`;

/**
 * Every component of the pages in every state. What a reader does to an element is in its attribute `data-state`:
 * `hover`, `focus-visible` or `disabled`.
 */
export function componentPage(): string {
  return shellPage({
    title: 'Components',
    brand: brandOf(DEFAULT_SERVICE),
    path: '/docs',
    isSignedIn: true,
    assetUrl: (name) => `/assets/${name}`,
    styles: ['dashboard.css', 'series.css', 'test.css'],
    children: (
      <main id="main">
        {Object.entries(sections).map(([name, content]) => (
          <section data-section={name}>{content}</section>
        ))}
      </main>
    ),
  });
}

const sections: Readonly<Record<string, Content>> = {
  texts: (
    <>
      <p class="back">
        <a href="/">All startups</a>
      </p>
      <div class="heading">
        <h1>Heading of a page</h1>
        <button>Action</button>
      </div>
      <p class="lead">A leading sentence, larger and softer than others.</p>
      <h2>Heading of a section</h2>
      <p>
        Text with <a href="/">an address</a>,{' '}
        <a href="/" data-state="hover">
          one that is pointed at
        </a>
        ,{' '}
        <a href="/" data-state="focus-visible">
          one with the focus
        </a>
        , <strong>strong words</strong> and <code>code</code>.
      </p>
      <p class="soft">Soft text.</p>
      <p class="soft small">Small, soft text.</p>
      <details>
        <summary>Closed</summary>
        Hidden.
      </details>
      <details open>
        <summary>Open</summary>
        What it contains.
      </details>
      <div class="card prose">
        {renderMarkdown('## Rendered text\n\nA paragraph with **strong** words.\n\n- One\n- Two')}
      </div>
    </>
  ),
  notices: (
    <>
      <Notice>
        Good, with <a href="/">an address</a>.
      </Notice>
      <Notice tone="warn">A warning.</Notice>
      <Notice tone="wrong">An error.</Notice>
      <p>
        {['', 'good', 'warn', 'bad'].map((tone) => (
          <>
            <Badge tone={tone}>{tone || 'plain'}</Badge>{' '}
          </>
        ))}
      </p>
      <div class="columns">
        <section class="card">
          <h2>A card</h2>
          <p>Its text.</p>
        </section>
        <section class="card danger">
          <h2>A dangerous card</h2>
          <p>Its text.</p>
        </section>
      </div>
      <EmptyState title="Nothing yet">
        <p class="soft">What to do next.</p>
      </EmptyState>
    </>
  ),
  buttons: ['', 'second', 'quiet', 'danger', 'second danger'].map((kind) => (
    <p class="actions">
      <button class={kind}>{kind || 'main'}</button>
      <button class={kind} data-state="hover">
        hover
      </button>
      <button class={kind} data-state="focus-visible">
        focus
      </button>
      <button class={kind} data-state="disabled">
        disabled
      </button>
      {kind !== 'quiet' && (
        <a class={`button ${kind}`} href="/">
          as a link
        </a>
      )}
    </p>
  )),
  fields: (
    <form class="stack">
      {field({ name: 'plain', label: 'Plain', value: 'Value' })}
      {field({ name: 'empty', label: 'With a hint', hint: 'What to type.', isRequired: false })}
      {field({
        name: 'wrong',
        label: 'Invalid',
        hint: 'What to type.',
        sent: { values: { wrong: 'x' }, errors: { wrong: 'got x, allowed: y' } },
      })}
      <div class="field">
        <label for="focused">With the focus</label>
        <input id="focused" data-state="focus-visible" />
      </div>
      <div class="field">
        <label for="select">Choice</label>
        <select id="select">
          <option>One of several</option>
        </select>
      </div>
      <div class="field">
        <label for="text">Long text</label>
        <textarea id="text" rows="2">
          Several lines
        </textarea>
      </div>
      <fieldset>
        <legend>One of two</legend>
        <label class="choice">
          <input type="radio" name="radio" checked />
          Chosen
        </label>
        <label class="choice">
          <input type="radio" name="radio" />
          Not chosen
        </label>
      </fieldset>
      <label class="choice">
        <input type="checkbox" checked />
        Checked
      </label>
    </form>
  ),
  navigation: (
    <>
      <Tabs
        label="Parts"
        tabs={['Current', 'Other', 'Third'].map((label, index) => ({
          path: '/',
          label,
          isCurrent: index === 0,
        }))}
      />
      <Pager page={1} hasMore link={link} label="First page" />
      <Pager page={2} hasMore link={link} label="Page in between" isByTime />
      <Pager page={1_234} hasMore={false} link={link} label="Last page" />
      <ul class="actions chips bare">
        <li>
          <a class="badge" href="/">
            For sale ×
          </a>
        </li>
        <li>
          <a class="badge clear" href="/">
            Clear all
          </a>
        </li>
      </ul>
    </>
  ),
  tables: (
    <>
      <div class="table">
        <table class="collapse">
          <caption>A table, which is a list of entries on a phone</caption>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">State</th>
              <th scope="col">Created</th>
              <th scope="col" class="number">
                Requests
              </th>
            </tr>
          </thead>
          <tbody>
            {[12, 3_456].map((requests) => (
              <tr>
                <th scope="row">
                  <a href="/">Billing report</a>
                </th>
                <td data-label="State">
                  <Badge tone="good">active</Badge>
                </td>
                <td data-label="Created">{time(new Date(START))}</td>
                <td class="number" data-label="Requests">
                  <span>
                    {requests.toLocaleString('en-US')}
                    {cellBar(requests / 3_456, requests < 100 ? 'bad' : 'plain')}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <dl class="facts">
        <dt>Key</dt>
        <dd>rvg_12345678…</dd>
        <dt>Created</dt>
        <dd>{time(new Date(START), 'minute')}</dd>
      </dl>
      <Figures
        figures={[
          ['Revenue', money(123_456_700)],
          ['Growth', percent(-9.3, 'change')],
          ['Multiple', times(2.44)],
          ['Since', time(new Date(START))],
        ]}
      />
    </>
  ),
  code: (
    <>
      <div class="heading sub">
        <h2>Code</h2>
        <CopyStatus />
        <CopyButton of="graphql" label="Copy" />
      </div>
      <CodeBlock id="block" label="Query" title="GraphQL">
        {highlight(
          'graphql',
          '# Comment\nquery Top($first: Int = 3) {\n  startups(first: $first) { name }\n}',
        )}
      </CodeBlock>
      <pre>
        <code>{highlight('json', '{ "name": "Acme", "customers": 12, "onSale": true }')}</code>
      </pre>
      <Samples origin="https://api.example.com" request={{ path: '/api/v1/startups?limit=3' }} />
    </>
  ),
  charts: (
    <>
      {seriesChart({
        heading: <h2>Figures</h2>,
        series: (['cents', 'count'] as const).map((unit) => ({
          name: unit,
          path: unit,
          label: unit === 'cents' ? 'Revenue' : 'Customers',
          unit,
          points: [10, 14, 12, 18, 25, 24].map((value, day) => ({
            day: new Date(START + day * DAY).toISOString().slice(0, 10),
            value: value * 100_000,
          })),
        })),
        embed: (path) => `/embed?value=${path}`,
      })}
      {barChart({
        id: 'bars',
        title: 'Requests',
        summary: 'Requests by day.',
        precision: 'day',
        bars: [5, 0, 9, 12].map((succeeded, day) => ({
          start: new Date(START + day * DAY),
          succeeded,
          errors: day,
          refused: day === 3 ? 4 : 0,
        })),
        table: <p>The same in numbers.</p>,
      })}
    </>
  ),
  menu: menu(),
};

function menu(): Html {
  return (
    <div class="heading">
      <h2>A menu</h2>
      <details class="menu" open>
        <summary class="button second">Actions</summary>
        <div class="items popup">
          <a href="/">Rename</a>
          <a href="/" data-state="hover">
            Pointed at
          </a>
          <a class="danger" href="/">
            Revoke
          </a>
        </div>
      </details>
    </div>
  );
}
