/** The account of an answer, for who asks for it: `-v` on standard error, `--explain` in a file. */
import { Fault } from '../../../kit/faults.ts';
import { printErr } from '../../../kit/report/output.ts';
import { warning } from '../../../kit/report/tone.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { ClusterState } from '../../model/state/state.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import type { Answer } from '../../planners/answer/answer.ts';
import type { AnswerDocument } from './answer-document.ts';
import type { AnswerTrace } from './explanation.ts';

/** Only who asks for an account pays for keeping it. */
export async function traceFor(
  options: ProgramOptions<'hail'>,
  state: ClusterState,
): Promise<AnswerTrace | undefined> {
  if (options.explainFile === undefined && options.verbosity <= 1) return undefined;
  const { AllocationTrace } = await import('../../planners/allocate/choose/allocation-trace.ts');
  const { EvacuationTrace } = await import('../../planners/evacuate/evacuation-trace.ts');
  return { allocations: new AllocationTrace(state), evacuations: new EvacuationTrace(state) };
}

export async function explain(
  options: ProgramOptions<'hail'>,
  snapshot: Snapshot,
  requestType: string,
  answer: Answer,
  document: AnswerDocument,
  trace: AnswerTrace,
): Promise<void> {
  const { explanation, refusalLines } = await import('./explanation.ts');
  if (options.verbosity > 1) printErr(refusalLines(snapshot, trace));
  if (options.explainFile === undefined) return;
  const { replaceFile } = await import('../../../kit/files/replace-file.ts');
  const { jsonText } = await import('../../../kit/report/json.ts');
  const stranded = answer.kind === 'evacuation' ? answer.elsewhere?.stranded : undefined;
  try {
    replaceFile(options.explainFile, jsonText(explanation(snapshot, requestType, document, stranded, trace)));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    // The answer stands: Ganeti would take an exit status for a broken allocator.
    printErr(warning(error.message));
  }
}
