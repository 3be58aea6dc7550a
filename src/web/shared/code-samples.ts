/** The languages of samples, in the order of their tabs. GraphQL is the document itself. */
export const languages = {
  curl: 'cURL',
  javascript: 'JavaScript',
  python: 'Python',
  graphql: 'GraphQL',
} as const;
export type Language = keyof typeof languages;

/** What a sample sends. */
export interface SampleRequest {
  /** Path and query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The GraphQL request. */
  readonly body?: {
    readonly query?: string;
    readonly documentId?: string;
    readonly operationName?: string;
    readonly variables?: Readonly<Record<string, unknown>>;
  };
  /** Whether the query of the body is sent in the address of a GET: it stays on lines of its own, also for a shell. */
  readonly isGet?: true;
}

/** A sample as it is written. */
export interface SampleCode {
  /** The public origin of the gateway. */
  readonly origin: string;
  readonly request: SampleRequest;
  /** By default, the key is read from the environment variable REVGATE_KEY. */
  readonly key?: string | undefined;
  readonly isAnonymous?: boolean;
  /** Of the response; from 300 on, it has to be caught. */
  readonly status?: number | undefined;
}

/** The first request to try. */
export const FIRST_REQUEST: SampleRequest = { path: '/api/v1/startups?limit=3' };

/** A request as a program. */
export const writeSample: Readonly<Record<Exclude<Language, 'graphql'>, (code: SampleCode) => string>> = {
  curl({ origin, request: { path, headers = {}, body, isGet }, key = '$REVGATE_KEY', isAnonymous }) {
    return listed(
      `curl ${isGet ? '-G ' : ''}"${origin}${path}"`,
      !isAnonymous && `-H "Authorization: Bearer ${key}"`,
      !isGet && body && '-H "Content-Type: application/json"',
      Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
      body && (isGet ? `--data-urlencode 'query=${body.query}'` : `-d '${oneLine(body)}'`),
    ).join(' \\\n  ');
  },

  javascript(code) {
    const { origin, request, key, isAnonymous, status } = code;
    // After a 429, the client waits and sends the request again.
    const call = isAnonymous || status === 429 ? undefined : clientCall(request);
    if (call !== undefined) {
      return clientProgram(code, call);
    }
    const headers = headersOf(
      code,
      key === undefined
        ? // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a template in the sample.
          'Authorization: `Bearer ${process.env.REVGATE_KEY}`'
        : `Authorization: "Bearer ${key}"`,
    );
    const { path, body } = request;
    const hasSettings = body !== undefined || headers.length > 0;
    return lines(
      constants(body),
      `const response = await fetch(${JSON.stringify(origin + path)}${hasSettings ? ', {' : ');'}`,
      body && '  method: "POST",',
      headers.length > 0 && ['  headers: {', ...headers.map((header) => `    ${header},`), '  },'],
      body && `  body: JSON.stringify({ ${Object.keys(body).join(', ')} }),`,
      hasSettings && '});',
      'console.log(response.status, await response.text());',
    );
  },

  python(code) {
    const { origin, request, key, isAnonymous, status = 200 } = code;
    const isRefused = status >= 300;
    const { path, body, isGet } = request;
    const sent = isGet ? undefined : body;
    const headers = headersOf(
      code,
      key === undefined
        ? '"Authorization": "Bearer " + os.environ["REVGATE_KEY"]'
        : `"Authorization": "Bearer ${key}"`,
    );
    const names = Object.keys(sent ?? {}).map((name) => `"${name}": ${name}`);
    const send = [
      'with urllib.request.urlopen(request) as response:',
      '    print(response.status, response.read().decode())',
    ];
    return lines(
      sent && 'import json',
      !isAnonymous && key === undefined && 'import os',
      isRefused && 'import urllib.error',
      isGet && 'import urllib.parse',
      'import urllib.request',
      '',
      Object.entries(body ?? {}).map(
        ([name, value]) => `${name} = ${name === 'query' ? `"""${value}"""` : literal(value)}`,
      ),
      'request = urllib.request.Request(',
      isGet
        ? `    "${origin}${path}?" + urllib.parse.urlencode({"query": query}),`
        : `    ${JSON.stringify(origin + path)},`,
      headers.length > 0 && ['    headers={', ...headers.map((header) => `        ${header},`), '    },'],
      sent && `    data=json.dumps({${names.join(', ')}}).encode(),`,
      ')',
      isRefused ? ['try:', ...send.map((line) => `    ${line}`)] : send,
      isRefused && 'except urllib.error.HTTPError as error:\n    print(error.code, error.read().decode())',
    );
  },
};

type Parts = readonly (string | readonly string[] | false | undefined)[];

