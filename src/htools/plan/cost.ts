/** What a plan costs: data copied, and changes of primary. Pure. */
import { isRunning } from '../cluster/instance-status.ts';
import type { Instance } from '../cluster/snapshot.ts';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  type MoveKind,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../model/moves/kinds.ts';
import { migratesLive } from './commands.ts';
import type { Plan, PlanStep } from './plan.ts';

/** Price of one move, or of several together, as documents have it. */
export interface Cost {
  /** Disk data that is copied to new nodes. */
  readonly copiedMib: number;
  /** Live changes of primary. */
  readonly migrations: number;
  /** Memory that live migrations transfer, each page once. */
  readonly migratedMemMib: number;
  /** Changes of primary of an instance that does not run, or cannot migrate. */
  readonly failovers: number;
}

/** Seconds that a failover stops a running instance for: shut down, start, services up. A round figure. */
export const FAILOVER_SECONDS = 60;

/** How often a kind of move copies the disks and changes the primary. */
export const WORK: Record<MoveKind, { readonly diskCopies: number; readonly primaryChanges: number }> = {
  [FAILOVER]: { diskCopies: 0, primaryChanges: 1 },
  [FAILOVER_TO_ANY]: { diskCopies: 0, primaryChanges: 1 },
  [REPLACE_SECONDARY]: { diskCopies: 1, primaryChanges: 0 },
  [REPLACE_AND_FAILOVER]: { diskCopies: 1, primaryChanges: 1 },
  [REPLACE_PRIMARY]: { diskCopies: 1, primaryChanges: 2 },
  [FAILOVER_AND_REPLACE]: { diskCopies: 1, primaryChanges: 1 },
};

/** Disk data that a new node gets of an instance: of one that is only reserved there is none yet. */
export const copyMibOf = ({ isForthcoming, diskMib }: Pick<Instance, 'isForthcoming' | 'diskMib'>): number =>
  isForthcoming ? 0 : diskMib;

export function moveCost(plan: Pick<Plan, 'start'>, step: PlanStep): Cost {
  const instance = plan.start.instances[step.instance]!;
  const { diskCopies, primaryChanges } = WORK[step.kind];
  const migrations = migratesLive(instance) ? primaryChanges : 0;
  return {
    copiedMib: diskCopies * copyMibOf(instance),
    migrations,
    migratedMemMib: migrations * instance.memMib,
    failovers: primaryChanges - migrations,
  };
}

export function sumOfCosts(costs: readonly Cost[]): Cost {
  const total = { copiedMib: 0, migrations: 0, migratedMemMib: 0, failovers: 0 };
  for (const cost of costs) {
    total.copiedMib += cost.copiedMib;
    total.migrations += cost.migrations;
    total.migratedMemMib += cost.migratedMemMib;
    total.failovers += cost.failovers;
  }
  return total;
}

export const planCost = (plan: Pick<Plan, 'start' | 'steps'>): Cost =>
  sumOfCosts(plan.steps.map((step) => moveCost(plan, step)));

/** Seconds that failovers stop running instances for, those of all instances together. */
export function planDowntimeSeconds(plan: Pick<Plan, 'start' | 'steps'>): number {
  let seconds = 0;
  for (const step of plan.steps) {
    if (isRunning(plan.start.instances[step.instance]!))
      seconds += moveCost(plan, step).failovers * FAILOVER_SECONDS;
  }
  return seconds;
}
