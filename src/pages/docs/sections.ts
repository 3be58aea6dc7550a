import { anchorOf } from './anchors.ts';
import { API, partOf, servedDocument, withGenerated } from './documents.ts';
import { blocks } from './entries.ts';
import { generate } from './generated.ts';
import { describeResponses, operationsOf } from './operations.ts';
import { groups, type Page } from './pages.ts';
import type { DocsData, Group, Section } from './section.ts';

/** Writes all pages but the first. */
export function writeSections(data: DocsData): readonly Group[] {
  const served = (file: string): string => servedDocument(data.documents[file] ?? '', data);
  const api = withGenerated(served(API), generate(data));
  const operations = operationsOf(data);

  const sectionOf = ({ operation = '', path = '', write, ...page }: Page): Section => {
    const { field, rest = data.openApi.paths[path]?.get } = operations.get(operation) ?? {};
    const id = field === undefined ? anchorOf(page.title) : `Query.${field.name}`;
    const text = write?.(data) ?? (page.file === undefined ? partOf(api, page.title) : served(page.file));
    return {
      id,
      slug: page.id ?? field?.name ?? id,
      description: firstSentence(rest?.description ?? field?.description ?? ''),
      ...(write === undefined && { file: API }),
      ...page,
      text: blocks(text, rest && describeResponses(rest)),
    };
  };
  return groups.map(({ title, pages }) => ({ title, sections: pages.map(sectionOf) }));
}

const firstSentence = (text: string): string => /^.*?\.(?= |$)/.exec(text)?.[0] ?? '';
