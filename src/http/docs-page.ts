import { createHash } from 'node:crypto';
import type { OpenApiDocument, OpenApiOperation } from '../rest/openapi.ts';
import type { Schema } from '../rest/openapi-schemas.ts';

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem;color:#1a1a1a;background:#fff}
table{border-collapse:collapse;width:100%;margin:1rem 0}th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid #ddd}
code{font-family:ui-monospace,monospace;font-size:.9em;overflow-wrap:anywhere}th{white-space:nowrap}
@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}th,td{border-color:#444}a{color:#8ab4f8}}`;

/** Nothing but the page's own style: no script, no address, no frame. */
export const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The REST surface for people, from the document for programs. */
export function docsPage({ info, servers, paths, components }: OpenApiDocument): string {
  const base = servers[0]?.url ?? '';
  const operations = Object.entries(paths).map(([path, { get }]) => operation(`${base}${path}`, get));
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `<h2 id="${toHtml(name)}">${toHtml(name)}</h2>\n${properties(schema)}`,
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${toHtml(info.title)}: REST</title><style>${STYLE}</style></head>
<body>
<main>
<h1>${toHtml(info.title)}: REST</h1>
<p>${toHtml(info.summary)} ${toHtml(info.description)}</p>
<p>Send your key with every request: <code>Authorization: Bearer &lt;API_KEY&gt;</code>. ${toHtml(components.securitySchemes.apiKey.description)}</p>
<p>The same for programs: <a href="/openapi.json">openapi.json</a>. GraphQL: <a href="/schema.graphql">schema.graphql</a>. Rules of use: <a href="/policy">policy</a>.</p>
${operations.join('\n')}
${schemas.join('\n')}
</main>
</body>
</html>
`;
}

function operation(path: string, { summary, description, parameters, responses }: OpenApiOperation): string {
  return `<h2>${toHtml(summary)}</h2>
<p><code>GET ${toHtml(path)}</code></p>
<p>${toHtml(description)}</p>
${table(
  ['Parameter', 'Values', 'Meaning'],
  parameters.map(({ name, schema, description: meaning }) => [code(name), values(schema), toHtml(meaning)]),
)}
${table(
  ['Status', 'Meaning', 'Headers'],
  Object.entries(responses).map(([status, response]) => [
    code(status),
    toHtml(response.description),
    Object.keys(response.headers).map(code).join(' '),
  ]),
)}`;
}

/** The properties of an object, those of objects in it by their dotted path. */
function properties(schema: Schema): string {
  const rows = (object: Schema, prefix: string): string[][] =>
    Object.entries((object.properties ?? {}) as Record<string, Schema>).flatMap(([name, property]) => [
      [code(prefix + name), values(property), toHtml(String(property.description ?? ''))],
      ...rows(property, `${prefix}${name}.`),
      ...rows((property.items ?? {}) as Schema, `${prefix}${name}[].`),
    ]);
  return table(['Field', 'Values', 'Meaning'], rows(schema, ''));
}

function values(schema: Schema): string {
  if (typeof schema.$ref === 'string') {
    const name = toHtml(schema.$ref.replace(/^.*\//, ''));
    return `<a href="#${name}">${name}</a>`;
  }
  const { type, format, enum: choices, minimum, maximum, default: fallback, items } = schema;
  const parts = [
    Array.isArray(type) ? type.join(' or ') : String(type),
    format === undefined ? '' : `(${format})`,
    minimum === undefined ? '' : `from ${minimum}`,
    maximum === undefined ? '' : `to ${maximum}`,
    fallback === undefined ? '' : `, default ${fallback}`,
  ];
  const text = toHtml(
    parts
      .filter((part) => part !== '')
      .join(' ')
      .replace(' ,', ','),
  );
  const of = items === undefined ? '' : ` of ${values(items as Schema)}`;
  return `${text}${of}${Array.isArray(choices) ? `: ${choices.map((choice) => code(String(choice))).join(' ')}` : ''}`;
}

function table(head: string[], rows: string[][]): string {
  const cells = (tag: string, row: string[]): string =>
    `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<table>\n<thead>${cells('th', head)}</thead>\n<tbody>\n${rows.map((row) => cells('td', row)).join('\n')}\n</tbody>\n</table>`;
}

function code(text: string): string {
  return `<code>${toHtml(text)}</code>`;
}

function toHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
