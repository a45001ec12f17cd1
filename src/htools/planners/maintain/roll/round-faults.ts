/** The checker's word on rounds: each step of them, and what must be true while the nodes are down. */
import { isRunning } from '../../../cluster/instance-status.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { mirroringOf } from '../../../cluster/templates.ts';
import { PlanChecker, type PlanFault } from '../../../plan/checker/check.ts';
import type { Replica } from '../../../plan/checker/replica.ts';
import { type PlanLimits, unscoredPlan } from '../../../plan/plan.ts';
import type { RebootOptions } from '../reboot/reboot-rounds.ts';
import type { Passage } from './leaving.ts';
import type { RollingRound } from './rolling.ts';

/** Whether an instance may be on a node that is rebooted: it does not run, or the options let it go down. */
function mayBeThere(
  { start: { instances, nodes }, secondaryOf }: Replica,
  i: number,
  { offlineMaintenance, ignoreNonRedundant }: RebootOptions,
): boolean {
  if (offlineMaintenance || !isRunning(instances[i]!)) return true;
  const mirroring = mirroringOf(instances[i]!.diskTemplate);
  const hasOther =
    mirroring === 'external' || (mirroring === 'internal' && nodes[secondaryOf[i]!]?.isOffline === false);
  return ignoreNonRedundant && !hasOther;
}

/** Instances that are on nodes which are about to be rebooted, and must not be. */
function leftBehind(
  replica: Replica,
  { nodes, goDown }: RollingRound,
  options: RebootOptions,
): readonly PlanFault[] {
  const there = new Set(nodes.flatMap((n) => [...replica.nodes[n]!.primaries]));
  const said = new Set(goDown);
  return [...new Set([...there, ...said])].flatMap((i): PlanFault[] => {
    const instance = replica.start.instances[i]!;
    const fault = (message: string): PlanFault[] => [
      { step: 0, rule: 'left-behind', message: `${instance.alias} ${message}` },
    ];
    if (!there.has(i)) return fault('does not go down');
    if (!mayBeThere(replica, i, options)) return fault('is still there');
    return isRunning(instance) && !said.has(i) ? fault('goes down, and nobody says so') : [];
  });
}

/** Checks the rounds of a maintenance in their order, each from where the one before has ended. */
export class RoundChecker {
  private readonly checker: PlanChecker;

  constructor(
    snapshot: Snapshot,
    private readonly options: RebootOptions,
  ) {
    this.checker = new PlanChecker(snapshot);
  }

  /** What is wrong with the next round; empty = it is right. */
  faults(round: RollingRound): readonly PlanFault[] {
    const { nodes, leave, comeBack } = round;
    const requestedInstances = leave.steps.map(({ instance }) => instance);
    return [
      ...this.follow(leave, { requestedInstances, closedNodes: nodes }),
      ...leftBehind(this.checker.replica, round, this.options),
      ...(comeBack ? this.follow(comeBack, { requestedInstances }) : []),
    ];
  }

  private follow({ steps, isForced }: Passage, asked: Partial<PlanLimits>): readonly PlanFault[] {
    const limits = { ignoreSoftErrors: isForced, diskMoves: true, ...asked };
    return this.checker.follow(unscoredPlan(this.checker.replica.start, steps, limits));
  }
}
