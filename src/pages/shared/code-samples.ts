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
  /** Of a POST: the GraphQL request. */
  readonly body?: {
    readonly query?: string;
    readonly documentId?: string;
    readonly operationName?: string;
    readonly variables?: Readonly<Record<string, unknown>>;
  };
}

/** A sample as it is written. */
interface SampleCode {
  /** The public origin of the gateway. */
  readonly origin: string;
  readonly request: SampleRequest;
  /** By default, the key is read from the environment variable REVGATE_KEY. */
  readonly key?: string | undefined;
  readonly isAnonymous?: boolean;
  /** Whether Python has to catch the status. */
  readonly isRefused?: boolean;
}

/** The first request to try. */
export const FIRST_REQUEST: SampleRequest = { path: '/api/v1/startups?limit=3' };

/** A request as a program. */
export const writeSample: Readonly<Record<Exclude<Language, 'graphql'>, (code: SampleCode) => string>> = {
  curl({ origin, request, key = '$REVGATE_KEY', isAnonymous = false }) {
    const headers = [
      ...(isAnonymous ? [] : [`"Authorization: Bearer ${key}"`]),
      ...(request.body === undefined ? [] : ['"Content-Type: application/json"']),
      ...Object.entries(request.headers ?? {}).map(([name, value]) => `'${name}: ${value}'`),
    ];
    return [
      `curl "${origin}${request.path}"`,
      ...headers.map((header) => `  -H ${header}`),
      ...(request.body === undefined ? [] : [`  -d '${oneLine(request.body)}'`]),
    ].join(' \\\n');
  },

  javascript(code) {
    const { origin, request, key, isAnonymous = false } = code;
    const call = isAnonymous ? undefined : clientCall(request);
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
    const { body } = request;
    const settings = [
      ...(body === undefined ? [] : ['  method: "POST",']),
      ...(headers.length === 0 ? [] : ['  headers: {', ...headers.map((header) => `    ${header},`), '  },']),
      ...(body === undefined ? [] : [`  body: JSON.stringify({ ${Object.keys(body).join(', ')} }),`]),
    ];
    const url = JSON.stringify(origin + request.path);
    return [
      ...constants(body),
      ...(settings.length === 0
        ? [`const response = await fetch(${url});`]
        : [`const response = await fetch(${url}, {`, ...settings, '});']),
      'console.log(response.status, await response.text());',
    ].join('\n');
  },

  python(code) {
    const { origin, request, key, isAnonymous = false, isRefused = false } = code;
    const headers = headersOf(
      code,
      key === undefined
        ? '"Authorization": "Bearer " + os.environ["REVGATE_KEY"]'
        : `"Authorization": "Bearer ${key}"`,
    );
    const { body } = request;
    const imports = [
      ...(body === undefined ? [] : ['json']),
      ...(isAnonymous || key !== undefined ? [] : ['os']),
      ...(isRefused ? ['urllib.error'] : []),
      'urllib.request',
    ];
    const send = [
      'with urllib.request.urlopen(request) as response:',
      '    print(response.status, response.read().decode())',
    ];
    return [
      ...imports.map((name) => `import ${name}`),
      '',
      ...Object.entries(body ?? {}).map(
        ([name, value]) => `${name} = ${name === 'query' ? `"""${value}"""` : literal(value)}`,
      ),
      'request = urllib.request.Request(',
      `    ${JSON.stringify(origin + request.path)},`,
      ...(headers.length === 0
        ? []
        : ['    headers={', ...headers.map((header) => `        ${header},`), '    },']),
      ...(body === undefined
        ? []
        : [
            `    data=json.dumps({${Object.keys(body)
              .map((name) => `"${name}": ${name}`)
              .join(', ')}}).encode(),`,
          ]),
      ')',
      ...(isRefused
        ? [
            'try:',
            ...send.map((line) => `    ${line}`),
            'except urllib.error.HTTPError as error:',
            '    print(error.code, error.read().decode())',
          ]
        : send),
    ].join('\n');
  },
};

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
  { request: { headers = {}, body }, isAnonymous = false }: SampleCode,
  authorization: string,
) {
  return [
    ...(isAnonymous ? [] : [authorization]),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
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

function clientProgram(
  { origin, request: { body }, key, isRefused = false }: SampleCode,
  call: string,
): string {
  return [
    'import { createClient } from "revgate-client";',
    '',
    'const client = createClient({',
    `  url: ${JSON.stringify(origin)},`,
    `  key: ${key === undefined ? 'process.env.REVGATE_KEY' : JSON.stringify(key)},`,
    '});',
    ...constants(body),
    ...(isRefused
      ? [
          'try {',
          `  await ${call};`,
          '} catch (error) {',
          '  console.log(error.status, error.code, JSON.stringify(error.details));',
          '}',
        ]
      : [`const result = await ${call};`, 'console.log(JSON.stringify(result));']),
  ].join('\n');
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
