import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Files of a certificate, as PEM. */
export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Makes a certificate for 127.0.0.1, signed by itself: nobody trusts it who was not told to. Needs openssl. */
export async function makeCertificate(directory: string): Promise<Certificate> {
  const [certFile, keyFile] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc'];
  const names = ['-subj', '/CN=revgate test', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-out', certFile, '-keyout', keyFile];
  await promisify(execFile)('openssl', ['req', '-x509', '-days', '2', ...curve, ...names, ...files]);
  return { certFile, keyFile };
}
