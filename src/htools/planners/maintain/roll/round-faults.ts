/** The checker's word on a round: each step of it, and what must be true while the nodes are down. */
import { isRunning as hasRunningStatus } from '../../../cluster/instance-status.ts';
import type { Instance, Snapshot } from '../../../cluster/snapshot.ts';
import { mirroringOf } from '../../../cluster/templates.ts';
import { PlanChecker, type PlanFault } from '../../../plan/checker/check.ts';
import { knownNodes } from '../../../plan/checker/known-nodes.ts';
import { type PlanLimits, unscoredPlan } from '../../../plan/plan.ts';
import type { RebootOptions } from '../reboot/reboot-rounds.ts';
import type { Passage, RollingRound } from './rolling.ts';

const isRunning = (instance: Instance): boolean => hasRunningStatus(instance) && !instance.isForthcoming;

/** Whether an instance may be on a node that is rebooted: it does not run, or the options let it go down. */
function mayBeThere(
  { instances, nodes }: Snapshot,
  i: number,
  { offlineMaintenance, ignoreNonRedundant }: RebootOptions,
): boolean {
  const { diskTemplate, secondary } = instances[i]!;
  if (offlineMaintenance || !isRunning(instances[i]!)) return true;
  const mirroring = mirroringOf(diskTemplate);
  const hasOther =
    mirroring === 'external' || (mirroring === 'internal' && nodes[secondary]?.isOffline === false);
  return ignoreNonRedundant && !hasOther;
}

/** Instances that are on nodes which are about to be rebooted, and must not be. */
function leftBehind({ away, nodes, goDown }: RollingRound, options: RebootOptions): readonly PlanFault[] {
  const isDown = new Set(nodes);
  const said = new Set(goDown);
  return away.instances.flatMap((instance, i): PlanFault[] => {
    const isThere = isDown.has(instance.primary);
    // As with most of a large cluster.
    if (!isThere && !said.has(i)) return [];
    const fault = (message: string): PlanFault => ({
      step: 0,
      rule: 'left-behind',
      message: `${instance.alias} ${message}`,
    });
    if (!isThere) return [fault('does not go down')];
    if (!mayBeThere(away, i, options)) return [fault('is still there')];
    return isRunning(instance) && !said.has(i) ? [fault('goes down, and nobody says so')] : [];
  });
}

const replayed = (
  checker: PlanChecker,
  { start, steps, isForced }: Passage,
  more: Partial<PlanLimits>,
): readonly PlanFault[] =>
  checker.check(unscoredPlan(start, steps, { ignoreSoftErrors: isForced, diskMoves: true, ...more }));

/** Checks one round after the other: mostly all come back, and the next one starts where this one did. */
export class RoundChecker {
  private last: PlanChecker | undefined;

  constructor(private readonly options: RebootOptions) {}

  /** What is wrong with a round; empty = it is right. */
  faults(round: RollingRound): readonly PlanFault[] {
    const { nodes, leave, comeBack } = round;
    const moved = leave.steps.map(({ instance }) => instance);
    this.last = this.from(leave.start);
    return [
      ...replayed(this.last, leave, { requestedInstances: moved, closedNodes: nodes }),
      ...leftBehind(round, this.options),
      ...(comeBack ? replayed(this.from(comeBack.start), comeBack, { requestedInstances: moved }) : []),
    ];
  }

  /** With the nodes that have not changed since the last round began. */
  private from(start: Snapshot): PlanChecker {
    const built = this.last?.built;
    if (built?.replica.start === start) return this.last!;
    return new PlanChecker(start, built && knownNodes(built, start));
  }
}
