/** What the programs between groups work on: a loaded cluster, and how to talk about it. */
import { ExecutionError } from '../../../../kit/faults.ts';
import { printErr, printOut } from '../../../../kit/report/output.ts';
import { Progress } from '../../../../kit/report/progress.ts';
import { warning } from '../../../../kit/report/tone.ts';
import { count } from '../../../../kit/text/words.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { withHandsOff } from '../../../cluster/tags/hands-off.ts';
import { groupsCalled, groupsWithNodes, splitInstances } from '../../../model/state/scope.ts';
import type { ProgramOptions, TheseOptions } from '../../../options/command-options.ts';
import { SuperCluster } from '../../../planners/groups/homes/super-cluster.ts';
import { ratesOf } from '../balance/price-rates.ts';
import { loadCluster, withNodeOptions } from '../cluster/load-cluster.ts';
import { reportWhatIf } from '../questions/report-what-if.ts';

export type GroupProgram = 'hcompress' | 'hredist' | 'hspread';

export type GroupWorkOptions =
  | ProgramOptions<'hcompress'>
  | ProgramOptions<'hredist'>
  | ProgramOptions<'hspread'>;

export type GroupWork<Options extends GroupWorkOptions = GroupWorkOptions> = Awaited<
  ReturnType<typeof loadGroupWork<Options>>
>;

/**
 * The one group to work on, undefined for all, and those that are left out.
 * @throws ExecutionError for names that do not name one group with nodes, or a left-out group to work on
 */
function selectGroups(
  snapshot: Snapshot,
  { group, selectGroups: wanted, excludeGroups }: TheseOptions<'group' | 'selectGroups' | 'excludeGroups'>,
) {
  const inhabited = groupsWithNodes(snapshot);
  const faults: string[] = [];
  const remedies = new Set<string>();
  const positions = (option: string, names: readonly string[]): readonly number[] =>
    names.flatMap((name) => {
      const found = groupsCalled(snapshot, name).filter((group) => inhabited.includes(group));
      if (found.length === 0) {
        faults.push(`--${option}: there is no node group with nodes of the name '${name}'`);
        const there = inhabited.map((group) => snapshot.groups[group]!.name);
        remedies.add(`one of these was meant: ${there.join(', ')}`);
      } else if (found.length > 1) {
        faults.push(`--${option}: there are several node groups of the name '${name}'`);
        remedies.add('name it by its UUID');
      }
      return found;
    });
  const [only] = positions('group', group === undefined ? [] : [group]);
  const selected = new Set(positions('select-groups', wanted));
  const leftOut = new Set(positions('exclude-groups', excludeGroups));
  if (faults.length > 0) throw new ExecutionError(faults.join('\n'), [...remedies].join('; '));
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

/** Loads the cluster, as it was read and with the command line's say. @throws a Fault without a cluster */
export async function loadGroupWork<Options extends GroupWorkOptions>(
  program: GroupProgram,
  options: Options,
) {
  const say: (text: string) => void = options.json || options.machineReadable ? () => {} : printOut;
  const loaded = await loadCluster(options);
  const asRead = withHandsOff(withNodeOptions(loaded, options));
  const whatIf = await reportWhatIf(asRead, options);
  const selection = selectGroups(asRead, options);
  const { leftOut } = selection;
  const cluster = new SuperCluster(asRead, { leftOut, rates: ratesOf(options) });
  const { snapshot } = cluster;
  const split = splitInstances(snapshot).length;
  if (split > 0 && options.verbosity > 0)
    printErr(
      warning(`${count(split, 'instance')} with nodes in two groups: moved only off nodes that are emptied`),
    );
  const progress = new Progress(!options.json);
  return { program, options, loaded, snapshot, whatIf, cluster, selection, say, progress };
}
