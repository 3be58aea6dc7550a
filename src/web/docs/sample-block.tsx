import { Samples } from '../shared/code-blocks.tsx';
import { compactJson, type SampleCode, type SampleRequest, writeSamples } from '../shared/code-samples.ts';
import { highlight } from '../shared/highlight.tsx';
import type { Html } from '../shared/jsx.ts';
import type { DocsData } from './contents.ts';
import { blocks } from './entries.ts';
import { type RecordedResponse, requestsOf, type Sample, type SampleId, samples } from './sample-requests.ts';

type Sources = Pick<DocsData, 'origin' | 'responses'>;

/** A sample with what its texts in every language are written from, and the responses that were recorded. */
function open({ origin, responses }: Sources, id: SampleId) {
  const sample: Sample = samples[id];
  const { isAnonymous = false, status } = sample;
  const { rest, graphql } = requestsOf(
    sample,
    (known) => responses[known as SampleId].rest?.headers.ETag ?? '',
  );
  const code: Omit<SampleCode, 'key'> = {
    origin,
    request: (rest ?? graphql) as SampleRequest,
    isAnonymous,
    status,
  };
  const recorded = responses[id];
  const shown = [
    [recorded.rest, 'over-rest'],
    [recorded.graphql, rest === undefined ? 'over-any' : 'over-graphql'],
  ] as const;
  return {
    sample,
    code,
    responses: shown.flatMap(([response, kind]) => (response === undefined ? [] : [{ ...response, kind }])),
  };
}

/** A sample in every language, with the response that was recorded: tabs that need no script. */
export function sampleBlock(sources: Sources, id: SampleId): Html {
  const { sample, code, responses } = open(sources, id);
  const { title, note, variables, graphql, isPublished, showsHeaders } = sample;
  return (
    <figure class="sample">
      <figcaption class="heading hint">
        {title}
        {graphql !== undefined && !isPublished && (
          <a href={graphiqlLink(graphql, variables)}>Open in GraphiQL</a>
        )}
      </figcaption>
      <Samples {...code} graphql={graphql} id={`${id}-`} />
      {note !== undefined && <p class="hint">{note}</p>}
      {variables !== undefined && (
        <div class="response variables">
          <p class="hint">Variables</p>
          {block('json', compactJson(variables))}
        </div>
      )}
      {responses.map(({ kind, status, body, headers }) => (
        <div class={`response ${kind}`}>
          <p class="hint">
            Example response <span class="status">{status}</span>
          </p>
          {showsHeaders && block('http', headerLines(headers))}
          {body !== undefined && block('json', compactJson(body))}
        </div>
      ))}
    </figure>
  );
}

/** Leads to GraphiQL with an operation in its first tab. What follows # is not sent to the server. */
function graphiqlLink(query: string, variables: Sample['variables'] = {}): string {
  return `/graphql#${new URLSearchParams({ query, variables: compactJson(variables) })}`;
}

/** The same as Markdown. */
export function sampleText(sources: Sources, id: SampleId): string {
  const { sample, code, responses } = open(sources, id);
  const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;
  return blocks(
    [sample.title, sample.note].filter(Boolean).join('. '),
    ...writeSamples(code, sample.graphql).map(([language, text]) =>
      fence(language === 'curl' ? 'sh' : language, text),
    ),
    sample.variables && `Variables\n\n${fence('json', compactJson(sample.variables))}`,
    ...responses.flatMap(({ status, headers, body }) => [
      `Example response ${status}`,
      sample.showsHeaders && fence('', headerLines(headers)),
      body !== undefined && fence('json', compactJson(body)),
    ]),
  );
}

const headerLines = (headers: RecordedResponse['headers']): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** Code in its own scrolling box, which the keyboard reaches. */
const block = (language: 'http' | 'json', text: string): Html => (
  <pre tabindex="0">
    <code>{highlight(language, text)}</code>
  </pre>
);
