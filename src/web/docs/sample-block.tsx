import { Samples } from '../shared/code-blocks.tsx';
import { type SampleCode, type SampleRequest, writeSamples } from '../shared/code-samples.ts';
import { highlight } from '../shared/highlight.tsx';
import type { Content, Html } from '../shared/jsx.ts';
import { blocks } from './entries.ts';
import {
  graphqlRequest,
  type RecordedResponse,
  restRequest,
  type Sample,
  type SampleId,
  samples,
} from './sample-requests.ts';
import type { DocsData } from './section.ts';

type Sources = Pick<DocsData, 'origin' | 'responses'>;

/** The requests of a sample, and what its texts in every language are written from. */
function requestsOf({ origin, responses }: Sources, sample: Sample) {
  const { isAnonymous = false, status } = sample;
  const rest = restRequest(sample, (known) => responses[known as SampleId].rest?.headers.ETag ?? '');
  const request = (rest ?? graphqlRequest(sample)) as SampleRequest;
  const code: Omit<SampleCode, 'key'> = { origin, request, isAnonymous, status };
  return { rest, code };
}

/** A sample in every language, with the response that was recorded: tabs that need no script. */
export function sampleBlock(sources: Sources, id: SampleId): Html {
  const sample: Sample = samples[id];
  const { title, note, variables, graphql, isPublished } = sample;
  const { rest, code } = requestsOf(sources, sample);
  const recorded = sources.responses[id];
  return (
    <figure class="sample">
      <figcaption class="hint">
        {title}
        {note !== undefined && `. ${note}`}
        {graphql !== undefined && !isPublished && (
          <a href={graphiqlLink(graphql, variables)}>Open in GraphiQL</a>
        )}
      </figcaption>
      <Samples {...code} graphql={graphql} id={`${id}-`} />
      {variables !== undefined && (
        <div class="response variables">
          <p class="hint">Variables</p>
          {block('json', pretty(variables))}
        </div>
      )}
      {response(recorded.rest, 'over-rest', sample)}
      {response(recorded.graphql, rest === undefined ? 'over-any' : 'over-graphql', sample)}
    </figure>
  );
}

/** Leads to GraphiQL with an operation in its first tab. What follows # is not sent to the server. */
function graphiqlLink(query: string, variables: Sample['variables'] = {}): string {
  return `/graphql#${new URLSearchParams({ query, variables: pretty(variables) })}`;
}

/** The same as Markdown. */
export function sampleText(sources: Sources, id: SampleId): string {
  const sample: Sample = samples[id];
  const { rest, graphql } = sources.responses[id];
  const texts = writeSamples(requestsOf(sources, sample).code, sample.graphql);
  const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;
  return blocks(
    [sample.title, sample.note].filter(Boolean).join('. '),
    ...texts.map(([language, text]) => fence(language === 'curl' ? 'sh' : language, text)),
    sample.variables && `Variables\n\n${fence('json', pretty(sample.variables))}`,
    ...[rest, graphql].flatMap((recorded) =>
      recorded === undefined
        ? []
        : [
            `Example response ${recorded.status}`,
            sample.showsHeaders && fence('', headerLines(recorded)),
            recorded.body !== undefined && fence('json', pretty(recorded.body)),
          ],
    ),
  );
}

function response(recorded: RecordedResponse | undefined, kind: string, sample: Sample): Content {
  if (recorded === undefined) {
    return '';
  }
  const { status, body } = recorded;
  return (
    <div class={`response ${kind}`}>
      <p class="hint">
        Example response <span class="status">{status}</span>
      </p>
      {sample.showsHeaders && block('http', headerLines(recorded))}
      {body !== undefined && block('json', pretty(body))}
    </div>
  );
}

const headerLines = ({ headers }: RecordedResponse): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** Code in its own scrolling box, which the keyboard reaches. */
function block(language: Parameters<typeof highlight>[0], text: string): Html {
  return (
    <pre tabindex="0">
      <code>{highlight(language, text)}</code>
    </pre>
  );
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
