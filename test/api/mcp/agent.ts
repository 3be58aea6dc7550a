import type { Answer, CallOptions, TestGateway } from '../../support/gateway.ts';

/** The revision of the protocol that needs nothing but one message. */
const LEGACY = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

const clientInfo = { name: 'test', version: '1' };
/** What a client of that revision says first. */
export const initial = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
/** What one of the next revision says with each message. */
export const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The answer to a message: what the gateway sent, and the message of JSON-RPC in it. */
export interface Reply extends Answer {
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted, not typed.
  message: any;
}

/** Sends messages of JSON-RPC to /mcp with a key. */
export function agentOf(gateway: TestGateway, key: string | undefined) {
  let id = 0;
  const post = async (body: unknown, { headers, ...more }: CallOptions = {}): Promise<Reply> => {
    const answer = await gateway.call('/mcp', {
      method: 'POST',
      key,
      headers: { ...LEGACY, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...more,
    });
    const data = /^data: ([^\n\r]*)/m.exec(answer.text)?.[1];
    return { ...answer, message: data === undefined ? answer.json : JSON.parse(data) };
  };
  const send = (method: string, params: object = {}, more: CallOptions = {}): Promise<Reply> => {
    id += 1;
    return post({ jsonrpc: '2.0', id, method, params }, more);
  };
  return {
    post,
    send,
    /** The result of a tool. */
    async call(name: string, args: object = {}) {
      const reply = await send('tools/call', { name, arguments: args });
      const { result, error } = reply.message;
      return { ...reply, error, ...result, text: result?.content[0].text as string };
    },
  };
}
