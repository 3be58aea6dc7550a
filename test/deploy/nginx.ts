import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endWithRunner } from '../support/end-with-runner.ts';
import { accepts, findFreePort } from '../support/free-port.ts';
import type { Certificate } from '../support/servers/certificate.ts';
import { root } from '../support/suites.ts';

/** Starts nginx with deploy/nginx.conf in front of a node, on free ports of this machine. All its files are in a directory. */
export async function startProxy(
  program: string,
  directory: string,
  node: Pick<AddressInfo, 'port'>,
  { certFile, keyFile }: Certificate,
) {
  const [httpPort, httpsPort] = [await findFreePort(), await findFreePort()];
  const replacements: [string, string][] = [
    ['listen 80;', `listen 127.0.0.1:${httpPort};`],
    ['listen [::]:80;', ''],
    ['listen 443 ', `listen 127.0.0.1:${httpsPort} `],
    ['listen [::]:443 ssl http2;', ''],
    ['server 127.0.0.1:4000 ', `server 127.0.0.1:${node.port} `],
    ['/etc/letsencrypt/live/api.example.com/fullchain.pem', certFile],
    ['/etc/letsencrypt/live/api.example.com/privkey.pem', keyFile],
  ];
  const site = replacements.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) {
        throw new Error(`deploy/nginx.conf lacks ${from}`);
      }
      return text.replace(from, to);
    },
    readFileSync(join(root, 'deploy/nginx.conf'), 'utf8'),
  );
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const config = join(directory, 'nginx.conf');
  writeFileSync(
    config,
    `daemon off; master_process off; pid ${directory}/nginx.pid; error_log stderr;
events {}
http {
access_log off;
${temporary.map((name) => `${name}_temp_path ${directory}/${name};`).join('\n')}
${site}
}
`,
  );
  const args = ['-p', directory, '-c', config];
  const child = endWithRunner(spawn(program, args, { stdio: 'ignore' }));
  const ended = once(child, 'exit');
  const failed = ended.then(() => Promise.reject(new Error('nginx ended: run it with -t')));
  await Promise.race([accepts(httpsPort), failed]);
  failed.catch(() => {});
  return {
    httpPort,
    httpsPort,
    /** What `nginx -t` says of the configuration. */
    check: async () => (await promisify(execFile)(program, ['-t', ...args])).stderr,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
