import { CodeBlock, ScrollTable } from '../../shared/components.tsx';
import { highlight } from '../../shared/highlight.tsx';
import type { DocsData, Section } from '../section.tsx';

/** The component of `embed/`. */
export function webComponent({ origin }: DocsData): Section {
  return {
    id: 'web-component',
    title: 'Web component',
    description: 'The elements that show a list, figures or a chart on your own web page.',
    text: (
      <>
        <p>
          <code>/embed.js</code> draws the result of a <a href="#published-documents">published document</a>{' '}
          on any web page, with an <a href="#embed-keys">embed key</a>. To get the HTML with a preview, open
          the <a href="/dashboard/explorer">explorer</a> and choose “Embed this list”.
        </p>
        <ScrollTable
          label="Elements"
          head={['Element', 'Draws']}
          rows={[
            [<code>revgate-list</code>, 'the first list of a result as a table'],
            [<code>revgate-figures</code>, 'single numbers, such as those of stats'],
            [<code>revgate-chart</code>, 'the market, or the history of a startup, by day'],
          ]}
        />
        <ScrollTable
          label="Attributes"
          head={['Attribute', 'Value']}
          rows={[
            [<code>key</code>, 'an embed key; no other key is sent'],
            [<code>document</code>, 'the id of a document that is published for the key'],
            [<code>columns</code>, 'of a list: fields separated by commas, such as name,revenue.mrr'],
            [<code>figures</code>, 'the same for figures, such as meta.total'],
            [<code>value</code>, 'of a chart: the field to draw, such as mrr.sum'],
            [<code>labels</code>, 'headings in place of the usual ones, separated by commas'],
            [<code>label</code>, 'the name for screen readers; of a chart also its title'],
            [<code>rows</code>, 'rows for which a list keeps room while it loads; 10 by default'],
            [<code>theme</code>, 'light or dark; the colors of the page by default'],
            [<code>variables</code>, 'variables of the document, as JSON'],
            [<code>api</code>, 'the address of the API, if the script is loaded from somewhere else'],
          ]}
        />
        <p>
          Elements with the same document share one request. An element refreshes when it is seen again after
          a minute, and waits when the limit is used up. Visitors read one sentence if it fails; the reason is
          in the browser's console.
        </p>
        <p>
          Style it with <code>::part(table)</code> and other parts, or with custom properties such as{' '}
          <code>--revgate-accent</code>. The image in the example keeps the room of the list until the script
          has loaded: 40 pixels for each row and the heading, plus 46.
        </p>
        <p>
          A content policy must allow <code>{origin}</code> in <code>script-src</code> and{' '}
          <code>connect-src</code>, and nothing else. To host the file yourself, with its hash in{' '}
          <code>integrity</code>, run <code>revgate embed-script &gt; embed.js</code>, which prints both, and
          set <code>api</code>.
        </p>
      </>
    ),
    code: (
      <figure class="sample">
        <figcaption class="hint">A list on a web page</figcaption>
        <CodeBlock id="web-component-code" label="A list on a web page" language="html">
          {`<script src="${origin}/embed.js" type="module"></script>
<revgate-list
  key="rvg_pub_…"
  document="sha256:…"
  columns="name,revenue.mrr,growth30d">
  <svg display="block" width="100%" height="486"></svg>
</revgate-list>`}
        </CodeBlock>
      </figure>
    ),
  };
}

/** The package of `client/`. */
export function javascriptClient({ origin }: DocsData): Section {
  return {
    id: 'javascript-client',
    title: 'JavaScript client',
    description: 'revgate-client for browsers, Node, Deno, Bun and edge runtimes.',
    text: (
      <>
        <p>
          <code>revgate-client</code> calls this API from browsers, Node, Deno, Bun and edge runtimes. It has
          no dependencies, and types of all fields, parameters and errors.
        </p>
        <ScrollTable
          label="Methods"
          head={['Method', 'Returns']}
          rows={[
            [<code>startups(parameters)</code>, 'every startup of a list, for await'],
            [<code>list(parameters)</code>, 'one page: data and meta'],
            [<code>summary(parameters)</code>, 'counts and statistics of all that match'],
            [<code>startup(slug)</code>, 'one startup'],
            [<code>history(slug, parameters)</code>, 'its figures by day'],
            [<code>market(parameters)</code>, 'figures of all startups by day'],
            [<code>changes(parameters)</code>, 'pages of changes, for await'],
            [<code>query(document, variables)</code>, 'the data of a GraphQL document'],
          ]}
        />
        <p>
          It waits when the limit is used up, and after a 429 as long as the response says. It repeats GET
          after a network error or a 503, three times at most (<code>retries</code>). Every failure is a{' '}
          <code>RevgateError</code> with <code>code</code>, <code>status</code>, <code>details</code> and{' '}
          <code>requestId</code>. The last argument of each method is <code>{'{ signal }'}</code>. With{' '}
          <code>store: new Map()</code> it keeps responses with their ETags.
        </p>
      </>
    ),
    code: (
      <figure class="sample">
        <figcaption class="hint">Every startup of a category</figcaption>
        <CodeBlock id="client-code" label="Every startup of a category" language="javascript">
          {highlight(
            'javascript',
            `import { createClient } from "revgate-client";

const client = createClient({
  url: "${origin}",
  key: "rvg_…",
});
for await (const startup of client.startups({ category: "ai" })) {
  console.log(startup.name, startup.revenue.mrr);
}`,
          )}
        </CodeBlock>
      </figure>
    ),
  };
}
