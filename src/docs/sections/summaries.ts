import { SUMMARIES } from '../../graphql/operation-plan.ts';
import { html } from '../../html.ts';
import { attributeList, typeLink } from '../attributes.ts';
import { sampleBlock } from '../sample-block.ts';
import type { DocsData, Section } from '../section.ts';

export function summaries(data: DocsData): Section {
  const list = data.types.find(({ name }) => name === 'StartupConnection');
  const fields = (list?.fields ?? []).filter(({ name }) => SUMMARIES.has(name));
  return {
    id: 'summaries',
    title: 'Facets and statistics',
    text: html`<ul class="endpoints"><li><span class="surface">GraphQL</span> on the list that <a href="#Query.startups"><code>startups</code></a> returns</li></ul>
<p>A list can count and summarise all startups that match its filter, whichever page is requested. REST has no summaries.</p>
${attributeList(
  fields.map(({ name, type, namedType, description }) => ({
    id: `summaries.${name}`,
    name,
    facts: [html`<code>${typeLink(type, namedType)}</code>`],
    description,
  })),
)}`,
    code: sampleBlock(data, 'summaries'),
  };
}
