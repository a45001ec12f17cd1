/** Counts and times of requests, in the text form that Prometheus reads. */

import { kept } from '../../kit/kept.ts';

/** Upper bounds of the time classes, seconds. */
const BOUNDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5] as const;

interface Series {
  count: number;
  seconds: number;
  readonly classes: number[];
}

export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly value: number;
}

export class RequestMetrics {
  private readonly bySeries = new Map<string, Series>();
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
    const lines = [
      '# HELP hplaced_requests_running Requests that are being answered.',
      '# TYPE hplaced_requests_running gauge',
      `hplaced_requests_running ${this.running}`,
      '# HELP hplaced_unknown_tokens_total Requests with a token that is nobody.',
      '# TYPE hplaced_unknown_tokens_total counter',
      `hplaced_unknown_tokens_total ${this.strangers}`,
      '# HELP hplaced_request_seconds Time from the first byte read to the last byte handed over, seconds.',
      '# TYPE hplaced_request_seconds histogram',
    ];
    for (const [key, series] of [...this.bySeries].sort(([a], [b]) => (a < b ? -1 : 1))) {
      BOUNDS.forEach((bound, k) => {
        lines.push(`hplaced_request_seconds_bucket{${key},le="${bound}"} ${series.classes[k]}`);
      });
      lines.push(
        `hplaced_request_seconds_bucket{${key},le="+Inf"} ${series.count}`,
        `hplaced_request_seconds_sum{${key}} ${series.seconds.toFixed(6)}`,
        `hplaced_request_seconds_count{${key}} ${series.count}`,
      );
    }
    for (const { name, help, value } of gauges)
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`);
    return `${lines.join('\n')}\n`;
  }
}
