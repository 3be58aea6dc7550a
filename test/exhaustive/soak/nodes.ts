import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuiltServer, serveBuilt } from '../../cli/built-command.ts';
import { testDirectory } from '../../cli/process.ts';
import { findFreePort } from '../../support/free-port.ts';
import { beginOutage, type Outage } from './model.ts';

/** Seconds between SIGTERM and the end of listening, in which a node still answers everything. */
const DRAIN_SECONDS = 1;
const CLOCK = fileURLToPath(new URL('clock.mjs', import.meta.url));
/** What a node logs at most. */
const explained = [
  /^{"level":[1-4]0,/,
  /"msg":"the database does not answer"/,
  /"msg":"the use of keys could not be stored yet"/,
  /"msg":"the catalogue could not be rebuilt"/,
  /"msg":"old history could not be removed yet"/,
];

/** One of the nodes, over several processes. */
export class SoakNode {
  readonly name: string;
  /** When it need not answer. */
  readonly outages: Outage[] = [];
  /** When `/ready` need not answer 200. */
  readonly drains: Outage[] = [];
  /** Samples of its resident memory, in MB. */
  readonly #memory: number[] = [];
  /** How often it was started. */
  starts = 0;
  /** By how many ms its clock is wrong now. */
  clockOffset = 0;
  port = 0;
  readonly #clock = join(testDirectory(), 'clock');
  readonly #env: Record<string, string>;
  readonly #logs: (() => string)[] = [];
  #server: BuiltServer | undefined;

  constructor(name: string, env: Record<string, string>) {
    this.name = name;
    const clock = { NODE_OPTIONS: `--import ${CLOCK}`, SOAK_CLOCK: this.#clock };
    this.#env = { ...env, ...clock, DRAIN_DELAY: String(DRAIN_SECONDS) };
  }

  async start(): Promise<void> {
    this.port ||= await findFreePort();
    this.clockOffset = 0;
    this.#server = await serveBuilt({ ...this.#env, PORT: String(this.port) });
    this.#logs.push(this.#server.stderr);
    this.starts += 1;
  }

  /** Ends the process and starts another. */
  async restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const drain = beginOutage(this.drains, 0);
    const outage = beginOutage(this.outages, 0, signal === 'SIGTERM' ? DRAIN_SECONDS * 1_000 : 0);
    this.#server?.child.kill(signal);
    const code = await this.#server?.exit;
    if (code !== (signal === 'SIGTERM' ? 0 : null)) {
      throw new Error(`node ${this.name} exited with ${code} after ${signal}`);
    }
    await this.start();
    drain.to = Date.now();
    outage.to = drain.to;
  }

  /** Sets its clock until it is set again or the process ends. */
  setClock(offsetMs: number): void {
    this.clockOffset = offsetMs;
    writeFileSync(this.#clock, String(offsetMs));
    this.#server?.child.kill('SIGUSR2');
  }

  sampleMemory(): void {
    try {
      const status = readFileSync(`/proc/${this.#server?.child.pid}/status`, 'utf8');
      this.#memory.push(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
    } catch {
      // It is being restarted, or this is no Linux.
    }
  }

  /** Its memory in each fifth of the run, in MB. Medians: single samples depend on when the collector ran last. */
  memory(): number[] {
    return Array.from({ length: 5 }, (_, i) => {
      const part = this.#memory.slice((i * this.#memory.length) / 5, ((i + 1) * this.#memory.length) / 5);
      return part.sort((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0;
    });
  }

  /** Lines of its logs that are not about a database that fails. */
  unexplainedLines(): string[] {
    const lines = this.#logs.flatMap((log) => log().split('\n'));
    return lines.filter((line) => line !== '' && !explained.some((pattern) => pattern.test(line)));
  }

  async close(): Promise<void> {
    await this.#server?.kill();
  }
}
