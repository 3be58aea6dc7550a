import { readFileSync } from 'node:fs';
import { errorStatuses } from '../../lib/errors.ts';
import { documentFiles } from './contents.ts';
import type { DocsData } from './section.ts';

/** A part of a document that follows from the code. */
const GENERATED = /(?<=<!-- ([\w-]+) -->\n)[\s\S]*?(?=<!-- \/\1 -->)/g;
/** What documents name that has a place here: paths of pages, and error codes. */
const NAMED = new RegExp(
  `(?<!\\[)\`(/(?:dashboard(?:/keys|/explorer)?|docs(?:/schema)?|graphql|openapi\\.json|schema\\.graphql|policy|llms\\.txt)|${Object.keys(errorStatuses).join('|')})\``,
  'g',
);

/** Reads the documents: at start, as later there may be no file descriptor left. */
export function readDocuments(): DocsData['documents'] {
  const root = new URL('../../../', import.meta.url);
  return Object.fromEntries(documentFiles.map((file) => [file, readFileSync(new URL(file, root), 'utf8')]));
}

/** A document with its generated parts, by name, as `docs/` has it. */
export function withGenerated(text: string, generated: Readonly<Record<string, string>>): string {
  return text.replace(GENERATED, (part, name) =>
    generated[name] === undefined ? part : `\n${generated[name]}\n\n`,
  );
}

/** The title of a document. */
export const titleOf = (text: string): string => /^# (.*)\n/.exec(text)?.[1] ?? '';

/** A document as this server shows it, without its title, and with links from what it names. */
export function servedDocument(
  text: string,
  { origin }: DocsData,
  generated: Readonly<Record<string, string>>,
): string {
  const linked = text
    .replace(/^# .*\n/, '')
    .replace(NAMED, (name, to) => `[${name}](${to.startsWith('/') ? to : `#${to}`})`);
  return withGenerated(linked, generated).replaceAll('https://api.example.com', origin);
}
