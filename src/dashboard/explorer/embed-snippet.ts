import type { Embed } from '../../documents/embed.ts';
import type { StartupFieldPath } from '../../startups/fields.ts';
import { columns } from './columns.ts';

/** The columns of the table on the web page; ranks are left out of a short list. */
const embedColumns = columns.filter(({ field }) => field.path !== 'rank');

/** The fields that the document of an embedded list requests. */
export const embedFields: readonly StartupFieldPath[] = [
  'name',
  ...embedColumns.map(({ field }) => field.path),
];

/** How the script shows values of each kind. */
const formats: Readonly<Record<string, string>> = { cents: 'money', percent: 'percent', ratio: 'times' };

/**
 * HTML that shows a list as a table on a web page of one of the key's origins. All inserted values are created by us:
 * the origin, the key, the id of a document and names of fields.
 */
export function embedSnippet(origin: string, { key, documentId }: Pick<Embed, 'key' | 'documentId'>): string {
  // Lists on one page differ in their documents.
  const id = `startups-${documentId.slice(-8)}`;
  const rows = embedColumns.map(
    ({ heading, field: { path, kind } }) =>
      `    ["${heading}", (startup) => ${formats[kind]}(startup.${path})],`,
  );
  return `<div id="${id}">Loading…</div>
<script type="module">
  const place = document.getElementById("${id}");
  const show = (value, text) => (value === null ? "–" : text(value));
  const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });
  const money = (value) => show(value, (cents) => dollars.format(cents / 100));
  const percent = (value) => show(value, (number) => \`\${number.toFixed(1)} %\`);
  const times = (value) => show(value, (number) => \`\${number.toFixed(1)}×\`);
  const columns = [
    ["Startup", (startup) => startup.name],
${rows.join('\n')}
  ];
  try {
    const response = await fetch(
      "${origin}/graphql?documentId=${encodeURIComponent(documentId)}",
      { headers: { Authorization: "Bearer ${key}" } },
    );
    const { data, errors } = await response.json();
    if (errors) throw new Error(errors[0].message);
    const table = document.createElement("table");
    const head = table.createTHead().insertRow();
    for (const [title] of columns) {
      head.append(Object.assign(document.createElement("th"), { textContent: title }));
    }
    const body = table.createTBody();
    for (const startup of data.startups.page) {
      const row = body.insertRow();
      for (const [, text] of columns) row.insertCell().textContent = text(startup);
    }
    place.replaceChildren(table);
  } catch (error) {
    place.textContent = \`This list could not be loaded: \${error.message}\`;
  }
</script>`;
}
