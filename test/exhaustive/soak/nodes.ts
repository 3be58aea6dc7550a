import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { serveBuilt } from '../../main/commands/built-command.ts';
import { during, type Outage } from './model.ts';

/** Seconds between SIGTERM and the end of listening, in which a node still answers everything. */
const DRAIN_SECONDS = 1;
/** What a node logs at most. */
const explained = [
  /^{"level":[1-4]0,/,
  /"msg":"the database does not answer"/,
  /"msg":"the use of keys could not be stored yet"/,
  /"msg":"the catalogue could not be rebuilt"/,
  /"msg":"old data could not be removed yet"/,
];

export type SoakNode = Awaited<ReturnType<typeof startNode>>;

/** Starts one of the nodes, which has several processes, one after the other. */
export async function startNode(name: string, settings: Record<string, string>) {
  const env = { ...settings, DRAIN_DELAY: String(DRAIN_SECONDS) };
  const servers = [await serveBuilt(env)];
  const server = () => servers.at(-1) as (typeof servers)[number];
  onTestFinished(() => server().kill());
  const outages: Outage[] = [];
  const drains: Outage[] = [];
  const memory: number[] = [];

  return {
    name,
    /** When it need not answer. */
    outages,
    /** When `/ready` need not answer 200. */
    drains,
    url: () => server().url,
    /** Which of its processes it is. */
    process: () => `${name} ${servers.length}`,
    /** Ends the process and starts another. @returns its name. */
    async restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<string> {
      const restart = async (): Promise<void> => {
        server().child.kill(signal);
        const code = await server().exit;
        if (code !== (signal === 'SIGTERM' ? 0 : null)) {
          throw new Error(`node ${name} exited with ${code} after ${signal}`);
        }
        servers.push(await serveBuilt(env));
      };
      const delayMs = signal === 'SIGTERM' ? DRAIN_SECONDS * 1_000 : 0;
      await during(drains, 0, () => during(outages, 0, restart, delayMs));
      return name;
    },
    sampleMemory(): void {
      try {
        const status = readFileSync(`/proc/${server().child.pid}/status`, 'utf8');
        memory.push(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
      } catch {
        // It is being restarted, or this is no Linux.
      }
    },
    /** Its resident memory in each fifth of the run, in MB. Medians: single samples depend on when the collector ran last. */
    memory: (): number[] =>
      Array.from({ length: 5 }, (_, i) => {
        const part = memory.slice((i * memory.length) / 5, ((i + 1) * memory.length) / 5);
        return part.sort((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0;
      }),
    /** Lines of its logs that are not about a database that fails. */
    unexplainedLines: (): string[] =>
      servers
        .flatMap(({ stderr }) => stderr().split('\n'))
        .filter((line) => line !== '' && !explained.some((pattern) => pattern.test(line))),
  };
}
