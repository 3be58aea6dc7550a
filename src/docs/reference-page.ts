import { html } from '../html.ts';
import { type AssetUrl, frame } from './frame.ts';
import { type DocsData, renderSection, type Section } from './section.ts';
import { authentication } from './sections/authentication.ts';
import { caching } from './sections/caching.ts';
import { embedKeys, publishedDocuments } from './sections/documents.ts';
import { enumerations } from './sections/enumerations.ts';
import { errors } from './sections/errors.ts';
import { introduction } from './sections/introduction.ts';
import { sizeLimits } from './sections/limits.ts';
import { operations } from './sections/operations.ts';
import { paging } from './sections/paging.ts';
import { rateLimits } from './sections/rate-limits.ts';
import { responseHeaders } from './sections/response-headers.ts';
import { startup } from './sections/startup.ts';
import { summaries } from './sections/summaries.ts';
import { graphqlTypes, restTypes } from './sections/types.ts';

/** The reference of both surfaces, generated from the descriptions that they are built from. */
export function referencePage(data: DocsData, assetUrl: AssetUrl): string {
  const [list, ...others] = operations(data) as [Section, ...Section[]];
  const groups: { readonly title: string; readonly sections: readonly Section[] }[] = [
    {
      title: 'Basics',
      sections: [
        introduction(data),
        authentication(data),
        rateLimits(data),
        errors(data),
        responseHeaders(data),
        caching(data),
        paging(data),
      ],
    },
    { title: 'Operations', sections: [list, summaries(data), ...others] },
    {
      title: 'Types',
      sections: [startup(data), restTypes(data), graphqlTypes(data), enumerations(data), sizeLimits()],
    },
    { title: 'Applications', sections: [publishedDocuments(data), embedKeys(data)] },
  ];
  return frame(assetUrl, {
    title: 'API reference',
    path: '/docs',
    groups: groups.map(({ title, sections }) => ({ title, links: sections })),
    main: html`${groups.map(({ sections }) => sections.map(renderSection))}`,
  });
}
