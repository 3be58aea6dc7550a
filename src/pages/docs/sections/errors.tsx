import { type ErrorCode, errorMeanings, errorStatuses } from '../../../errors.ts';
import { SENT_WITH_EVERY_TYPE } from '../../../graphql/over-http.ts';
import type { Content } from '../../shared/jsx.ts';
import { attributeList, schemaAttributes } from '../attributes.tsx';
import { sampleBlock } from '../sample-block.tsx';
import { type DocsData, heading, type Section } from '../section.tsx';

const codes = { id: 'error-codes', title: 'Error codes' };
const body = { id: 'Error', title: 'The body of an error' };

export function errors(data: DocsData): Section {
  return {
    id: 'errors',
    title: 'Errors',
    description: 'The body of an error, and every error code with its status and meaning.',
    parts: [body, codes],
    text: (
      <>
        <p>
          Both surfaces use the same codes. REST returns the HTTP status of the code and one error. GraphQL
          returns <code>errors</code>, one for each invalid argument, with the code and the details in{' '}
          <code>extensions</code>.
        </p>
        <p>
          The status of a GraphQL response depends on what the client accepts: if <code>Accept</code> prefers{' '}
          <code>application/graphql-response+json</code>, it is that of the code; with{' '}
          <code>application/json</code>, a well-formed request gets 200 for errors of the operation itself, as
          GraphQL over HTTP specifies.
        </p>
        {heading(body)}
        {attributeList(schemaAttributes('Error', data.openApi.components.schemas.Error))}
        {heading(codes)}
        {attributeList(
          (Object.keys(errorStatuses) as ErrorCode[]).map((name) => ({
            id: name,
            name,
            facts: [
              <>
                REST <code>{errorStatuses[name]}</code>
              </>,
              graphqlFact(errorStatuses[name]),
            ],
            description: errorMeanings[name],
          })),
          true,
        )}
      </>
    ),
    code: sampleBlock(data, 'invalid'),
  };
}

function graphqlFact(status: number): Content {
  const plain = SENT_WITH_EVERY_TYPE.has(status) ? status : 200;
  return (
    <>
      GraphQL <code>{status}</code>
      {plain !== status && (
        <>
          , as application/json <code>{plain}</code>
        </>
      )}
    </>
  );
}
