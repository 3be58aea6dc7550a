// The ceiling: node:http and nothing else, the same BODY_BYTES bytes of JSON for everyone.
import { createServer } from 'node:http';

const body = JSON.stringify({ data: 'x'.repeat(Number(process.env.BODY_BYTES ?? 7_000) - 11) });
const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length };
createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
}).listen(Number(process.env.PORT), '127.0.0.1');
