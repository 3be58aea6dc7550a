// Floods a server, in a process of its own: node flood-client.mjs '{"port": …}'
// Each connection pipelines a request and reads nothing. All are closed after some time.
import { once } from 'node:events';
import { connect } from 'node:net';

const { port, request, connections, holdMs } = JSON.parse(process.argv[2]);
const text = request.repeat(300);
for (let count = 0; count < connections; count += 1) {
  const socket = connect(port, '127.0.0.1');
  // The server may close it.
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.pause();
  socket.write(text);
}
setTimeout(() => process.exit(0), holdMs);
