/** How programs between groups begin: going on with an execution, questions, or a loaded cluster. */
import { printErr, printOut } from '../../../../kit/report/output.ts';
import { Progress } from '../../../../kit/report/progress.ts';
import { fitTables } from '../../../../kit/report/report-table.ts';
import { warning } from '../../../../kit/report/tone.ts';
import { splitInstances } from '../../../model/state/scope.ts';
import { SuperCluster } from '../../../planners/groups/homes/super-cluster.ts';
import { ratesOf } from '../balance/price-rates.ts';
import { assertSearchLimits } from '../balance/search-limits.ts';
import { loadCluster, withNodeOptions } from '../cluster/load-cluster.ts';
import { onRecord } from '../execute/on-record.ts';
import { prepareExecution } from '../execute/prepare-execution.ts';
import { hasQuestions } from '../questions/has-questions.ts';
import { reportWhatIf } from '../questions/report-what-if.ts';
import { selectGroups } from './group-selection.ts';
import type { GroupProgram, GroupWork, GroupWorkOptions } from './group-work.ts';

/** Loads the cluster and says what there is. @throws a Fault when there is no cluster to be had */
async function loadGroupWork<Options extends GroupWorkOptions>(
  program: GroupProgram,
  options: Options,
): Promise<GroupWork<Options>> {
  const say = options.json || options.machineReadable ? () => {} : printOut;
  const loaded = await loadCluster(options);
  const snapshot = withNodeOptions(loaded, options);
  const whatIf = await reportWhatIf(snapshot, options);
  const selection = selectGroups(snapshot, options);
  const cluster = new SuperCluster(snapshot, { leftOut: selection.leftOut, rates: ratesOf(options) });
  if (options.verbosity > 0) for (const message of cluster.storage.warnings) printErr(warning(message));
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

/**
 * Continues what `--resume` names, answers questions, or loads the cluster and does the work.
 * @param check throws a Fault for what the options must not say beside words about a search not asked for
 * @returns the exit status
 */
export const beginGroupWork = <Options extends GroupWorkOptions>(
  program: GroupProgram,
  options: Options,
  work: (loaded: GroupWork<Options>) => Promise<number>,
  check?: () => void,
): Promise<number> => onRecord(program, options, () => run(program, options, work, check));

async function run<Options extends GroupWorkOptions>(
  program: GroupProgram,
  options: Options,
  work: (loaded: GroupWork<Options>) => Promise<number>,
  check: () => void = () => {},
): Promise<number> {
  if (options.resume !== undefined)
    return (await import('../execute/carry-out.ts')).resume(program, options, options.json);
  check();
  assertSearchLimits(options);
  await fitTables();
  await prepareExecution(options);
  const loaded = await loadGroupWork(program, options);
  if (!hasQuestions(options)) return work(loaded);
  const { askGroups } = await import('./why-groups.ts');
  await askGroups(loaded);
  return 0;
}
