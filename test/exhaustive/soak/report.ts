export type Report = ReturnType<typeof createReport>;

/** What a run has found. */
export function createReport() {
  const violations: string[] = [];
  const startedAt = Date.now();
  const statuses = new Map<number, number>();
  const actions: string[] = [];
  const recoveries = new Map<string, number>();
  const seconds = (): string => `${((Date.now() - startedAt) / 1_000).toFixed(1).padStart(7)} s`;

  return {
    violations,
    /** Those that have begun. */
    actions,
    /** Shows the progress of the run. */
    progress(text: string): void {
      process.stdout.write(`${seconds()} ${text}\n`);
    },
    /** @param status 0 for none. */
    answered(status: number): void {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    },
    recovered(failure: string, ms: number): void {
      recoveries.set(failure, Math.max(recoveries.get(failure) ?? 0, ms));
    },
    violation(text: string): void {
      violations.push(`${seconds()} during "${actions.at(-1)}": ${text}`);
    },
    /** The figures of docs/publish/failures.md. `memory`: that of each node, in MB, in each fifth of the run. */
    summary(failures: readonly string[], memory: readonly (readonly number[])[]): string {
      const counts = [...statuses].sort().map(([status, count]) => `${status} ${count}`);
      const requests = [...statuses.values()].reduce((sum, count) => sum + count, 0);
      const times = (name: string): number => actions.filter((action) => action === name).length;
      return [
        `${actions.length} actions, ${requests} requests (${counts.join(', ')})`,
        ...memory.map((fifths) => `RSS in each fifth of the run: ${fifths.map(Math.round).join(', ')} MB`),
        '| failure | times | longest, ms |',
        '| --- | --: | --: |',
        ...failures.map((name) => `| ${name} | ${times(name)} | ${recoveries.get(name) ?? '-'} |`),
      ].join('\n');
    },
  };
}
