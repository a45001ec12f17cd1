/**
 * The maintenance as shell commands (`--plan -C`): job sets, reboots that are waited for, job sets; and as
 * jobs, up to the round of the master node, which cannot reboot itself.
 */
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { NodeJob } from '../../ganeti/execution/work.ts';
import { jobSets, stepJobs } from '../../plan/jobs.ts';
import { powercycle } from '../../plan/opcodes.ts';
import { shellWord } from '../../plan/shell-word.ts';
import type { Passage } from '../../planners/maintain/roll/leaving.ts';
import type { RollingPlan, RollingRound } from '../../planners/maintain/roll/rolling.ts';
import type { PlanToCarryOut } from '../shared/execute/carry-out.ts';
import { CHECK, changeLine, commandsOf, type JobCommands, type ScriptLine } from '../shared/steps/script.ts';

/** How a script reboots nodes and waits for them: each must answer as another system than before. */
export const rebootFunction = (command: string | undefined, timeoutSeconds: number): string => `boot_id() {
  gnt-node list --no-headers -o bootid "$1" 2>/dev/null | tr -d ' ?'
}

reboot_nodes() {
  ids=
  for node in "$@"; do
    id=$(boot_id "$node")
    ids="$ids \${id:-none}"
  done
  for node in "$@"; do ${command === undefined ? 'gnt-node powercycle --yes' : shellWord(command)} "$node"; done
  end=$(($(date +%s) + ${Math.ceil(timeoutSeconds)}))
  for node in "$@"; do
    ids=\${ids# }
    before=\${ids%% *}
    ids=\${ids#"$before"}
    while id=$(boot_id "$node"); [ -z "$id" ] || [ "$id" = "$before" ]; do
      if [ "$(date +%s)" -ge "$end" ]; then
        echo "$node does not come back"
        exit 1
      fi
      sleep 10
    done
  done
}

`;

/** Sets of jobs with numbers that go on over the rounds. */
const setLines = (sets: readonly (readonly JobCommands[])[], before: number): readonly ScriptLine[] =>
  sets.flatMap((set, s) => [
    `echo jobset ${before + s + 1}, ${set.length} jobs`,
    ...set.flatMap((commands, j) => [`  echo job ${before + s + 1}/${j + 1}`, ...commands.map(changeLine)]),
  ]);

/** The reboots as plain commands, for who runs them by hand. */
export const rebootCommands =
  (command: string | undefined) =>
  (names: readonly string[]): readonly string[] => [
    ...names.map(
      (name) => `  ${command === undefined ? 'gnt-node powercycle --yes' : shellWord(command)} ${name}`,
    ),
    `  # wait until ${names.length === 1 ? 'it is' : 'they are'} back`,
  ];

/** Lines of the maintenance. The stop file is looked for ahead of each round: none is left half done. */
export function planLines(
  snapshot: Snapshot,
  { rounds }: RollingPlan,
  reboot: (names: readonly string[]) => readonly string[],
): readonly ScriptLine[] {
  let sets = 0;
  const numbered = (passage: Passage | undefined): readonly ScriptLine[] => {
    if (!passage) return [];
    const own = commandsOf(snapshot, jobSets(snapshot, passage.steps));
    sets += own.length;
    return setLines(own, sets - own.length);
  };
  return rounds.flatMap((round, at) => {
    const names = round.nodes.map((n) => shellWord(snapshot.nodes[n]!.name));
    return [
      '',
      `echo round ${at + 1} of ${rounds.length}`,
      CHECK,
      ...numbered(round.leave),
      `echo rebooting ${names.join(' ')}`,
      ...reboot(names),
      ...numbered(round.comeBack),
    ];
  });
}

type Sets = PlanToCarryOut['sets'];

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
  const setsOf = ({ steps }: Passage): Sets => stepJobs(jobSets(snapshot, steps));
  const roundStarts: number[] = [];
  const sets: Sets[number][] = [];
  const masters = rounds.findIndex(({ nodes }) => nodes.some((n) => snapshot.nodes[n]!.isMaster));
  const own = masters < 0 ? rounds : rounds.slice(0, masters);
  for (const round of own) {
    roundStarts.push(sets.length);
    sets.push(...setsOf(round.leave), rebootsOf(loaded, round, command));
    if (round.comeBack) sets.push(...setsOf(round.comeBack));
  }
  const isForced = own.some(({ leave, comeBack }) => leave.isForced || comeBack?.isForced === true);
  return {
    loaded,
    start: snapshot,
    sets,
    roundStarts,
    limits: { ignoreSoftErrors: isForced, diskMoves: true },
    doing: 'rolling maintenance by',
  };
}
