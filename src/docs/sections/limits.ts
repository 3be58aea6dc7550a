import { MAX_DOCUMENT_BYTES, MAX_DOCUMENTS } from '../../documents/publish.ts';
import { documentCaps } from '../../graphql/document-caps.ts';
import { BODY_LIMIT } from '../../graphql/http.ts';
import { html } from '../../html.ts';
import { listParameters, MAX_LIMIT } from '../../startups/list-parameters.ts';
import { DESCRIPTION_LIMIT } from '../../startups/record.ts';
import { MAX_CENTS, MAX_COUNT } from '../../startups/vocabulary.ts';
import { count, type Section, table } from '../section.ts';

export function sizeLimits(): Section {
  return {
    id: 'limits',
    title: 'Limits on requests',
    text: html`<p>A GraphQL operation that exceeds a limit gets <a href="#OPERATION_TOO_COMPLEX"><code>OPERATION_TOO_COMPLEX</code></a>, whose message names the measure, its value and the limit. The contents of a fragment count each time it is spread.</p>
${table(
  'Limits',
  ['Measure', 'At most'],
  [
    { cells: ['Body of a request', `${count(BODY_LIMIT)} bytes`] },
    ...Object.entries(documentCaps).map(([measure, cap]) => ({
      cells: [`GraphQL operation: ${measure}`, count(cap)],
    })),
    { cells: ['Records of a page, slugs or ids of one read', count(MAX_LIMIT)] },
    { cells: ['Number of a page', count(listParameters.page.maximum)] },
    { cells: ['Description of a startup', `${count(DESCRIPTION_LIMIT)} UTF-16 units`] },
    { cells: ['Amount of money', `${count(MAX_CENTS)} US cents`] },
    { cells: ['Count', count(MAX_COUNT)] },
    { cells: ['Published documents of a key', count(MAX_DOCUMENTS)] },
    { cells: ['Published document', `${count(MAX_DOCUMENT_BYTES)} bytes`] },
  ],
)}
<p>Numbers in URLs are plain decimals, such as <code>2500</code> or <code>-0.5</code>, without a plus sign or an exponent.</p>`,
  };
}
