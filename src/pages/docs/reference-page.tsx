import { type FrameOptions, frame } from './frame.tsx';
import { type DocsData, renderSection, type Section } from './section.tsx';
import { authentication } from './sections/authentication.tsx';
import { caching } from './sections/caching.tsx';
import { javascriptClient, webComponent } from './sections/clients.tsx';
import { embedKeys, publishedDocuments } from './sections/documents.tsx';
import { enumerations } from './sections/enumerations.tsx';
import { errors } from './sections/errors.tsx';
import { introduction } from './sections/introduction.tsx';
import { sizeLimits } from './sections/limits.tsx';
import { operations } from './sections/operations.tsx';
import { paging } from './sections/paging.tsx';
import { rateLimits } from './sections/rate-limits.tsx';
import { responseHeaders } from './sections/response-headers.tsx';
import { search } from './sections/search.tsx';
import { startup } from './sections/startup.tsx';
import { summaries } from './sections/summaries.tsx';
import { graphqlTypes, restTypes } from './sections/types.tsx';

/** The reference of both surfaces, generated from the descriptions that they are built from. */
export function referencePage(data: DocsData, options: FrameOptions): string {
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
    { title: 'Operations', sections: [list, search(data), summaries(data), ...others] },
    {
      title: 'Types',
      sections: [startup(data), restTypes(data), graphqlTypes(data), enumerations(data), sizeLimits()],
    },
    {
      title: 'Applications',
      sections: [publishedDocuments(data), embedKeys(data), webComponent(data), javascriptClient(data)],
    },
  ];
  return frame({
    ...options,
    title: 'API reference',
    path: '/docs',
    groups: groups.map(({ title, sections }) => ({ title, links: sections })),
    main: <>{groups.map(({ sections }) => sections.map(renderSection))}</>,
  });
}
