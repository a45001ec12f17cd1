/**
 * What a plan costs: data copied, changes of primary, and how long that takes at a given bandwidth. Pure.
 */

import { isRunning } from '../cluster/instance-status.ts';
import type { MoveKind } from '../model/moves/kinds.ts';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../model/moves/kinds.ts';
import { migratesLive } from './commands.ts';
import { jobSets } from './jobs.ts';
import type { Plan, PlanStep } from './plan.ts';

/** Price of one move, or of several together. */
export interface Cost {
  /** Disk data that is copied to new nodes. */
  readonly diskMib: number;
  /** Memory that live migrations transfer, each page once. */
  readonly memMib: number;
  /** Live changes of primary. */
  readonly migrations: number;
  /** Changes of primary of an instance that does not run, or cannot migrate. */
  readonly failovers: number;
}

/** Seconds that a failover stops a running instance for: shut down, start, services up. A round figure. */
const FAILOVER_SECONDS = 60;

/** How often a kind of move copies the disks and changes the primary. */
const WORK: Record<MoveKind, { readonly diskCopies: number; readonly primaryChanges: number }> = {
  [FAILOVER]: { diskCopies: 0, primaryChanges: 1 },
  [FAILOVER_TO_ANY]: { diskCopies: 0, primaryChanges: 1 },
  [REPLACE_SECONDARY]: { diskCopies: 1, primaryChanges: 0 },
  [REPLACE_AND_FAILOVER]: { diskCopies: 1, primaryChanges: 1 },
  [REPLACE_PRIMARY]: { diskCopies: 1, primaryChanges: 2 },
  [FAILOVER_AND_REPLACE]: { diskCopies: 1, primaryChanges: 1 },
};

/** Cost of one step of a plan. */
export function moveCost(plan: Pick<Plan, 'start'>, step: PlanStep): Cost {
  const instance = plan.start.instances[step.instance]!;
  const { diskCopies, primaryChanges } = WORK[step.kind];
  const migrations = migratesLive(instance) ? primaryChanges : 0;
  return {
    diskMib: diskCopies * instance.diskMib,
    memMib: migrations * instance.memMib,
    migrations,
    failovers: primaryChanges - migrations,
  };
}

/** Cost of all steps of a plan together. */
export function planCost(plan: Pick<Plan, 'start' | 'steps'>): Cost {
  const total = { diskMib: 0, memMib: 0, migrations: 0, failovers: 0 };
  for (const step of plan.steps) {
    const cost = moveCost(plan, step);
    total.diskMib += cost.diskMib;
    total.memMib += cost.memMib;
    total.migrations += cost.migrations;
    total.failovers += cost.failovers;
  }
  return total;
}

/** Seconds that failovers stop running instances for, those of all instances together. */
export function planDowntimeSeconds(plan: Pick<Plan, 'start' | 'steps'>): number {
  let seconds = 0;
  for (const step of plan.steps) {
    if (isRunning(plan.start.instances[step.instance]!))
      seconds += moveCost(plan, step).failovers * FAILOVER_SECONDS;
  }
  return seconds;
}

/**
 * Estimated duration of a plan in seconds, with data transfers alone counted.
 * The jobs of a set run at the same time, each with the full bandwidth, as they share no node;
 * a set takes as long as its longest job, and sets run one after another.
 * @param bandwidthMibPerSecond greater than 0
 */
export function planSeconds(plan: Pick<Plan, 'start' | 'steps'>, bandwidthMibPerSecond: number): number {
  let transferMib = 0;
  for (const set of jobSets(plan.start, plan.steps)) {
    const sizes = set.map(({ step }) => {
      const { diskMib, memMib } = moveCost(plan, step);
      return diskMib + memMib;
    });
    transferMib += Math.max(...sizes);
  }
  return transferMib / bandwidthMibPerSecond;
}
