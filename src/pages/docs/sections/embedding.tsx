import type { DocsData, Section } from '../section.tsx';

/** What a page needs to show data, step by step. */
export function embedding({ embedLimit }: DocsData): Section {
  return {
    id: 'embedding',
    title: 'Show data on your page',
    description: 'Put a list, figures or a chart on your own web page, without a server of your own.',
    text: (
      <>
        <p>
          You may show a modest excerpt, such as a list of ten startups or figures of the market, and name
          this service as its source. You may not republish the data in bulk or make search pages of it: the{' '}
          <a href="/policy">acceptable-use policy</a> says more.
        </p>
        <ol>
          <li>
            In the <a href="/dashboard/explorer">explorer</a>, filter and sort a list, and choose “Embed this
            list”. It publishes the query of the list, and creates an <a href="#embed-keys">embed key</a> for
            the origin of your page, such as <code>https://example.com</code>.
          </li>
          <li>
            Copy the HTML into your page. It loads <code>/embed.js</code> and has one{' '}
            <a href="#web-component">element</a>, which draws the list in the colors of your page.
          </li>
          <li>
            If your page has a content security policy, allow the origin of this API in{' '}
            <code>script-src</code> and <code>connect-src</code>.
          </li>
        </ol>
        <p>
          Without the dashboard, use <code>revgate keys create --embed</code> and{' '}
          <code>revgate documents publish</code>, as in the <a href="#5-show-it-on-a-web-page">tutorial</a>.
          Everyone can read the key in your page. It works for your origins and your{' '}
          <a href="#published-documents">published documents</a> only, with a limit for each visitor and one
          of {embedLimit.toLocaleString('en-US')} requests a minute for all. Responses may be up to a minute
          old.
        </p>
        <p>
          Programs on a server, such as a static site generator, use a secret key and{' '}
          <a href="#paging">read the list</a> themselves.
        </p>
      </>
    ),
  };
}
