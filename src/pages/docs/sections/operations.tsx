import type { FieldDescription } from '../../../graphql/describe-schema.ts';
import type { OpenApiOperation } from '../../../rest/openapi.ts';
import { ScrollTable } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { attributeList, typeLink } from '../attributes.tsx';
import { argumentAttributes, mergedAttributes } from '../parameters.tsx';
import { prose } from '../prose.tsx';
import { sampleBlock } from '../sample-block.tsx';
import { type SampleId, samples } from '../sample-requests.ts';
import { code, type DocsData, type Section } from '../section.tsx';

/** The path of REST that reads the same as a field of Query, or as the history of a startup. */
const paths: Readonly<Record<string, string>> = {
  startups: '/startups',
  startup: '/startups/{slug}',
  changes: '/changes',
  history: '/startups/{slug}/history',
  market: '/market',
};

const titles: Readonly<Record<string, string>> = {
  startupsBySlug: 'Get startups by slug',
  node: 'Get a record by its id',
  nodes: 'Get records by their ids',
  dataset: 'Get the version of the data',
};

/** The order of the sections; fields that are not listed follow. */
const order = [
  'startups',
  'startup',
  'startupsBySlug',
  'changes',
  'history',
  'market',
  'node',
  'nodes',
  'dataset',
];

/** A section for each field of Query and for the history of a startup, with the path of REST where there is one. */
export function operations(data: DocsData): Section[] {
  const fieldsOf = (type: string): readonly FieldDescription[] =>
    data.types.find(({ name }) => name === type)?.fields ?? [];
  const rank = ({ name }: FieldDescription): number =>
    (order.indexOf(name) + order.length + 1) % (order.length + 1);
  return [...fieldsOf('Query'), ...fieldsOf('Startup').filter(({ name }) => name === 'history')]
    .sort((a, b) => rank(a) - rank(b))
    .map((field) => operation(data, field));
}

function operation(data: DocsData, field: FieldDescription): Section {
  const { openApi, types } = data;
  const path = paths[field.name];
  const rest = path === undefined ? undefined : openApi.paths[path]?.get;
  const base = openApi.servers[0]?.url ?? '';
  const sampleId = { startups: 'list', startup: 'detail' }[field.name] ?? field.name;
  const attributes = rest === undefined ? argumentAttributes(field) : mergedAttributes(rest, field, types);
  return {
    id: `Query.${field.name}`,
    slug: field.name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    title: rest?.summary ?? titles[field.name] ?? field.name,
    description: /^.*?\.(?= |$)/.exec(rest?.description ?? field.description)?.[0] ?? '',
    text: (
      <>
        <ul class="card bare">
          {rest !== undefined && (
            <li>
              <span class="surface soft small">REST</span>{' '}
              <code>
                GET {base}
                {path}
              </code>
            </li>
          )}
          <li>
            <span class="surface soft small">GraphQL</span> <code>{field.name}</code>, which returns{' '}
            <code>{typeLink(field.type, field.namedType)}</code>
          </li>
        </ul>
        {rest !== undefined && <p>{prose(rest.description)}</p>}
        <p>
          {rest !== undefined && 'GraphQL: '}
          {prose(field.description)}
        </p>
        {attributes.length > 0 && (
          <>
            <p>
              <strong>Parameters</strong>
            </p>
            {attributeList(attributes)}
          </>
        )}
        {rest !== undefined && statuses(rest)}
      </>
    ),
    ...(Object.hasOwn(samples, sampleId) && { code: sampleBlock(data, sampleId as SampleId) }),
  };
}

export function statuses({ responses }: OpenApiOperation): Html {
  return (
    <details class="more">
      <summary>Statuses and headers of REST</summary>
      <ScrollTable
        label="Statuses"
        head={['Status', 'Meaning', 'Headers']}
        rows={Object.entries(responses).map(([status, response]) => [
          code(status),
          response.description,
          Object.keys(response.headers).map((name) => (
            <a href={`#header.${name}`}>
              <code>{name}</code>
            </a>
          )),
        ])}
      />
    </details>
  );
}
