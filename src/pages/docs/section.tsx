import type { TypeDescription } from '../../graphql/describe-schema.ts';
import type { TierLimits } from '../../rate-limit/tiers.ts';
import type { OpenApiDocument } from '../../rest/openapi.ts';
import type { Content, Html } from '../shared/jsx.ts';
import type { RecordedResponses } from './recorded.ts';

/** The sources of the reference: the descriptions that both surfaces are built from, and this gateway's limits. */
export interface DocsData {
  /** Where the gateway is reached, such as https://api.example.com. */
  readonly origin: string;
  readonly openApi: OpenApiDocument;
  readonly types: readonly TypeDescription[];
  readonly limits: TierLimits;
  readonly embedLimit: number;
  readonly responses: RecordedResponses;
  /** The GraphQL schema as text. */
  readonly schema: string;
  /** The texts of the guides by their ids, Markdown. */
  readonly guides: Readonly<Record<string, string>>;
}

/** A place in the page that the navigation leads to. */
export interface Place {
  readonly id: string;
  readonly title: string;
}

/** A page of the reference: text on the left, samples on the right. */
export interface Section extends Place {
  /** Its address below /docs; its id by default. */
  readonly slug?: string;
  /** What a reader finds here, in a sentence. */
  readonly description: string;
  readonly text: Html;
  readonly code?: Content;
  /** Its own headings. */
  readonly parts?: readonly Place[];
  /** Its Markdown, where that is not made of its text and code. */
  readonly markdown?: string;
}

/** Sections that belong together. */
export interface Group {
  readonly title: string;
  readonly sections: readonly Section[];
}

/** The address of a section below /docs. */
export const slugOf = ({ id, slug = id }: Section): string => slug;

/** A heading with a link to itself. */
export function heading({ id, title }: Place, level: 2 | 3 = 2): Html {
  const content = (
    <>
      {title}{' '}
      <a class="anchor soft" href={`#${id}`} aria-label={`Link to ${title}`}>
        #
      </a>
    </>
  );
  return level === 2 ? <h2 id={id}>{content}</h2> : <h3 id={id}>{content}</h3>;
}

/** Lays out a section. */
export function renderSection({ text, code }: Section): Html {
  return (
    <div class="section">
      <div class="text">{text}</div>
      {code !== undefined && <div class="code">{code}</div>}
    </div>
  );
}

/** A name that leads to its entry in the reference. */
export const codeLink = (anchor: string, name = anchor): Html => (
  <a href={`#${anchor}`}>
    <code>{name}</code>
  </a>
);

export const code = (text: string | number): Html => <code>{text}</code>;

/** Names one after another, such as `a`, `b` and `c`. */
export function codeList(names: readonly string[], word = 'and'): Content {
  return names.map((name, index) => [
    index === 0 ? '' : index === names.length - 1 ? ` ${word} ` : ', ',
    code(name),
  ]);
}

/** A number as people write it. */
export const count = (value: number): string => value.toLocaleString('en-US');
