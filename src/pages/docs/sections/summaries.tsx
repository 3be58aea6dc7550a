import { SUMMARIES } from '../../../graphql/documents/operation-plan.ts';
import { attributeList, typeLink } from '../attributes.tsx';
import { sampleBlock } from '../sample-block.tsx';
import { codeLink, type DocsData, type Section } from '../section.tsx';
import { statuses } from './operations.tsx';

export function summaries(data: DocsData): Section {
  const list = data.types.find(({ name }) => name === 'StartupConnection');
  const fields = (list?.fields ?? []).filter(({ name }) => SUMMARIES.has(name));
  const rest = data.openApi.paths['/summary']?.get;
  return {
    id: 'summaries',
    title: 'Facets and statistics',
    description: 'Counts by value, medians and other statistics of all startups that match.',
    text: (
      <>
        <ul class="card bare">
          <li>
            <span class="surface soft small">REST</span>{' '}
            <code>GET {data.openApi.servers[0]?.url}/summary</code> with the filters of a list; it costs 3
          </li>
          <li>
            <span class="surface soft small">GraphQL</span> on the list that{' '}
            {codeLink('Query.startups', 'startups')} returns
          </li>
        </ul>
        <p>A list can count and summarise all startups that match its filter, whichever page is requested.</p>
        {attributeList(
          fields.map(({ name, type, namedType, description }) => ({
            id: `summaries.${name}`,
            name,
            facts: [<code>{typeLink(type, namedType)}</code>],
            description,
          })),
        )}
        {rest !== undefined && statuses(rest)}
      </>
    ),
    code: sampleBlock(data, 'summaries'),
  };
}
