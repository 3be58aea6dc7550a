import type { Context } from 'hono';
import { type Content, type Html, html } from '../html.ts';
import type { OpenApiDocument, OpenApiOperation } from '../rest/openapi.ts';
import type { Schema } from '../rest/openapi-schemas.ts';
import { publicPage } from './public-page.ts';

/** The REST surface for people, from the document for programs. */
export function docsPage(c: Context, { info, servers, paths, components }: OpenApiDocument): Response {
  const base = servers[0]?.url ?? '';
  return publicPage(
    c,
    `${info.title}: REST`,
    html`<p>${info.summary} ${info.description}</p>
<p>Send your key with every request: <code>Authorization: Bearer &lt;API_KEY&gt;</code>. ${components.securitySchemes.apiKey.description}</p>
<p>The same for programs: <a href="/openapi.json">openapi.json</a>. GraphQL: <a href="/docs/schema">schema</a>. Rules of use: <a href="/policy">policy</a>.</p>
${Object.entries(paths).map(([path, { get }]) => operation(`${base}${path}`, get))}
${Object.entries(components.schemas).map(([name, schema]) => html`<h2 id="${name}">${name}</h2>\n${properties(schema)}\n`)}`,
  );
}

function operation(path: string, { summary, description, parameters, responses }: OpenApiOperation): Html {
  return html`<h2>${summary}</h2>
<p><code>GET ${path}</code></p>
<p>${description}</p>
${table(
  ['Parameter', 'Values', 'Meaning'],
  parameters.map(({ name, schema, description: meaning }) => [code(name), values(schema), meaning]),
)}
${table(
  ['Status', 'Meaning', 'Headers'],
  Object.entries(responses).map(([status, response]) => [
    code(status),
    response.description,
    Object.keys(response.headers).map((name) => html`${code(name)} `),
  ]),
)}`;
}

/** The properties of an object, those of objects in it by their dotted path. */
function properties(schema: Schema): Html {
  const rows = (object: Schema, prefix: string): Content[][] =>
    Object.entries((object.properties ?? {}) as Record<string, Schema>).flatMap(([name, property]) => [
      [code(prefix + name), values(property), String(property.description ?? '')],
      ...rows(property, `${prefix}${name}.`),
      ...rows((property.items ?? {}) as Schema, `${prefix}${name}[].`),
    ]);
  return table(['Field', 'Values', 'Meaning'], rows(schema, ''));
}

function values(schema: Schema): Html {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.replace(/^.*\//, '');
    return html`<a href="#${name}">${name}</a>`;
  }
  const { type, format, enum: choices, minimum, maximum, default: fallback, items } = schema;
  const parts = [
    Array.isArray(type) ? type.join(' or ') : String(type),
    format === undefined ? '' : `(${format})`,
    minimum === undefined ? '' : `from ${minimum}`,
    maximum === undefined ? '' : `to ${maximum}`,
    fallback === undefined ? '' : `, default ${fallback}`,
  ];
  const text = parts
    .filter((part) => part !== '')
    .join(' ')
    .replace(' ,', ',');
  return html`${text}${items !== undefined && html` of ${values(items as Schema)}`}${
    Array.isArray(choices) && html`: ${choices.map((choice) => html`${code(String(choice))} `)}`
  }`;
}

function table(head: readonly string[], rows: readonly Content[][]): Html {
  return html`<table>
<thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table>
`;
}

function code(text: string): Html {
  return html`<code>${text}</code>`;
}
