import type { Handler } from 'hono';
import type { PrismaClient } from '../db/generated/client/client.ts';
import { GraphQLContext } from '../graphql/context.ts';
import type { Engine } from '../graphql/engine.ts';
import { type Html, html } from '../html.ts';
import type { PageEnv } from '../page-app.ts';
import type { Catalogue } from '../startups/catalogue/catalogue.ts';
import type { LiveCatalogue } from '../startups/catalogue/live.ts';
import { publicPage } from './public-page.ts';

/** Statistics only: records require a key. */
const QUERY = `{
  dataset { total importedAt }
  startups(filter: { onSale: true }) {
    meta { total }
    stats { price { median } multiple { median } }
  }
}`;

/** Creates the page at /, which shows a query and its current result. */
export function createLandingPage(
  engine: Engine,
  catalogue: Pick<LiveCatalogue, 'pin'>,
  prisma: PrismaClient,
): Handler<PageEnv> {
  const operation = engine.prepare({ query: QUERY, operationName: null, variables: {} });
  let shown: { readonly of: Catalogue; readonly main: Html } | undefined;

  return async (c) => {
    const { request, requestId } = c.env;
    const pinned = catalogue.pin();
    try {
      if (shown?.of !== pinned.catalogue) {
        const context = new GraphQLContext(requestId, pinned.catalogue, operation, prisma, request);
        const { data, errors } = await engine.run(operation, context);
        const main = mainOf(JSON.stringify(data, null, 2));
        if (errors !== undefined) {
          return publicPage(c, TITLE, main);
        }
        shown = { of: pinned.catalogue, main };
      }
      return publicPage(c, TITLE, shown.main);
    } finally {
      pinned.release();
    }
  };
}

const TITLE = 'Startups with verified revenue';

function mainOf(response: string): Html {
  return html`<p>Query startups whose revenue is verified through payment providers: filter, sort and page by revenue, MRR, growth and asking price. In GraphQL or REST, with one key.</p>
<ul class="cards">
<li><a href="/dashboard">Dashboard</a><p>Sign up, accept the policy, create a key.</p></li>
<li><a href="/docs">Docs</a><p>Every parameter, field, error and limit.</p></li>
<li><a href="/graphql">GraphiQL</a><p>Write queries with completion.</p></li>
</ul>
<div class="pair">
<section><h2>A query</h2><pre><code>${QUERY}</code></pre></section>
<section><h2>Its response now</h2><pre><code>${response}</code></pre></section>
</div>
<p>The <a href="/docs/schema">GraphQL schema</a>, and for programs <a href="/schema.graphql">schema.graphql</a> and <a href="/openapi.json">openapi.json</a>. Rules of use: <a href="/policy">policy</a>.</p>`;
}
