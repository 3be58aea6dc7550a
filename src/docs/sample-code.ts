import type { SampleRequest } from './samples.ts';

/** The languages of samples, in the order of their tabs. GraphQL is the document itself. */
export const languages = {
  curl: 'cURL',
  javascript: 'JavaScript',
  python: 'Python',
  graphql: 'GraphQL',
} as const;
export type Language = keyof typeof languages;

/** A sample as it is written. */
interface SampleCode {
  readonly origin: string;
  readonly request: SampleRequest;
  readonly isAnonymous: boolean;
  /** Whether Python has to catch the status. */
  readonly isRefused: boolean;
}

/** A request as a program; the key is read from the environment. */
export const writeSample: Readonly<Record<Exclude<Language, 'graphql'>, (code: SampleCode) => string>> = {
  curl({ origin, request, isAnonymous }) {
    const headers = [
      ...(isAnonymous ? [] : ['"Authorization: Bearer $REVGATE_KEY"']),
      ...(request.body === undefined ? [] : ['"Content-Type: application/json"']),
      ...Object.entries(request.headers).map(([name, value]) => `'${name}: ${value}'`),
    ];
    return [
      `curl "${origin}${request.path}"`,
      ...headers.map((header) => `  -H ${header}`),
      ...(request.body === undefined ? [] : [`  -d '${oneLine(request.body)}'`]),
    ].join(' \\\n');
  },

  javascript({ origin, request, isAnonymous }) {
    const headers = [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a template in the sample.
      ...(isAnonymous ? [] : ['Authorization: `Bearer ${process.env.REVGATE_KEY}`']),
      ...(request.body === undefined ? [] : ['"Content-Type": "application/json"']),
      ...Object.entries(request.headers).map(([name, value]) => `${JSON.stringify(name)}: ${quote(value)}`),
    ];
    const { body } = request;
    const settings = [
      ...(body === undefined ? [] : ['  method: "POST",']),
      ...(headers.length === 0 ? [] : ['  headers: {', ...headers.map((header) => `    ${header},`), '  },']),
      ...(body === undefined
        ? []
        : [`  body: JSON.stringify({ query${body.variables === undefined ? '' : ', variables'} }),`]),
    ];
    const url = JSON.stringify(origin + request.path);
    return [
      ...(body === undefined ? [] : [`const query = \`${body.query}\`;`]),
      ...(body?.variables === undefined ? [] : [`const variables = ${literal(body.variables)};`]),
      ...(settings.length === 0
        ? [`const response = await fetch(${url});`]
        : [`const response = await fetch(${url}, {`, ...settings, '});']),
      'console.log(response.status, await response.text());',
    ].join('\n');
  },

  python({ origin, request, isAnonymous, isRefused }) {
    const headers = [
      ...(isAnonymous ? [] : [`"Authorization": "Bearer " + os.environ["REVGATE_KEY"]`]),
      ...(request.body === undefined ? [] : ['"Content-Type": "application/json"']),
      ...Object.entries(request.headers).map(([name, value]) => `${JSON.stringify(name)}: ${quote(value)}`),
    ];
    const { body } = request;
    const imports = [
      ...(body === undefined ? [] : ['json']),
      ...(isAnonymous ? [] : ['os']),
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
      ...(body === undefined ? [] : [`query = """${body.query}"""`]),
      ...(body?.variables === undefined ? [] : [`variables = ${literal(body.variables)}`]),
      'request = urllib.request.Request(',
      `    ${JSON.stringify(origin + request.path)},`,
      ...(headers.length === 0
        ? []
        : ['    headers={', ...headers.map((header) => `        ${header},`), '    },']),
      ...(body === undefined
        ? []
        : [
            `    data=json.dumps({"query": query${body.variables === undefined ? '' : ', "variables": variables'}}).encode(),`,
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

/** A GraphQL request as JSON on one line, for a shell's single quotes. */
function oneLine(body: NonNullable<SampleRequest['body']>): string {
  return JSON.stringify({ ...body, query: body.query.replace(/\s+/g, ' ') }).replaceAll("'", "'\\''");
}

/** JSON with spaces, which JavaScript and Python read the same way if it contains no null and no boolean. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ').replace(/\[ /g, '[').replace(/ \]/g, ']');
}

const quote = (text: string): string => (text.includes('"') ? `'${text}'` : JSON.stringify(text));
