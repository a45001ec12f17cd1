/** hsqueeze's plan as commands (byte contract) and as jobs: nodes go off after the moves, on before them. */
import type { Snapshot } from '../../cluster/snapshot.ts';
import { STANDBY_TAG } from '../../cluster/tags/tags.ts';
import { inUseJobs, nodeJob, powerJobs } from '../../ganeti/execution/work.ts';
import { jobSets, stepJobs } from '../../plan/jobs.ts';
import { addTags } from '../../plan/opcodes.ts';
import { shellWord } from '../../plan/shell-word.ts';
import type { Squeeze } from '../../planners/maintain/squeeze/squeeze.ts';
import { type SwitchedCluster, TO_THE_END, withSwitched } from '../../planners/maintain/squeeze/switched.ts';
import type { PlanToCarryOut } from '../shared/execute/carry-out.ts';
import { commandsOf, jobSetLines, type ScriptLine } from '../shared/steps/script.ts';

export const setsOf = ({ start, groups }: SwitchedCluster): ReturnType<typeof jobSets> =>
  jobSets(
    start,
    groups.flatMap(({ steps }) => steps),
  );

/** Unlike hbal, the stock program calls instances by their full names here. */
const withFullNames = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  instances: snapshot.instances.map((instance) => ({ ...instance, alias: instance.name })),
});

/** The lines of the script; none when there is nothing to do. */
export function commandLines(
  snapshot: Snapshot,
  { action, nodes, result: after }: Squeeze,
): readonly ScriptLine[] {
  const result = after();
  if (!result) return [];
  const moves = jobSetLines(commandsOf(withFullNames(result.start), setsOf(result)));
  const perNode = (command: (name: string) => string): string[] =>
    nodes.map((n) => `  gnt-node ${command(shellWord(snapshot.nodes[n]!.alias))}`);
  const power = [
    'echo Power Commands',
    ...perNode((name) => `power -f ${action === 'offline' ? 'off' : 'on'} ${name}`),
  ];
  return action === 'online'
    ? [...power, ...moves]
    : [
        ...moves,
        '',
        'echo Tagging Commands',
        ...perNode((name) => `add-tags ${name} ${STANDBY_TAG}`),
        '',
        ...power,
      ];
}

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
  const moves = stepJobs(setsOf(result));
  const power = powerJobs(names, isOnline ? 'power-on' : 'power-off');
  const tags = names.map((name) => [nodeJob('tag', name, false, [addTags('node', name, [STANDBY_TAG])])]);
  const doing = `${isOnline ? 'expanding' : 'condensing'} by ${nodes.length} nodes`;
  // Nodes are as they were while the moves run: instances migrate off them, those switched on are online.
  const start = isOnline ? result.start : snapshot;
  const common = { loaded: isOnline ? withSwitched(loaded, nodes, false) : loaded, start, limits, doing };
  const inUse = inUseJobs(nodes.map((n) => loaded.nodes[n]!));
  if (isOnline) return { ...common, sets: [power, inUse, ...moves].filter((set) => set.length > 0) };
  return { ...common, sets: [...moves, ...tags, power], switchedOff: names };
}
