import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** An installed command that serves. */
export interface StartedPackage {
  readonly url: string;
  readonly pid: number;
  /** The demo key of its first start. */
  readonly key: string;
  /** Asks it to stop, and gives its exit code. */
  stop(): Promise<number | null>;
}

/** Starts an installed `revgate serve` on a free port, with nothing of this environment but PATH. */
export async function startPackage(
  command: string,
  { cwd, env }: { cwd: string; env: Record<string, string | undefined> },
): Promise<StartedPackage> {
  const { PATH = '' } = process.env;
  const child = spawn(command, ['serve'], {
    cwd,
    env: { PATH, PORT: '0', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(child, 'close').then(([code]) => code as number | null);
  let text = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      text += chunk;
      const found = /Listening on (\S+)\. Try:\n.+\n/.exec(text)?.[1];
      if (found !== undefined) {
        resolve(found);
      }
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void exit.then((code) => reject(new Error(`It ended with ${code}:\n${text}`)));
  });
  return {
    url,
    pid: child.pid as number,
    key: /rvg_[0-9A-Za-z]{38}/.exec(text)?.[0] ?? '',
    stop() {
      child.kill('SIGTERM');
      return exit;
    },
  };
}
