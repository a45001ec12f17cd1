/**
 * How the programs that move instances between groups begin: an execution that goes on, questions, or the
 * work itself.
 */
import { prepareExecution } from '../execute/execution-words.ts';
import { hasQuestions } from '../questions/has-questions.ts';
import { type GroupWork, type GroupWorkOptions, loadGroupWork } from './between-groups.ts';

type Program = 'hcompress' | 'hredist' | 'hspread';

/**
 * Continues what `--resume` names, answers questions, or loads the cluster and does the work.
 * @param check what else the options must not say; throws a Fault
 * @returns the exit status
 */
export async function beginGroupWork(
  program: Program,
  options: GroupWorkOptions,
  work: (loaded: GroupWork) => Promise<number>,
  check: () => void = () => {},
): Promise<number> {
  if (options.resume !== undefined)
    return (await import('../execute/carry-out.ts')).resume(program, options, options.json);
  check();
  await prepareExecution(options);
  const loaded = await loadGroupWork(options);
  if (!hasQuestions(options)) return work(loaded);
  const { askGroups } = await import('./why-groups.ts');
  await askGroups(program, { ...loaded, options });
  return 0;
}
