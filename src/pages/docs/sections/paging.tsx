import { graphqlParameters, listParameters } from '../../../startups/requests/list-parameters.ts';
import { sampleBlock } from '../sample-block.tsx';
import { code, codeLink, type DocsData, heading, type Section } from '../section.tsx';

const pages = { id: 'pages', title: 'Pages' };
const cursors = { id: 'cursors', title: 'Cursors' };

export function paging(data: DocsData): Section {
  const { limit } = listParameters;
  const { first } = graphqlParameters;
  return {
    id: 'paging',
    title: 'Paging',
    description: 'Read a whole list, by pages or by cursors.',
    parts: [pages, cursors],
    text: (
      <>
        <p>
          A list returns {limit.minimum} to {limit.maximum} records at a time. Every order is total, so that
          the same request on the same data returns the same page.
        </p>
        {heading(pages)}
        <p>
          Increase <code>page</code> until {codeLink('StartupPage', 'meta.hasMore')} is false. Over REST, the
          header <code>Link</code> (RFC 8288) leads to the first, previous, next and last page with the same
          parameters. Where records move between two requests, a page may repeat or miss one.
        </p>
        {heading(cursors)}
        <p>
          GraphQL lists can be read by cursors instead: request the {code('first')} records ({first.minimum}{' '}
          to {first.maximum}), then those {code('after')}{' '}
          {codeLink('PageInfo.endCursor', 'pageInfo.endCursor')}, until{' '}
          {codeLink('PageInfo.hasNextPage', 'hasNextPage')} is false. A cursor identifies a position in an
          order, so it stays valid on every node and after every import; a startup whose sorted value does not
          change appears exactly once. A cursor belongs to its filter and sort. Pages and cursors cannot be
          combined.
        </p>
      </>
    ),
    code: sampleBlock(data, 'paging'),
  };
}
