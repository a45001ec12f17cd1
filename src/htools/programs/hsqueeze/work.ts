/** hsqueeze's plan as jobs, in stock's order: nodes go off after the moves, and on before them. */
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { NodeJob } from '../../ganeti/execution/work.ts';
import { jobSets, stepJobs } from '../../plan/jobs.ts';
import { addTags, powerCommand, setOffline } from '../../plan/opcodes.ts';
import type { Squeeze } from '../../planners/maintain/squeeze/squeeze.ts';
import { TO_THE_END, withSwitched } from '../../planners/maintain/squeeze/switched.ts';
import type { PlanToCarryOut } from '../shared/execute/carry-out.ts';
import { STANDBY_TAG } from './commands.ts';

type Sets = PlanToCarryOut['sets'];

/** @param loaded the cluster as read @param snapshot with the command line's say, as the plan saw it */
export function workOfSqueeze(
  loaded: Snapshot,
  snapshot: Snapshot,
  { action, nodes, result: after }: Squeeze,
): PlanToCarryOut {
  const result = after();
  const limits = { ignoreSoftErrors: false, diskMoves: TO_THE_END.diskMoves };
  if (!result) return { loaded, start: snapshot, sets: [], limits };
  const isOnline = action === 'online';
  const names = nodes.map((n) => snapshot.nodes[n]!.name);
  const jobOf = (kind: NodeJob['action'], some: readonly string[], opcodes: NodeJob['opcodes']): NodeJob => ({
    action: kind,
    nodes: some.map((name) => ({ name, isOffline: isOnline })),
    mayHold: [],
    opcodes,
    copyMib: 0,
  });
  const steps = result.groups.flatMap((group) => group.steps);
  const moves: Sets = stepJobs(jobSets(result.start, steps));
  const command = isOnline ? 'power-on' : 'power-off';
  const marks = names.map((name) => setOffline(name, !isOnline));
  const switching = powerCommand(names, command);
  // The master resets no mark of a node that it knows to be without power.
  const power = jobOf(command, names, isOnline ? [switching, ...marks] : [...marks, switching]);
  const tags = names.map((name) => [jobOf('tag', [name], [addTags('node', name, [STANDBY_TAG])])]);
  const doing = `${isOnline ? 'expanding' : 'condensing'} by ${nodes.length} nodes`;
  // Nodes are as they were while the moves run: instances migrate off them, those switched on are online.
  const start = isOnline ? result.start : snapshot;
  const common = { loaded: isOnline ? withSwitched(loaded, nodes, false) : loaded, start, limits, doing };
  if (isOnline) return { ...common, sets: [...(nodes.length > 0 ? [[power]] : []), ...moves] };
  return { ...common, sets: [...moves, ...tags, [power]], switchedOff: names };
}
