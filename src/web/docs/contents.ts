import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import type { TierLimits } from '../../access/limits/tiers.ts';
import type { OpenApiDocument } from '../../api/rest/openapi.ts';
import type { RecordedResponses, SampleId } from './sample-requests.ts';

/** The sources of the reference: the description of REST, and this gateway's limits. */
export interface DocsData {
  /** Where the gateway is reached, such as https://api.example.com. */
  readonly origin: string;
  readonly openApi: OpenApiDocument;
  readonly limits: TierLimits;
  readonly embedLimit: number;
  readonly responses: RecordedResponses;
  /** The documents in `docs`, as they are there. */
  readonly documents: readonly Group[];
}

/** Parts of documents that follow from the code: what writes each, by its name. */
export type GeneratedParts = Readonly<Record<string, () => string>>;

/** A page of the reference: text on the left, a sample on the right. */
export interface Section extends Extras {
  /** Its address below /docs. Links lead to it by this name, and to its headings and entries by their anchors. */
  readonly slug: string;
  readonly title: string;
  /** What a reader finds here, in a sentence. */
  readonly description: string;
  /** Markdown, without the title. */
  readonly text: string;
  /** The document that its text is from, with whose path its links begin. */
  readonly file?: string;
}

/** What a page has that is not in the documents. */
interface Extras {
  readonly sample?: SampleId;
  /** What a reader does with it; set for the pages to begin with, to which the first page leads. */
  readonly task?: string;
  /** Whether its entries are many and short. */
  readonly isDense?: boolean;
}

/** Sections that belong together. */
export interface Group {
  readonly title: string;
  /** Whether only operators see it in lists of pages. Everyone can open its pages. */
  readonly isForOperators: boolean;
  readonly sections: readonly Section[];
}

/** By the addresses of the pages. */
const extras: Readonly<Record<string, Extras>> = {
  authentication: { sample: 'unauthenticated' },
  'javascript-client': { task: 'Use it from JavaScript' },
  startups: { task: 'Find startups', sample: 'list' },
  startup: { sample: 'detail' },
  search: { sample: 'search' },
  summaries: { sample: 'summaries' },
  history: { task: 'Read past figures', sample: 'history' },
  changes: { task: 'Keep a copy up to date', sample: 'changes' },
  'published-documents': { sample: 'published' },
  'rate-limits': { sample: 'limited' },
  errors: { sample: 'invalid', isDense: true },
  'response-headers': { sample: 'unchanged' },
  agents: { task: 'Connect an agent' },
  embedding: { task: 'Show data on your page' },
  'startup-record': { sample: 'detail' },
  enumerations: { isDense: true },
  tutorial: { task: 'Publish your own data' },
  deploy: { task: 'Run it in production' },
  monitoring: { task: 'Watch it' },
};

/** The groups and their pages in `docs/README.md`: the title, the file and the description of each page. */
const PAGE = /^- \[(.+)\]\((.+?)\): (.+)$/gm;

/**
 * Reads all pages but the first, in their order: for those who use the API, who show the data, and who publish it. They
 * are read at start, as later there may be no file descriptor left.
 */
export function readDocuments(): readonly Group[] {
  const read = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
  const [, ...groups] = read('docs/README.md').split(/^## /m);
  return groups.map((group) => {
    const [title = ''] = group.split('\n');
    const sections = [...group.matchAll(PAGE)].map(([, title = '', link = '', description = '']): Section => {
      const file = posix.join('docs', link);
      const name = posix.basename(file, '.md').toLowerCase();
      const slug = name === 'readme' ? anchorOf(title) : name;
      return { slug, title, description, text: read(file), file, ...extras[slug] };
    });
    return { title, isForOperators: title === 'Publish', sections };
  });
}

/** The address of a section. */
export const pathOf = ({ slug }: Pick<Section, 'slug'>): string => `/docs/${slug}`.replace(/\/$/, '');

/** The anchor that GitHub makes for a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');
