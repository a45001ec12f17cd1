/** How programs between groups begin: going on with an execution, questions, or a loaded cluster. */
import { fitTables } from '../../../../kit/report/report-table.ts';
import { assertSearchLimits } from '../balance/search-limits.ts';
import { begin } from '../execute/begin.ts';
import { hasQuestions } from '../questions/report-what-if.ts';
import { type GroupProgram, type GroupWork, type GroupWorkOptions, loadGroupWork } from './group-work.ts';

/**
 * Continues what `--resume` names, answers questions, or loads the cluster and does the work.
 * @param check throws a Fault for what the options must not say
 */
export const beginGroupWork = <Options extends GroupWorkOptions>(
  program: GroupProgram,
  options: Options,
  work: (loaded: GroupWork<Options>) => Promise<number>,
  check: (options: Options) => void = () => {},
): Promise<number> =>
  begin(
    program,
    options,
    async () => {
      await fitTables();
      const loaded = await loadGroupWork(program, options);
      if (!hasQuestions(options)) return work(loaded);
      const { askGroups } = await import('./why-groups.ts');
      await askGroups(loaded);
      return 0;
    },
    () => {
      check(options);
      assertSearchLimits(options);
    },
  );
