/** What the programs that work across groups share: loading, replaying their plans, commands, saved states. */
import type { ProgramOptions } from '../../../cli/options/command-options.ts';
import { printErr, printOut } from '../../../cli/output.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { splitInstances } from '../../../model/state/scope.ts';
import { SuperCluster } from '../../../planners/groups/homes/super-cluster.ts';
import type { PlanFacts } from '../../../planners/groups/relocate/plan-facts.ts';
import type { Relocation } from '../../../planners/groups/relocate/relocation.ts';
import {
  planOf,
  type RelocationLimits,
  snapshotAfter,
} from '../../../planners/groups/relocate/relocation-plan.ts';
import { Progress } from '../../../report/progress.ts';
import { replaceFile } from '../../../sources/files/replace-file.ts';
import { loadCluster, withNodeOptions } from '../cluster/load-cluster.ts';
import { saveState } from '../cluster/save-states.ts';
import { assertPlan } from '../plan/assert-plan.ts';
import { printedCommandSets, scriptOfCommands, scriptWritten } from '../plan/script.ts';
import { type GroupSelection, selectGroups } from './group-selection.ts';
import { commandSets } from './move-lines.ts';

/** Name of a script "file" that stands for standard output. */
const STDOUT = '-';

/** The options that these programs have in common. */
export type GroupWorkOptions =
  | ProgramOptions<'hcompress'>
  | ProgramOptions<'hredist'>
  | ProgramOptions<'hspread'>;

/** A loaded cluster, and how to talk about it. */
export interface GroupWork {
  readonly options: GroupWorkOptions;
  readonly snapshot: Snapshot;
  readonly cluster: SuperCluster;
  readonly selection: GroupSelection;
  /** Says something unless a document or keys are asked for. */
  readonly say: (text: string) => void;
  readonly progress: Progress;
}

/** Loads the cluster and says what there is. @throws a Fault when there is no cluster to be had */
export async function loadGroupWork(options: GroupWorkOptions): Promise<GroupWork> {
  const say = options.json || options.machineReadable ? () => {} : printOut;
  const loaded = await loadCluster(options);
  const snapshot = withNodeOptions(loaded, options);
  const selection = selectGroups(snapshot, options);
  const cluster = new SuperCluster(snapshot, { leftOut: selection.leftOut });
  if (options.verbosity > 0)
    for (const warning of cluster.storage.warnings) printErr(`Warning: ${warning}\n`);
  const split = splitInstances(snapshot).length;
  if (split > 0 && options.verbosity > 0)
    printErr(
      `Warning: ${split} instance(s) have their nodes in two groups; they move only off nodes that are emptied\n`,
    );
  return { options, snapshot, cluster, selection, say, progress: new Progress(!options.json) };
}

/** Replays the plan step by step. @throws InternalError when the checker finds anything wrong */
export const assertReplay = (
  start: Snapshot,
  relocations: readonly Relocation[],
  limits: RelocationLimits,
): void => assertPlan(planOf(start, relocations, limits));

/** Writes the script or returns the commands for standard output; saves the states where that is asked for. */
export function deliver({ options, snapshot, say }: GroupWork, plan: PlanFacts, suffix: string): void {
  const { printCommands: file, save } = options;
  if (file === STDOUT) {
    if (plan.moves.length > 0) say(printedCommandSets(commandSets(plan)));
  } else if (file !== undefined) {
    replaceFile(file, scriptOfCommands(commandSets(plan)));
    say(scriptWritten(file));
  }
  const relocations = plan.moves.map(({ relocation }) => relocation);
  saveState(save, 'original', 'before the moves', () => snapshot);
  saveState(save, suffix, 'after the moves', () => snapshotAfter(snapshot, relocations));
}

/** What to do next, where there are moves. */
export const nextSteps = (options: GroupWorkOptions): string =>
  options.printCommands === undefined
    ? 'Nothing has been changed. To carry this out, run again with -C for the commands, or with -CFILE\n  for a script.\n'
    : options.printCommands === STDOUT
      ? 'Nothing has been changed. Run the commands set by set; jobs of one set may run side by side.\n'
      : `Nothing has been changed. Read the script, then run it: sh ${options.printCommands}\n`;
