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

const NO_CAP = Number.POSITIVE_INFINITY;
export const NO_CAPS: PlanAmounts = {
  copiedGib: NO_CAP,
  memoryGib: NO_CAP,
  migrations: NO_CAP,
  stops: NO_CAP,
  steps: NO_CAP,
};
export const CAP_NAMES = Object.keys(NO_CAPS) as readonly (keyof PlanAmounts)[];
