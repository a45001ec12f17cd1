/** The maintenance as jobs, up to the round of the master node, which cannot reboot itself. */
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { NodeJob } from '../../ganeti/execution/work.ts';
import { jobSets, stepJobs } from '../../plan/jobs.ts';
import { powercycle } from '../../plan/opcodes.ts';
import type { Passage, RollingPlan, RollingRound } from '../../planners/maintain/roll/rolling.ts';
import type { PlanToCarryOut } from '../shared/execute/carry-out.ts';

type Sets = PlanToCarryOut['sets'];

const setsOf = ({ start, steps }: Passage): Sets => stepJobs(jobSets(start, steps));

const rebootsOf = (
  snapshot: Snapshot,
  { nodes, goDown }: RollingRound,
  command: string | undefined,
): Sets[number] =>
  nodes.map((n): NodeJob => {
    const { name, isOffline } = snapshot.nodes[n]!;
    return {
      action: 'reboot',
      nodes: [{ name, isOffline }],
      mayHold: goDown.map((i) => snapshot.instances[i]!.name),
      opcodes: command === undefined ? [powercycle(name)] : [],
      ...(command === undefined ? {} : { command }),
      copyMib: 0,
    };
  });

/** @param command program that reboots a node, in place of a job */
export function workOfPlan(
  loaded: Snapshot,
  snapshot: Snapshot,
  { rounds }: RollingPlan,
  command: string | undefined,
): PlanToCarryOut {
  const roundStarts: number[] = [];
  const sets: Sets[number][] = [];
  for (const round of rounds) {
    if (round.nodes.some((n) => snapshot.nodes[n]!.isMaster)) break;
    roundStarts.push(sets.length);
    sets.push(...setsOf(round.leave), rebootsOf(loaded, round, command));
    if (round.comeBack) sets.push(...setsOf(round.comeBack));
  }
  const isForced = rounds.some(({ leave, comeBack }) => leave.isForced || comeBack?.isForced === true);
  return {
    loaded,
    start: snapshot,
    sets,
    roundStarts,
    limits: { ignoreSoftErrors: isForced, diskMoves: true },
    doing: 'rolling maintenance by',
  };
}
