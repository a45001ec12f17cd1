/** What the programs between groups work on: a loaded cluster, and how to talk about it. */
import { ExecutionError } from '../../../../kit/faults.ts';
import { printErr, printOut } from '../../../../kit/report/output.ts';
import { Progress } from '../../../../kit/report/progress.ts';
import { warning } from '../../../../kit/report/tone.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { leftAlone } from '../../../cluster/tags/hands-off.ts';
import { groupsCalled, groupsWithNodes, splitInstances } from '../../../model/state/scope.ts';
import type { ProgramOptions, TheseOptions } from '../../../options/command-options.ts';
import { SuperCluster } from '../../../planners/groups/homes/super-cluster.ts';
import { ratesOf } from '../balance/price-rates.ts';
import { loadCluster, withNodeOptions } from '../cluster/load-cluster.ts';
import { reportWhatIf, type WhatIfMember } from '../questions/report-what-if.ts';

export type GroupProgram = 'hcompress' | 'hredist' | 'hspread';

export type GroupWorkOptions =
  | ProgramOptions<'hcompress'>
  | ProgramOptions<'hredist'>
  | ProgramOptions<'hspread'>;

export interface GroupWork<Options extends GroupWorkOptions = GroupWorkOptions> {
  readonly program: GroupProgram;
  readonly options: Options;
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

interface GroupSelection {
  /** The one group to work on; undefined = all. */
  readonly only: number | undefined;
  readonly leftOut: ReadonlySet<number>;
}

/**
 * By option the positions of the groups that it names. @throws ExecutionError with all names of no group with
 * nodes, or of several
 */
function positionsOf<Option extends string>(
  snapshot: Snapshot,
  named: Readonly<Record<Option, readonly string[]>>,
): Record<Option, number[]> {
  const inhabited = groupsWithNodes(snapshot);
  const isThere = new Set(inhabited);
  const faults: string[] = [];
  let isUnknown = false;
  const found = (option: string, names: readonly string[]): number[] => {
    const each = names.map((name) => groupsCalled(snapshot, name).filter((group) => isThere.has(group)));
    const blame = (what: string, isWrong: (count: number) => boolean): boolean => {
      const wrong = names.filter((_, at) => isWrong(each[at]!.length));
      if (wrong.length > 0) faults.push(`--${option}: ${what} of the name '${wrong.join("', '")}'`);
      return wrong.length > 0;
    };
    if (blame('there is no node group with nodes', (count) => count === 0)) isUnknown = true;
    blame('there are several node groups', (count) => count > 1);
    return each.flat();
  };
  const entries = Object.entries<readonly string[]>(named).map(([option, names]) => [
    option,
    found(option, names),
  ]);
  if (faults.length === 0) return Object.fromEntries(entries);
  const there = inhabited.map((group) => snapshot.groups[group]!.name).join(', ');
  throw new ExecutionError(
    faults.join('\n'),
    isUnknown ? `one of these was meant: ${there}` : 'name it by its UUID',
  );
}

/** @throws ExecutionError for names that do not name one group with nodes, or a left-out group to work on */
function selectGroups(
  snapshot: Snapshot,
  { group, selectGroups: wanted, excludeGroups }: TheseOptions<'group' | 'selectGroups' | 'excludeGroups'>,
): GroupSelection {
  const named = positionsOf(snapshot, {
    group: group === undefined ? [] : [group],
    'select-groups': wanted,
    'exclude-groups': excludeGroups,
  });
  const [only] = named.group;
  const selected = new Set(named['select-groups']);
  const leftOut = new Set(named['exclude-groups']);
  const inhabited = groupsWithNodes(snapshot);
  if (selected.size > 0) for (const other of inhabited) if (!selected.has(other)) leftOut.add(other);
  if (leftOut.size > 0 && leftOut.size === inhabited.length)
    throw new ExecutionError(
      '--select-groups and --exclude-groups leave no node group',
      'select one that is not excluded',
    );
  if (only !== undefined && leftOut.has(only))
    throw new ExecutionError(
      `--group names ${snapshot.groups[only]!.name}, which takes no part`,
      'leave it out of --exclude-groups, or add it to --select-groups',
    );
  return { only, leftOut };
}

/** Loads the cluster and says what there is. @throws a Fault when there is no cluster to be had */
export async function loadGroupWork<Options extends GroupWorkOptions>(
  program: GroupProgram,
  options: Options,
): Promise<GroupWork<Options>> {
  const say = options.json || options.machineReadable ? () => {} : printOut;
  const loaded = await loadCluster(options);
  const snapshot = withNodeOptions(loaded, options);
  const whatIf = await reportWhatIf(snapshot, options);
  const selection = selectGroups(snapshot, options);
  const { leftOut } = selection;
  const cluster = new SuperCluster(snapshot, {
    leftOut,
    alone: leftAlone(snapshot),
    rates: ratesOf(options),
  });
  const split = splitInstances(snapshot).length;
  if (split > 0 && options.verbosity > 0)
    printErr(
      warning(
        `${split} instance(s) have their nodes in two groups; they move only off nodes that are emptied`,
      ),
    );
  return {
    program,
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
