import { readFileSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuiltServer, serveBuilt } from '../../cli/built-command.ts';
import { testDirectory } from '../../cli/process.ts';
import { findFreePort } from '../../support/free-port.ts';
import type { Outage } from './model.ts';

/** Seconds between SIGTERM and the end of listening, in which a node still answers everything. */
const DRAIN_SECONDS = 1;
const CLOCK = fileURLToPath(new URL('clock.mjs', import.meta.url));

/** One of the nodes, over several processes. */
export class SoakNode {
  readonly name: string;
  readonly port: number;
  readonly agent = new Agent({ keepAlive: true });
  /** When it need not answer. */
  readonly outages: Outage[] = [];
  /** When `/ready` says no. */
  readonly drains: Outage[] = [];
  /** Its resident memory in MB, sampled through the run. */
  readonly memory: { at: number; mb: number }[] = [];
  /** By how many ms its clock has been wrong, now or earlier. */
  readonly clockOffsets = new Set([0]);
  /** By how many ms it is wrong now. */
  clockOffset = 0;
  readonly #clock = join(testDirectory(), 'clock');
  /** How often it was started. */
  starts = 0;
  readonly #env: Record<string, string>;
  readonly #logs: (() => string)[] = [];
  #server: BuiltServer | undefined;

  private constructor(name: string, port: number, env: Record<string, string>) {
    this.name = name;
    this.port = port;
    this.#env = {
      ...env,
      PORT: String(port),
      DRAIN_DELAY: String(DRAIN_SECONDS),
      NODE_OPTIONS: `--import ${CLOCK}`,
      SOAK_CLOCK: this.#clock,
    };
  }

  static async start(name: string, env: Record<string, string>): Promise<SoakNode> {
    const node = new SoakNode(name, await findFreePort(), env);
    await node.#start();
    return node;
  }

  /** Ends the process and starts another. */
  async restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const drainMs = signal === 'SIGTERM' ? DRAIN_SECONDS * 1_000 : 0;
    const at = Date.now();
    const drain = { from: at, to: Number.POSITIVE_INFINITY, recoveryMs: 0 };
    const outage = { ...drain, from: at + drainMs };
    this.drains.push(drain);
    this.outages.push(outage);
    this.#server?.child.kill(signal);
    const code = await this.#server?.exit;
    if (code !== (signal === 'SIGTERM' ? 0 : null)) {
      throw new Error(`node ${this.name} ended with ${code} after ${signal}`);
    }
    await this.#start();
    drain.to = Date.now();
    outage.to = drain.to;
  }

  /** Sets its clock until it is set again or the process ends. */
  setClock(offsetMs: number): void {
    this.clockOffset = offsetMs;
    this.clockOffsets.add(offsetMs);
    writeFileSync(this.#clock, String(offsetMs));
    this.#server?.child.kill('SIGUSR2');
  }

  async #start(): Promise<void> {
    this.clockOffset = 0;
    this.#server = await serveBuilt(this.#env);
    this.#logs.push(this.#server.stderr);
    this.starts += 1;
  }

  /** Whether its process has ended without being told to. */
  get hasFailed(): boolean {
    const { child } = this.#server ?? {};
    const isAlone = this.outages.every(({ to }) => to < Number.POSITIVE_INFINITY);
    return isAlone && child !== undefined && (child.exitCode !== null || child.signalCode !== null);
  }

  sampleMemory(): void {
    try {
      const status = readFileSync(`/proc/${this.#server?.child.pid}/status`, 'utf8');
      this.memory.push({ at: Date.now(), mb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024 });
    } catch {
      // It is being restarted, or this is no Linux.
    }
  }

  /** What all its processes have written to standard error. */
  log(): string {
    return this.#logs.map((log) => log()).join('');
  }

  async close(): Promise<void> {
    this.agent.destroy();
    await this.#server?.kill();
  }
}
