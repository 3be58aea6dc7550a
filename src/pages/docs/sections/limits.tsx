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
import { ScrollTable } from '../../shared/components.tsx';
import { codeLink, count, type Section } from '../section.tsx';

export function sizeLimits(): Section {
  return {
    id: 'limits',
    title: 'Limits on requests',
    description: 'How large requests, documents, pages and numbers may be.',
    text: (
      <>
        <p>
          A GraphQL operation that exceeds a limit gets {codeLink('OPERATION_TOO_COMPLEX')}, whose message
          names the measure, its value and the limit. The contents of a fragment count each time it is spread.
        </p>
        <ScrollTable
          label="Limits"
          head={['Measure', 'At most']}
          rows={[
            ['Body of a request', `${count(GRAPHQL_BODY_LIMIT)} bytes`],
            ...Object.entries(documentCaps).map(([measure, cap]) => [
              `GraphQL operation: ${measure}`,
              count(cap),
            ]),
            ['Records of a page, slugs or ids of one read', count(RECORDS_PER_READ)],
            ['Number of a page', count(listParameters.page.maximum)],
            ['Description of a startup', `${count(DESCRIPTION_LIMIT)} UTF-16 units`],
            ['Amount of money', `${count(MAX_CENTS)} US cents`],
            ['Count', count(MAX_COUNT)],
            ['Published documents of a key', count(MAX_DOCUMENTS)],
            ['Published documents of an account', count(MAX_ACCOUNT_DOCUMENTS)],
            [
              'All published documents of an account, comments included',
              `${count(MAX_ACCOUNT_DOCUMENT_BYTES)} bytes`,
            ],
            ['Published document, comments included', `${count(MAX_DOCUMENT_BYTES)} bytes`],
          ]}
        />
        <p>
          Numbers in URLs are plain decimals, such as <code>2500</code> or <code>-0.5</code>, without a plus
          sign or an exponent.
        </p>
      </>
    ),
  };
}
