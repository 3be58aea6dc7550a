import { sampleBlock } from '../sample-block.tsx';
import { type DocsData, type Group, type Section, slugOf } from '../section.tsx';

/** The first page: how to begin, and all other pages. */
export function overview(data: DocsData, groups: readonly Group[]): Section {
  const steps = { id: 'quick-start', title: 'Quick start' };
  return {
    id: 'docs',
    slug: '',
    title: 'Documentation',
    description: 'Start with the API in five steps, and find every page of its reference.',
    text: (
      <>
        <p class="lead">{data.openApi.info.summary} Query them with REST or GraphQL.</p>
        <h2 id={steps.id}>{steps.title}</h2>
        <ol>
          <li>
            <a href="/dashboard/sign-up">Sign up</a>, and create a key in the{' '}
            <a href="/dashboard/keys">dashboard</a>.
          </li>
          <li>
            Put it into an environment variable: <code>export REVGATE_KEY=rvg_…</code>
          </li>
          <li>
            Run the first request on this page. <a href="#authentication">Every request needs the key</a>.
          </li>
          <li>
            Add <a href="#Query.startups">filters and a sort order</a>, or select{' '}
            <a href="#Startup">fields</a> in <a href="/graphql">GraphiQL</a>.
          </li>
          <li>
            Read on <a href="#paging">page by page</a>, within your <a href="#rate-limits">rate limit</a>:{' '}
            {data.limits.standard} requests a minute with a standard key, {data.limits.premium} with a premium
            key.
          </li>
        </ol>
        {groups.map(({ title, sections }) => (
          <>
            <h2>{title}</h2>
            <ul>
              {sections.map((section) => (
                // The anchors of earlier versions, whose reference was one page.
                <li id={section.id}>
                  <a href={`/docs/${slugOf(section)}`}>{section.title}</a>: {section.description}
                </li>
              ))}
            </ul>
          </>
        ))}
      </>
    ),
    code: sampleBlock(data, 'first'),
  };
}