/** Parts one after another, without those that are left out. */
const listed = (...parts: Parts): readonly string[] =>
  parts.filter((part) => part !== undefined && part !== false).flat();

const lines = (...parts: Parts): string => listed(...parts).join('\n');

/** A request in every language, and the document of GraphQL where there is one. */
export function writeSamples(code: SampleCode, graphql?: string): (readonly [Language, string])[] {
  return [
    ['curl', writeSample.curl(code)],
    ['javascript', writeSample.javascript(code)],
    ['python', writeSample.python(code)],
    ...(graphql === undefined ? [] : [['graphql', graphql] as const]),
  ];
}

/** Headers as JavaScript and Python write them. */
function headersOf(
  { request: { headers = {}, body, isGet }, isAnonymous }: SampleCode,
  authorization: string,
) {
  return [
    ...(isAnonymous ? [] : [authorization]),
    ...(body && !isGet ? ['"Content-Type": "application/json"'] : []),
    ...Object.entries(headers).map(([name, value]) => `${JSON.stringify(name)}: ${quote(value)}`),
  ];
}

/** The call of the client that sends a request; undefined if only `fetch` shows what matters. */
function clientCall({ path, headers = {}, body }: SampleRequest): string | undefined {
  if (body?.query !== undefined) {
    return `client.query(query${body.variables === undefined ? '' : ', variables'})`;
  }
  if (Object.keys(headers).length > 0) {
    return undefined;
  }
  if (body !== undefined) {
    return `client.query({ documentId }, variables${body.operationName === undefined ? '' : ', { operationName }'})`;
  }
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  const documentId = searchParams.get('documentId');
  if (documentId !== null) {
    const name = searchParams.get('operationName');
    const document = `{\n  documentId: ${JSON.stringify(documentId)},\n}`;
    return `client.query(${document}${name === null ? '' : `, {}, { operationName: ${JSON.stringify(name)} }`})`;
  }
  const [, slug, ...others] = /^\/api\/v1\/startups(?:\/([^/]+))?(\/.*)?$/.exec(pathname) ?? ['', '', ''];
  if (slug === '' || others[0] !== undefined) {
    return undefined;
  }
  const parameters = [...searchParams].map(
    ([name, value]) => `${name}: ${/^(true|false|\d+)$/.test(value) ? value : JSON.stringify(value)}`,
  );
  return slug === undefined
    ? `client.list({ ${parameters.join(', ')} })`
    : `client.startup(${JSON.stringify(slug)})`;
}

/** The parts of a request as constants of JavaScript. */
const constants = (body: SampleRequest['body']): string[] =>
  Object.entries(body ?? {}).map(
    ([name, value]) => `const ${name} = ${name === 'query' ? `\`${value}\`` : literal(value)};`,
  );

function clientProgram({ origin, request, key, status = 200 }: SampleCode, call: string): string {
  return lines(
    `// npm install ${origin}/revgate-client.tgz`,
    'import { createClient } from "revgate-client";',
    '',
    'const client = createClient({',
    `  url: ${JSON.stringify(origin)},`,
    `  key: ${key === undefined ? 'process.env.REVGATE_KEY' : JSON.stringify(key)},`,
    '});',
    constants(request.body),
    status >= 300
      ? [
          'try {',
          `  await ${call};`,
          '} catch (error) {',
          '  console.log(error.status, error.code, JSON.stringify(error.details));',
          '}',
        ]
      : [`const result = await ${call};`, 'console.log(JSON.stringify(result));'],
  );
}

/** A GraphQL request as JSON on one line, for a shell's single quotes. */
function oneLine(body: NonNullable<SampleRequest['body']>): string {
  return JSON.stringify({ ...body, query: body.query?.replace(/\s+/g, ' ') }).replaceAll("'", "'\\''");
}

/** JSON with spaces, which JavaScript and Python read the same way if it contains no null and no boolean. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ').replace(/\[ /g, '[').replace(/ \]/g, ']');
}

const quote = (text: string): string => (text.includes('"') ? `'${text}'` : JSON.stringify(text));

/** The most characters of a line of compact JSON. */
const LINE_LENGTH = 72;

/** JSON in which all that fits in a line is in one. */
export function compactJson(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value);
  }
  const inner = `${indent}  `;
  const items = Object.entries(value).map(
    ([name, item]) => `${Array.isArray(value) ? '' : `${JSON.stringify(name)}: `}${compactJson(item, inner)}`,
  );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const line = `${open} ${items.join(', ')} ${close}`;
  return indent !== '' && indent.length + line.length <= LINE_LENGTH && !line.includes('\n')
    ? line
    : `${open}\n${items.map((item) => inner + item).join(',\n')}\n${indent}${close}`;
}
