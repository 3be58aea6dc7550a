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
  // The parameters of GraphQL are in the address of a GET: a query stays on lines of its own.
  curl({ origin, request: { path, headers = {}, body }, key = '$REVGATE_KEY', isAnonymous }) {
    return listed(
      `curl ${body === undefined ? '' : '-G '}"${origin}${path}"`,
      !isAnonymous && `-H "Authorization: Bearer ${key}"`,
      Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
      Object.entries(body ?? {}).map(([name, value]) => {
        const text = typeof value === 'string' ? value : JSON.stringify(value);
        return `--data-urlencode '${name}=${text.replaceAll("'", "'\\''")}'`;
      }),
    ).join(' \\\n  ');
  },

  javascript(code) {
    const { origin, request, key } = code;
    const { path, body } = request;
    const headers = headersOf(
      code,
      key === undefined
        ? // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a template in the sample.
          'Authorization: `Bearer ${process.env.REVGATE_KEY}`'
        : `Authorization: "Bearer ${key}"`,
    );
    const hasSettings = headers.length > 0;
    return lines(
      Object.entries(body ?? {}).map(
        ([name, value]) => `const ${name} = ${name === 'query' ? `\`${value}\`` : literal(value)};`,
      ),
      `const response = await fetch(${JSON.stringify(origin + path)}${hasSettings ? ', {' : ');'}`,
      body && '  method: "POST",',
      hasSettings && ['  headers: {', ...headers.map((header) => `    ${header},`), '  },'],
      body && `  body: JSON.stringify({ ${Object.keys(body).join(', ')} }),`,
      hasSettings && '});',
      'console.log(response.status, await response.text());',
    );
  },

  python(code) {
    const { origin, request, key, isAnonymous, status = 200 } = code;
    const { path, body } = request;
    const isRefused = status >= 300;
    const headers = headersOf(
      code,
      key === undefined
        ? '"Authorization": "Bearer " + os.environ["REVGATE_KEY"]'
        : `"Authorization": "Bearer ${key}"`,
    );
    const names = Object.keys(body ?? {}).map((name) => `"${name}": ${name}`);
    const send = [
      'with urllib.request.urlopen(request) as response:',
      '    print(response.status, response.read().decode())',
    ];
    return lines(
      body && 'import json',
      !isAnonymous && key === undefined && 'import os',
      isRefused && 'import urllib.error',
      'import urllib.request',
      '',
      Object.entries(body ?? {}).map(
        ([name, value]) => `${name} = ${name === 'query' ? `"""${value}"""` : literal(value)}`,
      ),
      'request = urllib.request.Request(',
      `    ${JSON.stringify(origin + path)},`,
      headers.length > 0 && ['    headers={', ...headers.map((header) => `        ${header},`), '    },'],
      body && `    data=json.dumps({${names.join(', ')}}).encode(),`,
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
  return (Object.keys(languages) as Language[]).flatMap((language) => {
    const text = language === 'graphql' ? graphql : writeSample[language](code);
    return text === undefined ? [] : [[language, text] as const];
  });
}

/** Headers as JavaScript and Python write them. */
function headersOf({ request: { headers = {}, body }, isAnonymous }: SampleCode, authorization: string) {
  return [
    ...(isAnonymous ? [] : [authorization]),
    ...(body ? ['"Content-Type": "application/json"'] : []),
    ...Object.entries(headers).map(
      ([name, value]) =>
        `${JSON.stringify(name)}: ${value.includes('"') ? `'${value}'` : JSON.stringify(value)}`,
    ),
  ];
}

/** JSON with spaces, which JavaScript and Python read the same way if it contains no null and no boolean. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ').replace(/\[ /g, '[').replace(/ \]/g, ']');
}

/** JSON in which all that fits in a line is in one. */
export function compactJson(value: unknown, indent = '', lineLength = 72): string {
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value);
  }
  const inner = `${indent}  `;
  const items = Object.entries(value).map(
    ([name, item]) =>
      `${Array.isArray(value) ? '' : `${JSON.stringify(name)}: `}${compactJson(item, inner, lineLength)}`,
  );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const line = `${open} ${items.join(', ')} ${close}`;
  return indent !== '' && indent.length + line.length <= lineLength && !line.includes('\n')
    ? line
    : `${open}\n${items.map((item) => inner + item).join(',\n')}\n${indent}${close}`;
}
