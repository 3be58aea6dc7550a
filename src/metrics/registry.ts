type Labels = Readonly<Record<string, string>>;

type Labelled = { readonly labels: Labels; readonly value: number };

/** All metrics of a process. Names and labels are defined in the code, never by a client. */
export interface Metrics {
  /** A count for each combination of values of some labels, that only increases. The returned function adds one. */
  counter<Values extends readonly (string | number)[] = []>(
    name: string,
    help: string,
    labels?: { readonly [Index in keyof Values]: string },
  ): (...values: Values) => void;
  /**
   * How values are spread over buckets, for each value of a label. The returned function adds a value.
   *
   * @param label its name and all its values.
   * @param bounds the upper ends of the buckets.
   */
  histogram<Label extends string>(
    name: string,
    help: string,
    label: readonly [name: string, values: readonly Label[]],
    bounds: readonly number[],
  ): (label: Label, value: number) => void;
  /** A value that is read on request; `type` is its metric type. */
  read(name: string, help: string, type: 'gauge' | 'counter', value: () => number | Labelled[]): void;
  /** Everything in Prometheus's text format, version 0.0.4. */
  render(): string;
}

/** The media type of the result of {@link Metrics.render}. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Creates an empty set of metrics. */
export function createMetrics(): Metrics {
  const families = new Map<string, () => string[]>();

  function add(name: string, help: string, type: string, lines: () => string[]): void {
    if (families.has(name)) {
      throw new Error(`There is a metric ${name} already.`);
    }
    families.set(name, () => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines()]);
  }

  return {
    counter(name, help, labels) {
      // By the values of the labels, none of which has a space.
      const counts = new Map(labels === undefined ? [['', 0]] : []);
      add(name, help, 'counter', () =>
        [...counts].map(([key, count]) => {
          const values = key.split(' ');
          const pairs = labels?.map((label, index) => [label, values[index] ?? '']) ?? [];
          return formatLine(name, Object.fromEntries(pairs), count);
        }),
      );
      return (...values) => {
        const key = values.join(' ');
        counts.set(key, (counts.get(key) ?? 0) + 1);
      };
    },
    histogram(name, help, [label, labels], bounds) {
      const histograms = new Map(labels.map((value) => [value, createHistogram(bounds)]));
      add(name, help, 'histogram', () =>
        [...histograms].flatMap(([value, { lines }]) => lines(name, { [label]: value })),
      );
      return (labelled, value) => histograms.get(labelled)?.observe(value);
    },
    read(name, help, type, value) {
      add(name, help, type, () => {
        const read = value();
        const samples = typeof read === 'number' ? [{ labels: {}, value: read }] : read;
        return samples.map((one) => formatLine(name, one.labels, one.value));
      });
    },
    render: () => `${[...families.values()].flatMap((lines) => lines()).join('\n')}\n`,
  };
}

function createHistogram(bounds: readonly number[]) {
  const counts = new Array<number>(bounds.length + 1).fill(0);
  let sum = 0;
  return {
    observe(value: number): void {
      const found = bounds.findIndex((bound) => value <= bound);
      const bucket = found === -1 ? bounds.length : found;
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      sum += value;
    },
    lines(name: string, labels: Labels): string[] {
      let total = 0;
      const buckets = counts.map((count, index) => {
        total += count;
        return formatLine(`${name}_bucket`, { ...labels, le: String(bounds[index] ?? '+Inf') }, total);
      });
      return [...buckets, formatLine(`${name}_sum`, labels, sum), formatLine(`${name}_count`, labels, total)];
    },
  };
}

function formatLine(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`);
  const number = value === Number.POSITIVE_INFINITY ? '+Inf' : String(value);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${number}`;
}
