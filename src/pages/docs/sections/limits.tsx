import {
  MAX_ACCOUNT_DOCUMENT_BYTES,
  MAX_ACCOUNT_DOCUMENTS,
  MAX_DOCUMENT_BYTES,
  MAX_DOCUMENTS,
} from '../../../documents/publish.ts';
import { documentCaps } from '../../../graphql/documents/caps.ts';
import { GRAPHQL_BODY_LIMIT } from '../../../graphql/over-http.ts';
import { DESCRIPTION_LIMIT } from '../../../startups/record.ts';
import { listParameters, RECORDS_PER_READ } from '../../../startups/requests/list-parameters.ts';
import { MAX_CENTS, MAX_COUNT } from '../../../startups/vocabulary.ts';
import { count, type Section, table } from '../section.tsx';

export function sizeLimits(): Section {
  return {
    id: 'limits',
    title: 'Limits on requests',
    description: 'How large requests, documents, pages and numbers may be.',
    text: (
      <>
        <p>
          A GraphQL operation that exceeds a limit gets{' '}
          <a href="#OPERATION_TOO_COMPLEX">
            <code>OPERATION_TOO_COMPLEX</code>
          </a>
          , whose message names the measure, its value and the limit. The contents of a fragment count each
          time it is spread.
        </p>
        {table(
          'Limits',
          ['Measure', 'At most'],
          [
            { cells: ['Body of a request', `${count(GRAPHQL_BODY_LIMIT)} bytes`] },
            ...Object.entries(documentCaps).map(([measure, cap]) => ({
              cells: [`GraphQL operation: ${measure}`, count(cap)],
            })),
            { cells: ['Records of a page, slugs or ids of one read', count(RECORDS_PER_READ)] },
            { cells: ['Number of a page', count(listParameters.page.maximum)] },
            { cells: ['Description of a startup', `${count(DESCRIPTION_LIMIT)} UTF-16 units`] },
            { cells: ['Amount of money', `${count(MAX_CENTS)} US cents`] },
            { cells: ['Count', count(MAX_COUNT)] },
            { cells: ['Published documents of a key', count(MAX_DOCUMENTS)] },
            { cells: ['Published documents of an account', count(MAX_ACCOUNT_DOCUMENTS)] },
            {
              cells: [
                'All published documents of an account, comments included',
                `${count(MAX_ACCOUNT_DOCUMENT_BYTES)} bytes`,
              ],
            },
            { cells: ['Published document, comments included', `${count(MAX_DOCUMENT_BYTES)} bytes`] },
          ],
        )}
        <p>
          Numbers in URLs are plain decimals, such as <code>2500</code> or <code>-0.5</code>, without a plus
          sign or an exponent.
        </p>
      </>
    ),
  };
}
