// Takes the inline script of @graphql-yoga/render-graphiql apart into files that are named after their
// content and compressed once, here: browsers load them once, and nothing is compressed while serving.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import * as graphiql from '@graphql-yoga/render-graphiql/graphiql';
import { introspectionFromSchema } from 'graphql';
import { schema } from '../dist/api/graphql/schema.js';
import { samples } from '../dist/web/docs/sample-requests.js';

const source = new URL('../assets/graphiql/', import.meta.url);
const target = new URL('../dist/web/site/graphiql/', import.meta.url);
const own = (name) => readFileSync(new URL(name, source), 'utf8');

/** Our colors in place of those of GraphiQL, which are lists of three numbers. */
const colors = {
  base: 'card',
  error: 'danger',
  info: 'token-name',
  neutral: 'ink',
  primary: 'accent',
  secondary: 'token-number',
  success: 'accent',
  tertiary: 'soft',
  warning: 'warn',
};
const withOurColors = graphiql.css.replace(
  /hsla?\(var\(--color-(\w+)\)(?:,([^()]+|var\([^()]+\)))?\)/g,
  (_, name, alpha) =>
    alpha === undefined ? `var(--${colors[name]})` : `rgb(from var(--${colors[name]}) r g b / ${alpha})`,
);

/** The tabs to begin with: samples of the documentation. */
const tabs = ['list', 'detail', 'summaries', 'history', 'search'].map((id) => {
  const { title, graphql, variables } = samples[id];
  return { query: `# ${title}\n${graphql}\n`, variables: variables && JSON.stringify(variables, null, 2) };
});

const files = {
  'graphiql.js': graphiql.js,
  'graphiql.css': withOurColors,
  'editor-worker.js': graphiql.editorWorkerService,
  'graphql-worker.js': graphiql.graphqlWorker,
  'json-worker.js': graphiql.jsonWorker,
  'schema.json': JSON.stringify(introspectionFromSchema(schema)),
  'samples.json': JSON.stringify(tabs),
  'start.js': own('start.js'),
  'start.css': own('start.css'),
};

// The highest quality would take half a minute at every install, for a tenth less.
const brotli = (text) => promisify(brotliCompress)(text, { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } });
const compress = { br: brotli, gz: (text) => promisify(gzip)(text, { level: 9 }) };

/** Writes the compressed forms of a file, and gives the name that its content has. */
async function publish([name, text]) {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const named = name.replace(/(?=\.\w+$)/, `.${hash}`);
  for (const [suffix, encode] of Object.entries(compress)) {
    const file = new URL(`${named}.${suffix}`, target);
    if (!existsSync(file)) {
      writeFileSync(file, await encode(text));
    }
  }
  return [name, named];
}

mkdirSync(target, { recursive: true });
const names = Object.fromEntries(await Promise.all(Object.entries(files).map(publish)));
// The server replaces the other names.
const page = own('page.html').replace(/\{\{(.+?)\}\}/g, (all, name) =>
  name in names ? `/graphiql/${names[name]}` : all,
);
writeFileSync(new URL('page.html', target), page);
copyFileSync(
  new URL('../node_modules/@graphql-yoga/render-graphiql/LICENSE', import.meta.url),
  new URL('LICENSE', target),
);
const current = [
  'page.html',
  'LICENSE',
  ...Object.values(names).flatMap((name) => [`${name}.br`, `${name}.gz`]),
];
for (const file of readdirSync(target)) {
  if (!current.includes(file)) {
    rmSync(new URL(file, target));
  }
}
