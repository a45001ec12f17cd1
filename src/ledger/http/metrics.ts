/** Counts and times of requests, in the text form that Prometheus reads; lines of the log. */
import { kept } from '../../kit/kept.ts';

/** Upper bounds of the time classes, seconds. */
const BOUNDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5] as const;

/** What stands at a value at this moment. */
export type Gauge = readonly [name: string, help: string, value: number];

export class RequestMetrics {
  private readonly bySeries = new Map<
    string,
    { count: number; seconds: number; readonly classes: number[] }
  >();
  private running = 0;
  /** Tokens that were nobody's. */
  strangers = 0;

  begin(): void {
    this.running++;
  }

  /** @param operation name of the operation, never anything that a client chose */
  end(operation: string, status: number, seconds: number): void {
    this.running--;
    const key = `operation="${operation}",status="${status}"`;
    const series = kept(this.bySeries, key, () => ({ count: 0, seconds: 0, classes: BOUNDS.map(() => 0) }));
    series.count++;
    series.seconds += seconds;
    BOUNDS.forEach((bound, k) => {
      if (seconds <= bound) series.classes[k]!++;
    });
  }

  text(gauges: readonly Gauge[]): string {
    const name = 'hplaced_request_seconds';
    const lines = [
      ...figure('gauge', ['requests_running', 'Requests that are being answered.', this.running]),
      ...figure('counter', [
        'unknown_tokens_total',
        "Requests with a token that is nobody's.",
        this.strangers,
      ]),
      `# HELP ${name} Time from the first byte read to the last byte handed over, seconds.`,
      `# TYPE ${name} histogram`,
    ];
    for (const [key, { count, seconds, classes }] of [...this.bySeries].sort(([a], [b]) => (a < b ? -1 : 1)))
      lines.push(
        ...BOUNDS.map((bound, k) => `${name}_bucket{${key},le="${bound}"} ${classes[k]}`),
        `${name}_bucket{${key},le="+Inf"} ${count}`,
        `${name}_sum{${key}} ${seconds.toFixed(6)}`,
        `${name}_count{${key}} ${count}`,
      );
    for (const gauge of gauges) lines.push(...figure('gauge', gauge));
    return `${lines.join('\n')}\n`;
  }
}

const figure = (type: 'gauge' | 'counter', [name, help, value]: Gauge): readonly string[] => [
  `# HELP hplaced_${name} ${help}`,
  `# TYPE hplaced_${name} ${type}`,
  `hplaced_${name} ${value}`,
];

export type WriteLine = (line: string) => void;

export const logLine = (level: 'info' | 'warning' | 'error', more: object): string =>
  JSON.stringify({ level, time: new Date().toISOString(), ...more });
