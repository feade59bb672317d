/** Prometheus' text format (SV-8), by hand: three kinds of measure with labels, each bounded. */

type Labels = Readonly<Record<string, string>>;

export interface Counter {
  readonly add: (labels?: Labels, by?: number) => void;
}

export interface Gauge {
  readonly set: (value: number, labels?: Labels) => void;
}

export interface Histogram {
  readonly observe: (value: number, labels?: Labels) => void;
}

/** Every series costs memory here and at whoever reads them. What comes beyond goes into one that says so. */
const mostSeries = 500;
const overflow = "other";

/** All measures of one server. Asking for a name again gives the same measure. */
export class Metrics {
  readonly #measures = new Map<string, Measure>();

  counter(name: string, about: string, labels: readonly string[] = []): Counter {
    const measure = this.#measure(name, "counter", about, labels);
    return { add: (given = {}, by = 1) => measure.series(given).add(by) };
  }

  gauge(name: string, about: string, labels: readonly string[] = []): Gauge {
    const measure = this.#measure(name, "gauge", about, labels);
    return { set: (value, given = {}) => measure.series(given).set(value) };
  }

  /** `steps` are the upper ends of the parts it is counted in, from the smallest. */
  histogram(name: string, about: string, steps: readonly number[], labels: readonly string[] = []): Histogram {
    const measure = this.#measure(name, "histogram", about, labels, steps);
    return { observe: (value, given = {}) => measure.series(given).observe(value, steps) };
  }

  /** The same text for the same measures, whatever order they came in. */
  render(): string {
    const inOrder = [...this.#measures.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return inOrder.map((measure) => measure.render()).join("");
  }

  #measure(name: string, kind: string, about: string, labels: readonly string[], steps: readonly number[] = []) {
    const known = this.#measures.get(name);
    if (known !== undefined) return known;
    const measure = new Measure(name, kind, about, labels, steps);
    this.#measures.set(name, measure);
    // Without labels there is one series, and it is there before anything happened.
    if (labels.length === 0) measure.series({});
    return measure;
  }
}

class Measure {
  readonly name: string;
  readonly #kind: string;
  readonly #about: string;
  readonly #labels: readonly string[];
  readonly #steps: readonly number[];
  readonly #series = new Map<string, Series>();

  constructor(name: string, kind: string, about: string, labels: readonly string[], steps: readonly number[]) {
    this.name = name;
    this.#kind = kind;
    this.#about = about;
    this.#labels = labels;
    this.#steps = steps;
  }

  series(given: Labels): Series {
    const key = this.#keyOf((label) => given[label] ?? "");
    return this.#known(key) ?? this.#known(this.#keyOf(() => overflow)) ?? this.#added(this.#keyOf(() => overflow));
  }

  #known(key: string): Series | undefined {
    return this.#series.get(key) ?? (this.#series.size < mostSeries ? this.#added(key) : undefined);
  }

  #added(key: string): Series {
    const series = new Series(this.#steps.length);
    this.#series.set(key, series);
    return series;
  }

  #keyOf(valueOf: (label: string) => string): string {
    return this.#labels.map((label) => `${label}="${escapeValue(valueOf(label))}"`).join(",");
  }

  render(): string {
    const inOrder = [...this.#series].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const lines = inOrder.flatMap(([key, series]) => this.#linesOf(key, series));
    return [`# HELP ${this.name} ${this.#about}`, `# TYPE ${this.name} ${this.#kind}`, ...lines, ""].join("\n");
  }

  #linesOf(key: string, series: Series): string[] {
    if (this.#kind !== "histogram") return [line(this.name, key, series.value)];
    const joined = (more: string) => (key === "" ? more : `${key},${more}`);
    const ends = [...this.#steps.map(String), "+Inf"];
    const parts = ends.map((end, at) => line(`${this.name}_bucket`, joined(`le="${end}"`), series.upTo(at)));
    return [...parts, line(`${this.name}_sum`, key, series.value), line(`${this.name}_count`, key, series.count)];
  }
}

class Series {
  value = 0;
  count = 0;
  readonly #parts: number[];

  constructor(steps: number) {
    this.#parts = Array.from({ length: steps }, () => 0);
  }

  add(by: number): void {
    this.value += by;
  }

  set(value: number): void {
    this.value = value;
  }

  observe(value: number, steps: readonly number[]): void {
    this.value += value;
    this.count++;
    const at = steps.findIndex((end) => value <= end);
    if (at !== -1) this.#parts[at] = (this.#parts[at] ?? 0) + 1;
  }

  /** How many lie in this part or below; all of them past the last one. */
  upTo(at: number): number {
    if (at >= this.#parts.length) return this.count;
    return this.#parts.slice(0, at + 1).reduce((sum, part) => sum + part, 0);
  }
}

function line(name: string, labels: string, value: number): string {
  return labels === "" ? `${name} ${value}` : `${name}{${labels}} ${value}`;
}

function escapeValue(value: string): string {
  return value.slice(0, 200).replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
