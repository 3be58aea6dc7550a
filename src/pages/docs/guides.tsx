import { readFileSync } from 'node:fs';
import { CodeBlock } from '../shared/components.tsx';
import { anchorOf, renderMarkdown } from '../shared/markdown.tsx';
import { type DocsData, heading, type Place, type Section } from './section.tsx';

/** The documents of the package that are pages here, too. */
const guides = [
  {
    id: 'tutorial',
    file: 'docs/tutorial.md',
    title: 'Tutorial',
    description:
      'Load your own data, such as a CSV file, create a key, run queries, and show the result on a page.',
  },
  {
    id: 'operate',
    file: 'docs/operate.md',
    title: 'Operating revgate',
    description:
      'Settings, databases, backups, upgrades and monitoring, and what happens when something is down.',
  },
  { id: 'changelog', file: 'CHANGELOG.md', title: 'Changelog', description: 'What changed in each version.' },
] as const;

/** Reads the guides: at start, as later there may be no file descriptor left. */
export function readGuides(): DocsData['guides'] {
  const root = new URL('../../../', import.meta.url);
  return Object.fromEntries(guides.map(({ id, file }) => [id, readFileSync(new URL(file, root), 'utf8')]));
}

/** The pages that links between the files lead to; an anchor of the API is that of a section. */
const pages: Readonly<Record<string, string>> = {
  'policy.md': '/policy',
  'api.md': '/docs',
  'api.md#rest': '/docs/startup-record',
  ...Object.fromEntries(guides.map(({ id, file }) => [file.replace('docs/', ''), `/docs/${id}`])),
};

/** The guides as sections. */
export function guideSections(texts: DocsData['guides']): Section[] {
  return guides.map(({ file, ...section }) => {
    const text = texts[section.id] ?? '';
    const parts: Place[] = [...text.matchAll(/^## (.+)$/gm)].map(([, title = '']) => ({
      id: anchorOf(title),
      title,
    }));
    let blocks = 0;
    return {
      ...section,
      parts,
      text: (
        <div class="prose">
          {renderMarkdown(text, {
            heading: (level, title) => heading({ id: anchorOf(title), title }, level),
            code: (code, language) => (
              <CodeBlock id={`code-${++blocks}`} label={`Code ${blocks}`} language={language}>
                {language === 'console' ? code.replace(/^\$ /gm, '') : code}
              </CodeBlock>
            ),
            link: pageOf,
          })}
        </div>
      ),
    };
  });
}

/** The page of a link's target; undefined for a file that is not served. */
function pageOf(target: string): string | undefined {
  const name = target.replace(/^(?:\.\.\/)+/, '');
  const [path = '', anchor] = name.split('#');
  return (
    pages[name] ??
    // Sections have the anchors of the document on the API.
    (path === '' || path === 'api.md' ? `#${anchor}` : pages[path] && `${pages[path]}#${anchor}`)
  );
}
