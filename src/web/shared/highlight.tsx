import type { Language } from './code-samples.ts';
import type { Content } from './jsx.ts';

/** The kind of a token, which is a class in the style sheet. */
type Kind = 'comment' | 'string' | 'keyword' | 'name' | 'number';

const anyOf = (...parts: RegExp[]): RegExp => new RegExp(parts.map(({ source }) => source).join('|'), 'g');

/**
 * What matches the tokens of each language; its named groups are their kinds. A string without an end reaches as far as it can:
 * if it were no token, each quotation mark in it would be tried again up to its end.
 */
const grammars: Readonly<Record<Language | 'json' | 'http' | 'html', RegExp>> = {
  json: /(?<name>"(?:[^"\\]|\\.)*"(?=:))|(?<string>"(?:[^"\\]|\\.)*"?)|(?<number>-?\b\d[\d.eE+-]*|\b(?:true|false|null)\b)/g,
  graphql: anyOf(
    /(?<comment>"""[\s\S]*?(?:"""|$)|#.*)|(?<string>"(?:[^"\\\n]|\\.)*"?)/,
    /(?<keyword>\b(?:query|fragment|on|type|input|enum|interface|scalar|implements|directive)\b(?!:))/,
    /(?<name>\b[a-z]\w*(?=:))/,
    /(?<number>\$\w+|-?\b\d[\d.]*\b|\b(?:true|false|null)\b|\b(?!ID\b)[A-Z][A-Z0-9_]+\b)/,
  ),
  html: /(?<comment><!--[\s\S]*?-->)|(?<keyword><\/?[a-z][\w-]*|\/?>)|(?<name>[\w-]+(?=="))|(?<string>"[^"]*"?)/g,
  http: /(?<name>^[\w-]+(?=:))/gm,
  curl: /(?<comment>(?<=^|\s)#.*)|(?<keyword>^curl\b|\s--?[A-Za-z-]+(?=\s))|(?<string>"[^"]*"|'[^']*')/gm,
  javascript:
    /(?<comment>\/\/.*)|(?<string>"(?:[^"\\]|\\.)*"?|'[^']*'|`[^`]*`)|(?<keyword>\b(?:import|from|const|await|new|try|catch)\b)|(?<name>\b[\w]+(?=:))/g,
  python:
    /(?<comment>#.*)|(?<string>"""[\s\S]*?(?:"""|$)|"(?:[^"\\]|\\.)*"?|'[^']*')|(?<keyword>\b(?:import|with|as|try|except)\b)|(?<name>\b\w+(?==))/g,
};

/** What Markdown calls a language: its name for readers, and what marks it up. */
export const fences: Readonly<Record<string, readonly [name: string, grammar?: keyof typeof grammars]>> = {
  console: ['Shell', 'curl'],
  css: ['CSS'],
  csv: ['CSV'],
  graphql: ['GraphQL', 'graphql'],
  html: ['HTML', 'html'],
  http: ['HTTP', 'http'],
  js: ['JavaScript', 'javascript'],
  json: ['JSON', 'json'],
  jsonc: ['JSON', 'json'],
  md: ['Markdown'],
  py: ['Python', 'python'],
  sh: ['Shell', 'curl'],
  sql: ['SQL'],
  ts: ['TypeScript', 'javascript'],
  yaml: ['YAML'],
};

/**
 * Marks up a text of a language.
 *
 * @param most the most tokens to mark up, for a text that somebody else wrote; all by default.
 */
export function highlight(language: keyof typeof grammars, text: string, most = text.length): Content {
  const parts: Content[] = [];
  let end = 0;
  for (const { 0: token, index, groups = {} } of text.matchAll(grammars[language])) {
    if (parts.length >= 2 * most) {
      break;
    }
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined) as Kind;
    parts.push(text.slice(end, index), <span class={kind}>{token}</span>);
    end = index + token.length;
  }
  return [...parts, text.slice(end)];
}
