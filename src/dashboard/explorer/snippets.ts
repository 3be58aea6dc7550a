import { nestFields, type StartupFieldPath, startupFields } from '../../startups/fields.ts';
import {
  type ListParameter,
  type ListParameterName,
  listParameters,
} from '../../startups/list-parameters.ts';
import type { QueryArguments } from '../../startups/list-query.ts';
import { constantName } from '../../startups/vocabulary.ts';
import { wordsOf } from '../figures.ts';
import { columns, detailFields, figures, shownFields } from './columns.ts';

/** The same request three ways, for exactly what a page shows. */
export interface Snippets {
  readonly rest: string;
  readonly graphql: string;
  readonly embed: string;
}

const STARTUPS_PATH = '/api/v1/startups';

/**
 * The snippets of a list.
 *
 * @param query its parameters as REST takes them.
 * @param parsed the same, read.
 */
export function listSnippets(origin: string, query: string, parsed: QueryArguments): Snippets {
  const rest = `${origin}${STARTUPS_PATH}${query === '' ? '' : `?${query}`}`;
  const { filter, ...others } = parsed;
  const args = [
    ...(Object.keys(filter).length === 0 ? [] : [`filter: { ${literals(filter)} }`]),
    ...(Object.keys(others).length === 0 ? [] : [literals(others)]),
  ];

  return {
    rest,
    graphql: `{
  startups${args.length === 0 ? '' : `(${args.join(', ')})`} {
    page {
${indent(selection(shownFields), 6)}
    }
    meta { total page limit hasMore }
    stats { ${statsFields()} }
  }
}`,
    embed: embed(rest, 'for (const startup of data)', ['name', ...columns.map(({ field }) => field.path)]),
  };
}

/** The snippets of one startup. */
export function startupSnippets(origin: string, slug: string): Snippets {
  const rest = `${origin}${STARTUPS_PATH}/${slug}`;
  return {
    rest,
    graphql: `{
  startup(slug: ${JSON.stringify(slug)}) {
${indent(selection(detailFields.map(({ path }) => path)), 4)}
  }
}`,
    embed: embed(rest, 'for (const startup of [data])', ['name', ...columns.map(({ field }) => field.path)]),
  };
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

/** How a script shows a value of a kind. */
const formats: Readonly<Record<string, (value: string) => string>> = {
  cents: (value) => `money(${value})`,
  percent: (value) => `${value} === null ? "–" : \`\${${value}} %\``,
  ratio: (value) => `${value}?.toFixed(1) ?? "–"`,
};

/** A table for one's own page, of the same columns. */
function embed(url: string, loop: string, paths: readonly StartupFieldPath[]): string {
  const titles = paths.map((path) => JSON.stringify(wordsOf(path))).join(', ');
  const cells = paths.map((path) => {
    const value = `startup.${path}`;
    return (formats[startupFields[path].kind] ?? ((text: string) => `${text} ?? "–"`))(value);
  });
  return `<table id="startups"></table>
<script type="module">
  // Who can read this page can read the key: give it one of its own, and keep the policy.
  const answer = await fetch(${JSON.stringify(url)}, {
    headers: { Authorization: "Bearer YOUR_KEY" },
  });
  if (!answer.ok) throw new Error((await answer.json()).error.message);
  const { data } = await answer.json();
  const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
  const money = (cents) => (cents === null ? "–" : dollars.format(cents / 100));
  const table = document.getElementById("startups");
  const addRow = (texts) => {
    const row = table.insertRow();
    for (const text of texts) row.insertCell().textContent = text;
  };
  addRow([${titles}]);
  ${loop} {
    addRow([
${indent(
  cells.map((cell) => `${cell},`),
  6,
)}
    ]);
  }
</script>`;
}
