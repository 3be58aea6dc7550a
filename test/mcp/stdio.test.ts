import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { run, start } from '../cli/process.ts';
import { findFreePort } from '../support/free-port.ts';
import { openTestGateway } from '../support/gateway.ts';
import { record } from '../support/records.ts';
import { _meta, initial } from './agent.ts';

const gateway = await openTestGateway({ records: [record('acme', { name: 'Ägypten 🚀' })], limits: 100 });
const url = await gateway.listen();
const { key } = await gateway.key();

/** Runs the command with these lines, and returns its lines as messages. */
async function talk(lines: readonly (object | string)[], env: Record<string, string> = {}) {
  const stdin = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  const { code, stdout, stderr } = await run(['mcp'], {
    stdin,
    env: { REVGATE_URL: url, REVGATE_KEY: key, ...env },
  });
  const messages =
    stdout === ''
      ? []
      : stdout
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line));
  return { code, stderr, messages };
}

const request = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });
const initialize = request(0, 'initialize', { ...initial, protocolVersion: '2025-06-18' });

it('forwards messages of both revisions, and ends when all are answered', async () => {
  const { code, stderr, messages } = await talk([
    initialize,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    '',
    request(1, 'tools/call', { name: 'get_startup', arguments: { slug: 'acme' } }),
    request(2, 'tools/call', { name: 'get_startup', arguments: { slug: 'acme' }, _meta }),
    request(3, 'tools/call', { name: 'Ägypten', arguments: {}, _meta }),
    request(4, 'resources/read', { uri: 'http://localhost:4000/policy', _meta }),
  ]);
  expect([code, stderr]).toEqual([0, '']);
  const byId = new Map(messages.map((message) => [message.id, message]));
  expect([...byId.keys()].sort()).toEqual([0, 1, 2, 3, 4]);
  expect(byId.get(0).result.protocolVersion).toBe('2025-06-18');
  expect(byId.get(1).result.structuredContent.data.name).toBe('Ägypten 🚀');
  expect(byId.get(2).result.structuredContent.data.name).toBe('Ägypten 🚀');
  expect(byId.get(3).error.message).toContain('Unknown tool: got "Ägypten"');
  expect(byId.get(4).result.contents[0].text).toBe('Be fair.');
});

it('answers with an error what the server refuses, and what cannot be sent', async () => {
  const refused = await talk([request(7, 'tools/list')], { REVGATE_KEY: 'rvg_wrong' });
  expect(refused.messages).toMatchObject([
    { id: 7, error: { message: expect.stringContaining('This is not an API key') } },
  ]);
  const { messages } = await talk(['{', '[]', '1', request(8, 'made/up')]);
  expect(messages.map(({ id, error }) => [id, error.code])).toEqual([
    [null, -32700],
    [null, -32600],
    [null, -32600],
    [8, -32601],
  ]);
  const closed = `http://127.0.0.1:${await findFreePort()}`;
  const nowhere = await talk([request(9, 'ping')], { REVGATE_URL: closed });
  expect(nowhere.messages).toMatchObject([
    { id: 9, error: { code: -32603, message: `Cannot reach ${closed}/mcp (connection refused)` } },
  ]);
});

it('sends the key to no other server', async () => {
  const server = createServer((_request, response) =>
    response.writeHead(307, { location: `${url}/mcp` }).end(),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { messages } = await talk([request(1, 'ping')], { REVGATE_URL: `http://127.0.0.1:${port}` });
  expect(messages).toMatchObject([{ id: 1, error: { code: -32603 } }]);
});

it('needs a key and the address of a server', async () => {
  expect(await run(['mcp'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'revgate: REVGATE_KEY is not set: set it to an API key.\n',
  });
  const { stderr } = await run(['mcp'], { env: { REVGATE_KEY: key, REVGATE_URL: 'localhost:4000' } });
  expect(stderr).toMatch(/^revgate: REVGATE_URL: got "localhost:4000", allowed: /);
});

it('ends at a signal, also while it waits for a line', async () => {
  const started = start(['mcp'], { env: { REVGATE_URL: url, REVGATE_KEY: key } });
  started.stdin.write(`${JSON.stringify(initialize)}\n`);
  await started.wrote('stdout', /"id":0/);
  expect(await started.stop('SIGTERM')).toMatchObject({ stderr: '' });
});
