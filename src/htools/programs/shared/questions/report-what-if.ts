/** Changes in thought and questions: what programs that do not ask for them load, too. */
import { printErr, printOut } from '../../../../kit/report/output.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import type { SomeOptions } from '../../../options/command-options.ts';
import type { Difference } from '../../../results/parts/explanation.ts';

export type WhatIfMember = { readonly whatIf?: Difference | Pick<Difference, 'edits'> };

/** Prints the difference first, on stderr where stdout is for scripts. @returns the document's member */
export async function reportWhatIf(
  snapshot: Snapshot,
  options: SomeOptions<'diff' | 'json' | 'machineReadable'>,
): Promise<WhatIfMember> {
  const { whatIf } = snapshot;
  if (!whatIf) return {};
  if (!options.diff) return { whatIf: { edits: whatIf.edits } };
  const { differenceOf } = await import('../../../explain/difference.ts');
  const difference = differenceOf(snapshot);
  if (!options.json) {
    const { differenceText } = await import('./difference-text.ts');
    (options.machineReadable ? printErr : printOut)(differenceText(difference));
  }
  return { whatIf: difference };
}

/** Whether an answer is to be a document: programs with keys of their own have them for their plans alone. */
export const isDocument = ({ json, machineReadable }: SomeOptions<'json' | 'machineReadable'>): boolean =>
  json === true || machineReadable === true;

export const hasQuestions = ({ why = [], tryMove = [] }: SomeOptions<'why' | 'tryMove'>): boolean =>
  why.length + tryMove.length > 0;
