import { languages, type SampleCode, writeSamples } from './code-samples.ts';
import { buttonLink } from './components.tsx';
import { highlight } from './highlight.tsx';
import type { Content, Html } from './jsx.ts';

interface CodeBlockProps {
  readonly id: string;
  /** What it is, for screen readers and the button. */
  readonly label: string;
  /** What it is, in the bar above it, where no tab says that. */
  readonly title?: string;
  /** A class of the panel. */
  readonly kind?: string;
  readonly children: Content;
}

/** Code on a dark panel, with a button to copy it. */
export function CodeBlock({ id, label, title, kind = '', children }: CodeBlockProps): Html {
  return (
    <div class={`request ${kind}`}>
      {title !== undefined && <span class="title">{title}</span>}
      <pre tabindex="0" role="region" aria-label={label}>
        <code id={id}>{children}</code>
      </pre>
      <CopyButton of={id} label={`Copy: ${label}`} isQuiet />
    </div>
  );
}

interface CopyButtonProps {
  /** The id of the element whose text it copies. */
  readonly of: string;
  readonly label: string;
  readonly isQuiet?: boolean;
}

/** Copies the text of an element. Requires a script, and is hidden without it. */
export function CopyButton({ of, label, isQuiet = false }: CopyButtonProps): Html {
  return (
    <button type="button" class={isQuiet ? 'quiet' : undefined} data-copy={of} aria-label={label}>
      Copy
    </button>
  );
}

/** Where a page confirms that something was copied. */
export function CopyStatus(): Html {
  return <p class="hint" id="copied" role="status" />;
}

/** The heading of something to copy. @param more beside it. */
export const copyHeading = (title: string, more?: Content): Html => (
  <div class="heading sub">
    <h2>{title}</h2>
    <CopyStatus />
    {more}
  </div>
);

/** A command for a terminal. */
export const commandBlock = (id: string, label: string, command: string): Html => (
  <CodeBlock id={id} label={label} title={languages.curl}>
    {highlight('curl', command)}
  </CodeBlock>
);

interface ShownOnceProps {
  readonly name: string;
  readonly secret: string;
  readonly what: 'key' | 'token' | 'link';
  /** The page that the address names from now on: another visit must not repeat the form. */
  readonly address: string;
  /** Where a visitor goes on. */
  readonly next: string;
  /** What follows "It is shown only once". */
  readonly children: Content;
}

/** A secret that the server does not keep. */
export function ShownOnce({ name, secret, what, address, next, children }: ShownOnceProps): Html {
  return (
    <section class="card" data-address={address}>
      {copyHeading(name)}
      <p>
        Copy the {what} now. <strong>It is shown only once</strong>
        {children}
      </p>
      <div class="actions secret">
        <code id={what}>{secret}</code>
        <CopyButton of={what} label={`Copy the ${what}`} />
        {buttonLink(next, 'Done', 'second')}
      </div>
    </section>
  );
}

interface SamplesProps extends Omit<SampleCode, 'key'> {
  /** A key to insert; by default, the samples read it from the environment. */
  readonly apiKey?: string | undefined;
  /** The same as a GraphQL document. */
  readonly graphql?: string | undefined;
  /** Tells these samples from others of the page. */
  readonly id?: string;
}

/** A request in every language, each with a button to copy it. One is shown at a time, which takes no script. */
export function Samples({ apiKey, graphql, id = '', ...code }: SamplesProps): Html {
  const samples = writeSamples({ ...code, key: apiKey }, graphql);
  return (
    <div class="samples">
      <fieldset>
        <legend class="hidden">Language</legend>
        {samples.map(([language], index) => (
          <label>
            <input type="radio" name={`sample${id}`} value={language} checked={index === 0} />
            {languages[language]}
          </label>
        ))}
      </fieldset>
      {samples.map(([language, text]) => (
        <CodeBlock id={`${id}${language}`} label={languages[language]} kind={language}>
          {highlight(language, text)}
        </CodeBlock>
      ))}
    </div>
  );
}
