/** A number that only increases, as long as the process runs. */
export interface CountMetric {
  increment(by?: number): void;
}

/** How values are spread over buckets. */
export interface Histogram {
  observe(value: number): void;
}

type Labelled = { readonly labels: Readonly<Record<string, string>>; readonly value: number };

/** All metrics of a process. Names and labels are defined in the code, never by a client. */
export interface Metrics {
  /** A counter for each combination of label values; get it once and keep it. */
  counter(name: string, help: string): (labels?: Readonly<Record<string, string>>) => CountMetric;
  /** A histogram for each combination of label values; `bounds` are the upper ends of its buckets. */
  histogram(
    name: string,
    help: string,
    bounds: readonly number[],
  ): (labels?: Readonly<Record<string, string>>) => Histogram;
  /** A value that is read on request; `type` is its metric type. */
  read(name: string, help: string, type: 'gauge' | 'counter', value: () => number | Labelled[]): void;
  /** Everything in Prometheus's text format, version 0.0.4. */
  render(): string;
}

/** The media type of the result of {@link Metrics.render}. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Lines = () => string[];

/** Creates an empty set of metrics. */
export function createMetrics(): Metrics {
  const families = new Map<string, Lines>();

  function add(name: string, help: string, type: string, lines: Lines): void {
    if (families.has(name)) {
      throw new Error(`There is a metric ${name} already.`);
    }
    families.set(name, () => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines()]);
  }

  return {
    counter(name, help) {
      const values = new Map<string, { value: number }>();
      add(name, help, 'counter', () => [...values].map(([text, { value }]) => `${name}${text} ${value}`));
      return (labels = {}) => {
        const text = formatLabels(labels);
        const state = values.get(text) ?? { value: 0 };
        values.set(text, state);
        return {
          increment(by = 1) {
            state.value += by;
          },
        };
      };
    },
    histogram(name, help, bounds) {
      const children: Lines[] = [];
      add(name, help, 'histogram', () => children.flatMap((lines) => lines()));
      return (labels = {}) => {
        const { histogram, lines } = createHistogram(name, labels, bounds);
        children.push(lines);
        return histogram;
      };
    },
    read(name, help, type, value) {
      add(name, help, type, () => {
        const read = value();
        return typeof read === 'number'
          ? [`${name} ${formatNumber(read)}`]
          : read.map((one) => `${name}${formatLabels(one.labels)} ${formatNumber(one.value)}`);
      });
    },
    render: () => `${[...families.values()].flatMap((lines) => lines()).join('\n')}\n`,
  };
}

function createHistogram(
  name: string,
  labels: Readonly<Record<string, string>>,
  bounds: readonly number[],
): { histogram: Histogram; lines: Lines } {
  const counts = new Array<number>(bounds.length + 1).fill(0);
  let sum = 0;
  return {
    histogram: {
      observe(value) {
        let bucket = 0;
        while (bucket < bounds.length && value > (bounds[bucket] as number)) {
          bucket += 1;
        }
        counts[bucket] = (counts[bucket] as number) + 1;
        sum += value;
      },
    },
    lines() {
      let total = 0;
      const buckets = counts.map((count, i) => {
        total += count;
        return `${name}_bucket${formatLabels({ ...labels, le: formatNumber(bounds[i] ?? Infinity) })} ${total}`;
      });
      const text = formatLabels(labels);
      return [...buckets, `${name}_sum${text} ${formatNumber(sum)}`, `${name}_count${text} ${total}`];
    },
  };
}

function formatLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function formatNumber(value: number): string {
  return value === Number.POSITIVE_INFINITY ? '+Inf' : String(value);
}
