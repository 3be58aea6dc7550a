import { startupFieldList } from '../../startups/fields.ts';
import { graphqlParameters, listParameters } from '../../startups/requests/list-parameters.ts';
import { startupSorts } from '../../startups/vocabulary.ts';
import type { Content } from '../shared/jsx.ts';

/** Names that are recognizable as names: with a dash, a digit or a capital letter inside. */
const names = [
  ...Object.keys(listParameters),
  ...Object.keys(graphqlParameters),
  ...startupFieldList.map(({ path }) => path),
  ...startupSorts,
].filter((name) => /[a-z][-A-Z.\d]/.test(name));

const NAME = new RegExp(
  `(?:\`([^\`]+)\`|(?<![\\w-])(${[...new Set(names)].join('|').replaceAll('.', '\\.')})(?![\\w-]))`,
);

/** A description as the tables have it, with the names in it as code, which never breaks. */
export function prose(text: string): Content {
  // Text, a name in Markdown, another name, text, …
  return text
    .split(NAME)
    .map((part, index) => (index % 3 === 0 ? part : part !== undefined && <code>{part}</code>));
}
