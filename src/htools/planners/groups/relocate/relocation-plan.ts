/** Relocations as a plan: job sets and their cost, commands, what the checker replays, and where it leads. */
import { InternalError } from '../../../../kit/faults.ts';
import { isRunning } from '../../../cluster/instance-status.ts';
import type { Instance, Snapshot } from '../../../cluster/snapshot.ts';
import { forbidsMigration } from '../../../cluster/tags/tags.ts';
import { movedSnapshot } from '../../../model/state/moved-snapshot.ts';
import { ClusterState } from '../../../model/state/state.ts';
import { commandsBy, migratesLive } from '../../../plan/commands.ts';
import { type Cost, planCost } from '../../../plan/cost.ts';
import { heldBy } from '../../../plan/jobs.ts';
import { type Plan, unscoredPlan } from '../../../plan/plan.ts';
import { type PriceRates, sideBySide, stepSeconds } from '../../../plan/price.ts';
import { nodesOf, type Relocation, relocate } from './relocation.ts';

/** Parts relocations into sets of which no two hold the same (see `heldBy`), in order; no set is empty. */
export function jobSchedule(start: Snapshot, relocations: readonly Relocation[]): (readonly Relocation[])[] {
  const sets: Relocation[][] = [];
  /** Number of the last set that holds it, from 1. */
  const lastHeld = new Map<number | string, number>();
  for (const relocation of relocations) {
    const runs = isRunning(start.instances[relocation.instance]!);
    const nodes = nodesOf(relocation).filter((n) => runs || !start.nodes[n]!.isOffline);
    const held = heldBy(start, relocation.instance, nodes);
    const at = Math.max(0, ...held.map((key) => lastHeld.get(key) ?? 0));
    for (const key of held) lastHeld.set(key, at + 1);
    if (sets[at]) sets[at].push(relocation);
    else sets[at] = [relocation];
  }
  return sets;
}

/** What relocations cost, and how long they take. */
export interface RelocationCost extends Cost {
  readonly instances: number;
  /** By the clock. */
  readonly seconds: number;
  readonly bandwidthMibPerSecond: number;
}

/** Cost of relocations: jobs of a set at once, each with all of the bandwidth; sets one after another. */
export function relocationCost(
  start: Snapshot,
  relocations: readonly Relocation[],
  rates: PriceRates,
): RelocationCost {
  const secondsOf = ({ steps }: Relocation): number =>
    steps.reduce((sum, step) => sum + stepSeconds(start, step, rates), 0);
  const sets = jobSchedule(start, relocations);
  return {
    instances: relocations.length,
    ...planCost({ start, steps: relocations.flatMap(({ steps }) => steps) }),
    seconds: sets.reduce((sum, set) => sum + sideBySide(set.map(secondsOf), rates.parallel), 0),
    bandwidthMibPerSecond: rates.bandwidth,
  };
}

/** States in which nobody knows whether the instance should run. */
const UNKNOWN: readonly string[] = ['ERROR_nodeoffline', 'ERROR_nodedown', 'ERROR_wrongnode'];

function changeOfPrimary(instance: Instance, leavesOffline: boolean): string {
  if (migratesLive(instance)) return 'migrate -f';
  const isGanetisToKnow = UNKNOWN.includes(instance.status) && !leavesOffline && !forbidsMigration(instance);
  return isGanetisToKnow ? 'migrate -f --allow-failover' : 'failover -f';
}

/**
 * The command lines of a relocation. As hbal does, what runs is migrated, also off a node that is drained or
 * offline by option. Where nobody knows whether it runs, only a failover leaves an offline node; afterwards
 * only Ganeti knows, which `--allow-failover` leaves it. Source: gnt-instance(8), failover, migrate,
 * replace-disks.
 */
export const relocationCommands = (start: Snapshot, { steps }: Relocation): string[] =>
  steps.flatMap((step) => {
    // The secondary runs it between two changes.
    let runner = step.fromPrimary;
    return commandsBy(start, step, (instance) => {
      const verb = changeOfPrimary(instance, start.nodes[runner]!.isOffline);
      runner = step.fromSecondary;
      return verb;
    });
  });

/** What a plan between groups may do beyond balancing, and what it promises. */
export interface RelocationLimits {
  /** Whether disks may be copied. */
  readonly diskMoves: boolean;
  /** Nodes that are emptied: what stands on them may move even if it is not to be balanced. */
  readonly emptiedNodes: readonly number[];
  readonly healthyGroups: readonly number[];
  readonly emptyGroups?: readonly number[];
}

/** The plan in the order of the job sets; the score of no group is followed. */
export const planOf = (start: Snapshot, relocations: readonly Relocation[], limits: RelocationLimits): Plan =>
  unscoredPlan(
    start,
    jobSchedule(start, relocations).flatMap((set) => set.flatMap(({ steps }) => steps)),
    { ignoreSoftErrors: false, ...limits },
  );

/** The cluster after all relocations. @throws InternalError when one is refused: the search's fault */
export function snapshotAfter(start: Snapshot, relocations: readonly Relocation[]): Snapshot {
  const state = new ClusterState(start);
  for (const relocation of jobSchedule(start, relocations).flat()) {
    if (!relocate(state, relocation.instance, relocation.to))
      throw new InternalError(
        `the move of ${start.instances[relocation.instance]!.name} was found and then refused`,
      );
  }
  return movedSnapshot(state);
}
