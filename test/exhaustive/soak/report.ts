import type { SoakNode } from './nodes.ts';

/** Violations that are printed in full. */
const SHOWN = 5;

/** What a run has met. */
export class Report {
  readonly violations: string[] = [];
  /** What is being done. */
  act = 'nothing yet';
  readonly #startedAt = Date.now();
  readonly #kinds = new Map<string, Map<string, number>>();
  readonly #acts = new Map<string, number>();
  readonly #recoveries = new Map<string, number>();
  #longestMs = 0;

  /** Shows how far the run is. */
  progress(text: string): void {
    process.stdout.write(`${this.#seconds(Date.now())} ${text}\n`);
  }

  begin(act: string): void {
    this.act = act;
    this.#acts.set(act, (this.#acts.get(act) ?? 0) + 1);
  }

  count(kind: string, status: string, ms = 0): void {
    const statuses = this.#kinds.get(kind) ?? new Map<string, number>();
    this.#kinds.set(kind, statuses.set(status, (statuses.get(status) ?? 0) + 1));
    this.#longestMs = Math.max(this.#longestMs, ms);
  }

  recovered(failure: string, ms: number): void {
    this.#recoveries.set(failure, Math.max(this.#recoveries.get(failure) ?? 0, ms));
  }

  violation(text: string): void {
    this.violations.push(`${this.#seconds(Date.now())} during "${this.act}": ${text}`);
  }

  /** What went wrong, and how to see it again. */
  failure(seed: number, minutes: number): string {
    const count = this.violations.length;
    const how = `TEST_SUITE=exhaustive TEST_SEED=${seed} TEST_SOAK_MINUTES=${minutes} repeats the schedule.`;
    return [`${count} times an answer was wrong. ${how}`, ...this.violations.slice(0, SHOWN)].join('\n\n');
  }

  /** A table of everything. */
  summary(nodes: readonly SoakNode[]): string {
    const list = (counts: Iterable<readonly [string, number | string]>): string =>
      [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
    const total = new Map<string, number>();
    for (const [status, count] of [...this.#kinds.values()].flatMap((statuses) => [...statuses])) {
      total.set(status, (total.get(status) ?? 0) + count);
    }
    const rows = [
      ...[...this.#kinds].map(([kind, statuses]) => [kind, list([...statuses].sort())]),
      ['all requests', `${list([...total].sort())}; the longest took ${this.#longestMs} ms`],
      ['acts', list(this.#acts)],
      ['longest recoveries', list([...this.#recoveries].map(([name, ms]) => [name, `${ms} ms`]))],
      ...nodes.map(({ name, memory }) => [
        `RSS of node ${name}`,
        `${fifths(memory)
          .map((mb) => mb.toFixed(0))
          .join(', ')} MB in each fifth of the run`,
      ]),
    ];
    return rows.map(([name = '', text]) => `${name.padEnd(20)} ${text}`).join('\n');
  }

  #seconds(at: number): string {
    return `${((at - this.#startedAt) / 1_000).toFixed(1).padStart(7)} s`;
  }
}

/** The median of each fifth of a run: single samples depend on when the collector ran last. */
export function fifths(samples: readonly { mb: number }[]): number[] {
  return Array.from({ length: 5 }, (_, i) => {
    const part = samples.slice((i * samples.length) / 5, ((i + 1) * samples.length) / 5).map(({ mb }) => mb);
    return part.sort((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0;
  });
}
