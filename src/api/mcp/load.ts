import { setImmediate } from 'node:timers/promises';

/** What a message of an agent needs: each imports what those before it have loaded, and little more. */
const parts = [
  () => import('@modelcontextprotocol/server/validators/ajv'),
  () => import('@modelcontextprotocol/server/ext/skills'),
  () => import('./startup-tools.ts'),
  () => import('./tools.ts'),
  // Schemas of the protocol are made when a first message is checked.
  async () => (await import('./protocol.ts')).respond(FIRST_REQUEST, FIRST_MESSAGE, NOTHING),
];
const FIRST_REQUEST = {
  id: '',
  method: 'POST',
  path: '/mcp',
  header: () => undefined,
  headers: () => new Headers(),
};
const FIRST_MESSAGE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: '', version: '' } },
};
const NOTHING = { title: '', tools: [], resources: async () => [] };
let loading: Promise<typeof import('./tools.ts')> | undefined;

/**
 * Loads the Model Context Protocol, in parts: in one turn of the event loop, others would wait for 200 ms. A server calls
 * this when it has started, so that the first agent does not wait either.
 */
export function loadMcp(): Promise<typeof import('./tools.ts')> {
  loading ??= load();
  return loading;
}

async function load(): Promise<typeof import('./tools.ts')> {
  for (const part of parts) {
    await part();
    await setImmediate();
  }
  return import('./tools.ts');
}
