import { nestFields, type StartupFieldPath } from '../../startups/fields.ts';
import {
  type ListParameter,
  type ListParameterName,
  listParameters,
} from '../../startups/list-parameters.ts';
import type { QueryArguments } from '../../startups/list-query.ts';
import { constantName } from '../../startups/vocabulary.ts';
import { detailFields, figures, shownFields } from './columns.ts';
import { embedFields } from './embed-snippet.ts';

/** The same request in several languages, for exactly what a page shows. */
export interface Snippets {
  readonly rest: string;
  readonly curl: string;
  readonly fetch: string;
  readonly python: string;
  readonly graphql: string;
}

const STARTUPS_PATH = '/api/v1/startups';

/**
 * The snippets of a list.
 *
 * @param query its parameters in the format of REST.
 * @param args the same, read.
 */
export function listSnippets(origin: string, query: URLSearchParams, args: QueryArguments): Snippets {
  return {
    ...restSnippets(`${origin}${STARTUPS_PATH}${query.size === 0 ? '' : `?${query}`}`),
    graphql: `{
  startups${listArguments(args)} {
    page {
${indent(selection(shownFields), 6)}
    }
    meta { total page limit hasMore }
    stats { ${statsFields()} }
  }
}`,
  };
}

/** The document that a web page requests to show the same list. */
export function embedDocument(args: QueryArguments): string {
  return `query Startups {
  startups${listArguments(args)} {
    page {
${indent(selection(embedFields), 6)}
    }
  }
}`;
}

/** The snippets of one startup. */
export function startupSnippets(origin: string, slug: string): Snippets {
  return {
    ...restSnippets(`${origin}${STARTUPS_PATH}/${slug}`),
    graphql: `{
  startup(slug: ${JSON.stringify(slug)}) {
${indent(selection(detailFields.map(({ path }) => path)), 4)}
  }
}`,
  };
}

/** We build the URL: URLSearchParams leaves no quote in it. */
function restSnippets(url: string): Omit<Snippets, 'graphql'> {
  return {
    rest: url,
    curl: `curl -H "Authorization: Bearer YOUR_KEY" \\
  "${url}"`,
    fetch: `const response = await fetch(
  "${url}",
  { headers: { Authorization: "Bearer YOUR_KEY" } },
);
if (!response.ok) throw new Error((await response.json()).error.message);
const { data } = await response.json();`,
    python: `import json, urllib.request

request = urllib.request.Request(
    "${url}",
    headers={"Authorization": "Bearer YOUR_KEY"},
)
with urllib.request.urlopen(request) as response:
    data = json.load(response)["data"]`,
  };
}

function listArguments({ filter, ...others }: QueryArguments): string {
  const args = [
    ...(Object.keys(filter).length === 0 ? [] : [`filter: { ${literals(filter)} }`]),
    ...(Object.keys(others).length === 0 ? [] : [literals(others)]),
  ];
  return args.length === 0 ? '' : `(${args.join(', ')})`;
}

function literals(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${literal(name as ListParameterName, value)}`)
    .join(', ');
}

function literal(name: ListParameterName, value: unknown): string {
  const parameter: ListParameter = listParameters[name];
  return parameter.kind === 'choice' ? constantName(String(value)) : JSON.stringify(value);
}

function selection(paths: readonly StartupFieldPath[]): string[] {
  return [...nestFields(paths)].map(([name, below]) =>
    below.length === 0 ? name : `${name} { ${below.join(' ')} }`,
  );
}

function statsFields(): string {
  const byColumn = new Map<string, string[]>();
  for (const { column, figure } of figures) {
    byColumn.set(column, [...(byColumn.get(column) ?? []), figure]);
  }
  return [...byColumn].map(([column, names]) => `${column} { ${names.join(' ')} }`).join(' ');
}

const indent = (lines: readonly string[], by: number): string =>
  lines.map((line) => ' '.repeat(by) + line).join('\n');
