import { CodeBlock } from '../../shared/code-blocks.tsx';
import type { Html } from '../../shared/jsx.ts';

/** The badge of a startup, with what to paste into a README or a page. The button of the samples above confirms copies. */
export function badgePanel(origin: string, slug: string): Html {
  const path = `/badge/${slug}.svg`;
  return (
    <section class="card" aria-labelledby="badge">
      <h2 id="badge">Badge</h2>
      <p>
        <img src={path} alt="Badge with the revenue of the last 30 days" height={20} />
      </p>
      <p class="soft small">
        Everyone can load it. Add <code>?figure=mrr</code> or <code>?figure=growth</code> for another figure.
      </p>
      <CodeBlock
        id="badge-markdown"
        label="Markdown"
        title="Markdown"
      >{`![revenue](${origin}${path})`}</CodeBlock>
      <CodeBlock
        id="badge-html"
        label="HTML"
        title="HTML"
      >{`<img src="${origin}${path}" alt="revenue" height="20">`}</CodeBlock>
    </section>
  );
}
