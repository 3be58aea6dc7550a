import { setImmediate } from 'node:timers/promises';

/** What the first message of an agent needs: each imports what those before it have loaded, and little more. */
const parts = [
  () => import('@modelcontextprotocol/server/validators/ajv'),
  () => import('@modelcontextprotocol/server/ext/skills'),
  () => import('./tools.ts'),
];
let loading: Promise<typeof import('./mcp.ts')> | undefined;

/** Loads the Model Context Protocol, in parts: in one turn of the event loop, others would wait for 200 ms. */
export function loadMcp(): Promise<typeof import('./mcp.ts')> {
  loading ??= load();
  return loading;
}

async function load(): Promise<typeof import('./mcp.ts')> {
  for (const part of parts) {
    await part();
    await setImmediate();
  }
  return import('./mcp.ts');
}
