/** What a plan costs: seconds of network and night. The one price in searches, choices and reports. */
import { isRunning } from '../cluster/instance-status.ts';
import type { Instance } from '../cluster/snapshot.ts';
import { stickyFactor } from '../cluster/tags/placement-tags.ts';
import type { MoveKind } from '../model/moves/kinds.ts';
import { migratesLive } from './commands.ts';
import { type Cost, copyMibOf, FAILOVER_SECONDS, moveCost, WORK } from './cost.ts';
import { jobSets, type PlannedJob } from './jobs.ts';
import type { Plan, PlanStep } from './plan.ts';

/** What things cost: `--bandwidth` and `--price`. */
export interface PriceRates {
  /** MiB of disk a second. */
  readonly bandwidth: number;
  /** MiB of memory a second. */
  readonly migration: number;
  /** How often a migration sends the memory: once, and again what is written meanwhile. */
  readonly rewritten: number;
  /** What one second of a running instance's downtime counts. */
  readonly downtime: number;
  /** Seconds that each job takes beside its transfers. */
  readonly job: number;
  /** Most jobs at one time (`--parallel`); undefined = all of a set. */
  readonly parallel?: number | undefined;
}

/** Round figures: a network of 1 Gbit/s, and rather ten seconds of copying than one of downtime. */
export const USUAL_RATES: PriceRates = {
  bandwidth: 100,
  migration: 100,
  rewritten: 1.3,
  downtime: 10,
  job: 10,
};

/** Seconds that a copy of its disks, a change of its primary and a job of it count. */
export interface UnitPrices {
  readonly copy: number;
  readonly change: number;
  readonly job: number;
}

/** What moving an instance counts, the factor of its tag included. */
export function unitPrices(instance: Instance, rates: PriceRates): UnitPrices {
  const factor = stickyFactor(instance.tags);
  const stopped = isRunning(instance) ? FAILOVER_SECONDS * rates.downtime : 0;
  const change = migratesLive(instance) ? (instance.memMib * rates.rewritten) / rates.migration : stopped;
  return {
    copy: (factor * copyMibOf(instance)) / rates.bandwidth,
    change: factor * change,
    job: factor * rates.job,
  };
}

/** What a step of a kind counts. */
export function priceOfKind(kind: MoveKind, { copy, change, job }: UnitPrices): number {
  const { diskCopies, primaryChanges } = WORK[kind];
  return diskCopies * copy + primaryChanges * change + job;
}

/** What taking an instance off all its nodes counts. */
export const priceOfLeaving = ({ copy, change, job }: UnitPrices, isMirrored: boolean): number =>
  change + (isMirrored ? 2 * (copy + job) : job);

/** What steps count together, in seconds. */
export const planPrice = ({ start, steps }: Pick<Plan, 'start' | 'steps'>, rates: PriceRates): number =>
  steps.reduce(
    (sum, { instance, kind }) => sum + priceOfKind(kind, unitPrices(start.instances[instance]!, rates)),
    0,
  );

/** How long steps of one instance take by the clock, their transfers one after another. */
export const costSeconds = (
  { copiedMib, migratedMemMib }: Pick<Cost, 'copiedMib' | 'migratedMemMib'>,
  steps: number,
  rates: PriceRates,
): number =>
  copiedMib / rates.bandwidth + (migratedMemMib * rates.rewritten) / rates.migration + steps * rates.job;

/** How long a step takes by the clock. */
export const stepSeconds = (start: Plan['start'], step: PlanStep, rates: PriceRates): number =>
  costSeconds(moveCost({ start }, step), 1, rates);

/** How long jobs take of which so many run at one time: another begins when one has ended. */
export function sideBySide(seconds: readonly number[], parallel = seconds.length): number {
  const ends = Array.from({ length: Math.min(parallel, seconds.length) }, () => 0);
  for (const one of seconds) ends[ends.indexOf(Math.min(...ends))]! += one;
  return Math.max(0, ...ends);
}

/** How long a plan takes: jobs of a set at once, each with all of the bandwidth; sets one after another. */
export function planSeconds({ start, steps }: Pick<Plan, 'start' | 'steps'>, rates: PriceRates): number {
  const secondsOf = ({ step }: PlannedJob): number => stepSeconds(start, step, rates);
  return jobSets(start, steps).reduce((sum, set) => sum + sideBySide(set.map(secondsOf), rates.parallel), 0);
}
