/**
 * What the programs that work across groups share: loading, replaying their plans, commands, saved states.
 */

import { replaceFile } from '../../../../kit/files/replace-file.ts';
import { printErr, printOut } from '../../../../kit/report/output.ts';
import { Progress } from '../../../../kit/report/progress.ts';
import { warning } from '../../../../kit/report/tone.ts';
import { wrapped } from '../../../../kit/report/wrap.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { splitInstances } from '../../../model/state/scope.ts';
import { ClusterState } from '../../../model/state/state.ts';
import type { ProgramOptions } from '../../../options/command-options.ts';
import { SuperCluster } from '../../../planners/groups/homes/super-cluster.ts';
import type { PlanFacts } from '../../../planners/groups/relocate/plan-facts.ts';
import { nodesOf, type Relocation } from '../../../planners/groups/relocate/relocation.ts';
import {
  planOf,
  type RelocationLimits,
  snapshotAfter,
} from '../../../planners/groups/relocate/relocation-plan.ts';
import { loadCluster, withNodeOptions } from '../cluster/load-cluster.ts';
import { saveState } from '../cluster/save-states.ts';
import type { Executed } from '../execute/carry-out.ts';
import { nodesJson } from '../listings/json.ts';
import { reportWhatIf, type WhatIfMember } from '../questions/report-what-if.ts';
import { assertPlan } from '../steps/assert-plan.ts';
import { printedCommandSets, scriptOfCommands, scriptWritten } from '../steps/script.ts';
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
  /** The cluster as it was read, and the same with the command line's say about nodes. */
  readonly loaded: Snapshot;
  readonly snapshot: Snapshot;
  /** The member of the document that tells of changes in thought. */
  readonly whatIf: WhatIfMember;
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
  const whatIf = await reportWhatIf(snapshot, options);
  const selection = selectGroups(snapshot, options);
  const cluster = new SuperCluster(snapshot, { leftOut: selection.leftOut });
  if (options.verbosity > 0) for (const message of cluster.storage.warnings) printErr(warning(message));
  const split = splitInstances(snapshot).length;
  if (split > 0 && options.verbosity > 0)
    printErr(
      warning(
        `${split} instance(s) have their nodes in two groups; they move only off nodes that are emptied`,
      ),
    );
  return {
    options,
    loaded,
    snapshot,
    whatIf,
    cluster,
    selection,
    say,
    progress: new Progress(!options.json),
  };
}

/** Replays the plan step by step. @throws InternalError when the checker finds anything wrong */
export const assertReplay = (
  start: Snapshot,
  relocations: readonly Relocation[],
  limits: RelocationLimits,
): void => assertPlan(planOf(start, relocations, limits));

/**
 * Writes the script or returns the commands for standard output; saves the states where that is asked for.
 */
export function deliver({ options, snapshot, say }: GroupWork, plan: PlanFacts, suffix: string): void {
  const { printCommands: file, save, firstJobGroup } = options;
  const sets = commandSets(plan).slice(0, firstJobGroup ? 1 : undefined);
  if (file === STDOUT) {
    const heading = firstJobGroup ? 'First set of jobs:' : undefined;
    if (plan.moves.length > 0) say(printedCommandSets(sets, heading));
  } else if (file !== undefined) {
    replaceFile(file, scriptOfCommands(sets));
    say(scriptWritten(file));
  }
  const relocations = plan.moves.map(({ relocation }) => relocation);
  saveState(save, 'original', 'before the moves', () => snapshot);
  saveState(save, suffix, 'after the moves', () => snapshotAfter(snapshot, relocations));
}

/** What to do next, where there are moves that are not carried out at once. */
export function nextSteps({ exec, printCommands, verbosity }: GroupWorkOptions): string {
  if (exec || verbosity < 1) return '';
  // The same words whatever the source is: a cluster reads the same over every way.
  if (printCommands === undefined)
    return wrapped(
      '',
      'Nothing has been changed. To carry this out, run again with -C for the commands, with -CFILE for a script, or on the master node with -L -X.',
    );
  return printCommands === STDOUT
    ? wrapped(
        '',
        'Nothing has been changed. Run the commands set by set; jobs of one set may run in parallel.',
      )
    : `Nothing has been changed. Read the script, then run it: sh ${printCommands}\n`;
}

/**
 * Carries the moves out where the command line asks for it.
 * @throws ExecutionError when there is no master to carry them out
 */
export async function executeMoves(
  program: string,
  { options, loaded, snapshot, say }: GroupWork,
  plan: PlanFacts | undefined,
  diskMoves: boolean,
): Promise<Executed> {
  if (!options.exec || plan === undefined) return {};
  const { carryOut } = await import('../execute/carry-out.ts');
  const sets = plan.jobSets
    .slice(0, options.firstJobGroup ? 1 : undefined)
    .map((set) => set.map(({ relocation }) => ({ steps: relocation.steps, nodes: nodesOf(relocation) })));
  const limits = { ignoreSoftErrors: false, diskMoves };
  return carryOut(program, options, { loaded, start: snapshot, sets, limits }, say);
}

/**
 * What each move does, as `--explain` says it, as the document has it, and as the page shows it, asked or
 * not; the code is loaded only then.
 * @param emptied groups that the plan empties
 */
export async function explanationOf(
  work: GroupWork,
  plan: PlanFacts | undefined,
  emptied: readonly number[] = [],
) {
  const { explainSteps: isAsked, html } = work.options;
  if (!plan || (!isAsked && html === undefined)) return { text: '', document: {}, page: {} };
  const { explainMoves } = await import('./explain-moves.ts');
  const { text, explanation } = explainMoves(work, plan, emptied);
  return { text: isAsked ? text : '', document: isAsked ? { explanation } : {}, page: { explanation } };
}

/** Nodes before the moves and after them, for `--html`. */
export function nodesAround({ snapshot }: GroupWork, plan: PlanFacts | undefined) {
  const all = [...snapshot.nodes.keys()];
  const relocations = (plan?.moves ?? []).map(({ relocation }) => relocation);
  return {
    // Not the planners' state: they leave it as their moves have made it.
    before: nodesJson(new ClusterState(snapshot), all),
    after: nodesJson(new ClusterState(snapshotAfter(snapshot, relocations)), all),
  };
}

/** The document of a program with what was changed in thought and what became of its plan. */
export const wholeDocument = <D extends object>({ whatIf }: GroupWork, document: D, { facts }: Executed) => ({
  ...document,
  ...whatIf,
  ...(facts && { execution: facts }),
});
