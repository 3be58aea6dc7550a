import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { systemReason } from '../errors.ts';
import { isObject } from '../text/is-object.ts';

/** What connects a client that starts a program with a server. */
interface ForwardOptions {
  /** The address of the server's MCP, such as https://api.example.com/mcp. */
  readonly url: string;
  readonly key: string;
  readonly input: Readable;
  readonly output: Writable;
  /** Aborted when the program is to end. */
  readonly signal: AbortSignal;
}

type Message = Readonly<Record<string, unknown>>;

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/**
 * Sends each line of the input to a server as a message, and writes the responses, one line each. It knows the
 * protocol only as far as HTTP has headers for parts of a message. Resolves at the end of the input, when everything
 * has been answered.
 */
export async function forward({ url, key, input, output, signal }: ForwardOptions): Promise<void> {
  /** The revision of a client that has agreed on one at its start. */
  let agreed: string | undefined;
  const write = (message: object): void => {
    output.write(`${JSON.stringify(message)}\n`);
  };

  async function answer(line: string): Promise<void> {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return write(errorOf(null, -32700, 'This line is not JSON'));
    }
    const { id, method } = isObject(message) ? message : {};
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headersOf(message, agreed), Authorization: `Bearer ${key}` },
        body: line,
        // A key must not reach another server.
        redirect: 'error',
        signal,
      });
      for (const answered of messagesOf(await response.text())) {
        const { result } = answered as { result?: { protocolVersion?: string } };
        agreed = method === 'initialize' ? result?.protocolVersion : agreed;
        // Of a request that was refused before its body was read, the server does not know the id.
        write(answered.id === null && id !== undefined ? { ...answered, id } : answered);
      }
    } catch (error) {
      if (id !== undefined && !signal.aborted) {
        write(errorOf(id, -32603, `Cannot reach ${url} (${reasonOf(error)})`));
      }
    }
  }

  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  signal.addEventListener('abort', () => lines.close(), { once: true });
  const pending = new Set<Promise<void>>();
  for await (const line of lines) {
    if (line.trim() === '') {
      continue;
    }
    const work = answer(line).finally(() => pending.delete(work));
    pending.add(work);
    // What follows depends on the revision that this one agrees on.
    if (agreed === undefined) {
      await work;
    }
  }
  await Promise.all(pending);
}

/** The headers that HTTP requires for parts of a message. */
function headersOf(message: unknown, agreed: string | undefined): Record<string, string> {
  const { method, params } = isObject(message) ? message : {};
  const { name, uri, _meta: meta } = isObject(params) ? params : {};
  const version = isObject(meta) ? meta[VERSION_KEY] : undefined;
  const subject = name ?? uri;
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  return typeof version === 'string'
    ? {
        ...headers,
        'MCP-Protocol-Version': encode(version),
        'Mcp-Method': encode(String(method)),
        ...(typeof subject === 'string' && { 'Mcp-Name': encode(subject) }),
      }
    : { ...headers, ...(agreed !== undefined && { 'MCP-Protocol-Version': agreed }) };
}

/** A value of a header: other characters than those of ASCII as the protocol encodes them. */
function encode(text: string): string {
  const isPlain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?');
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** The messages of a response: a body of JSON, or events with one message each. */
function messagesOf(body: string): Message[] {
  const texts = body.startsWith('{')
    ? [body]
    : [...body.matchAll(/^data: ?(.+)$/gm)].map(([, data = '']) => data);
  return texts.map((text) => JSON.parse(text) as Message);
}

function errorOf(id: unknown, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return cause === undefined ? String((error as Error).message) : systemReason(cause);
}
