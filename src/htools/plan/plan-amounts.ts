/** What of a plan may be limited: what it has of each, or the limits; Infinity for no limit. */
export interface PlanAmounts {
  readonly copiedGib: number;
  /** Migrated. */
  readonly memoryGib: number;
  readonly migrations: number;
  /** Failovers that stop a running instance. */
  readonly stops: number;
  readonly steps: number;
}

export const CAP_NAMES = ['copiedGib', 'memoryGib', 'migrations', 'stops', 'steps'] as const;

export const amountsBy = (of: (what: keyof PlanAmounts) => number): PlanAmounts =>
  Object.fromEntries(CAP_NAMES.map((what) => [what, of(what)])) as Record<keyof PlanAmounts, number>;

export const NO_CAPS = amountsBy(() => Number.POSITIVE_INFINITY);
