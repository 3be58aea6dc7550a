import { type Action, failures } from './schedule.ts';

/** Violations that are printed in full. */
const SHOWN = 5;

/** What a run has found. */
export class Report {
  readonly violations: string[] = [];
  #action = 'nothing yet';
  readonly #startedAt = Date.now();
  readonly #statuses = new Map<number, number>();
  readonly #actions = new Map<Action, number>();
  readonly #recoveries = new Map<Action, number>();

  /** Shows the progress of the run. */
  progress(text: string): void {
    process.stdout.write(`${this.#seconds()} ${text}\n`);
  }

  begin(action: Action): void {
    this.#action = action;
    add(this.#actions, action);
  }

  /** @param status 0 for none. */
  answered(status: number): void {
    add(this.#statuses, status);
  }

  recovered(failure: Action, ms: number): void {
    this.#recoveries.set(failure, Math.max(this.#recoveries.get(failure) ?? 0, ms));
  }

  violation(text: string): void {
    this.violations.push(`${this.#seconds()} during "${this.#action}": ${text}`);
  }

  /** What was wrong, and how to see it again. */
  failure(seed: number, minutes: number): string {
    const how = `TEST_SUITE=exhaustive TEST_SEED=${seed} TEST_SOAK_MINUTES=${minutes} repeats the schedule.`;
    return [`${this.violations.length} violations. ${how}`, ...this.violations.slice(0, SHOWN)].join('\n\n');
  }

  /** The figures of docs/operate.md. `memory`: that of each node, in MB, in each fifth of the run. */
  summary(memory: readonly (readonly number[])[]): string {
    const sum = (counts: Map<unknown, number>): number => [...counts.values()].reduce((a, b) => a + b, 0);
    const statuses = [...this.#statuses].sort().map(([status, count]) => `${status} ${count}`);
    return [
      `${sum(this.#actions)} actions, ${sum(this.#statuses)} requests (${statuses.join(', ')})`,
      ...memory.map((fifths) => `RSS in each fifth of the run: ${fifths.map(Math.round).join(', ')} MB`),
      '| failure | times | longest, ms |',
      '| --- | --: | --: |',
      ...failures.map(
        (name) => `| ${name} | ${this.#actions.get(name) ?? 0} | ${this.#recoveries.get(name) ?? '-'} |`,
      ),
    ].join('\n');
  }

  #seconds(): string {
    return `${((Date.now() - this.#startedAt) / 1_000).toFixed(1).padStart(7)} s`;
  }
}

function add<Key>(counts: Map<Key, number>, name: Key): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
