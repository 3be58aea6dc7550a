import type { TierLimits } from '../../access/limits/tiers.ts';
import type { TypeDescription } from '../../api/graphql/describe-schema.ts';
import type { OpenApiDocument } from '../../api/rest/openapi.ts';
import type { RecordedResponses, SampleId } from './sample-requests.ts';

/** The sources of the reference: the descriptions that both surfaces are built from, and this gateway's limits. */
export interface DocsData {
  /** Where the gateway is reached, such as https://api.example.com. */
  readonly origin: string;
  readonly openApi: OpenApiDocument;
  readonly types: readonly TypeDescription[];
  readonly limits: TierLimits;
  readonly embedLimit: number;
  readonly responses: RecordedResponses;
  /** The documents that pages show, by their path in the package. */
  readonly documents: Readonly<Record<string, string>>;
}

/** A page of the reference: text on the left, a sample on the right. */
export interface Section {
  /** Links lead to it by this name, and to its headings and entries by their anchors. */
  readonly id: string;
  /** Its address below /docs. */
  readonly slug: string;
  readonly title: string;
  /** What a reader finds here, in a sentence. */
  readonly description: string;
  /** Markdown, without the title. */
  readonly text: string;
  /** The document that its text is from, with whose path its links begin. */
  readonly file?: string;
  readonly sample?: SampleId;
  /** What a reader does with it; set for the pages to begin with, to which the first page leads. */
  readonly task?: string;
  /** Whether its entries are many and short. */
  readonly isDense?: boolean;
}

/** Sections that belong together. */
export interface Group {
  readonly title: string;
  /** Whether only operators see it in lists of pages. */
  readonly isForOperators: boolean;
  readonly sections: readonly Section[];
}

/** The address of a section. */
export const pathOf = ({ slug }: Pick<Section, 'slug'>): string => `/docs/${slug}`.replace(/\/$/, '');
