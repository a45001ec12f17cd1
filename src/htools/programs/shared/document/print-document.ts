/** Prints documents about clusters in the form that the command line asks for. */
import type { Fault } from '../../../../kit/faults.ts';
import { printOut } from '../../../../kit/report/output.ts';
import { documentIn } from '../../../../kit/results/document-text.ts';
import type { SomeOptions } from '../../../options/command-options.ts';
import type { ExecutionFacts } from '../../../results/parts/execution.ts';
import type { AnyDocument } from '../metrics/all.ts';

export type { AnyDocument };

export async function printDocument(
  { format }: SomeOptions<'format'>,
  document: AnyDocument,
  isWell = true,
): Promise<void> {
  const loadFigures = async () => (await import('../metrics/all.ts')).familiesOf;
  printOut(await documentIn(format, document, loadFigures, isWell));
}

export interface Executed {
  /** For a JSON document; undefined when nothing was to be carried out. */
  readonly facts?: ExecutionFacts | undefined;
  /** What the program ends with, once it has told the rest. */
  readonly fault?: Fault | undefined;
  /** It was gone on with without some of its jobs, which are told. */
  readonly isLess?: boolean;
}

/** The same of a plan, with how it was carried out. @throws the fault that ended that */
export async function printPlan(
  options: SomeOptions<'format' | 'json'>,
  { facts, fault }: Executed,
  document: () => AnyDocument,
): Promise<void> {
  if (options.json) {
    const all = { ...document(), ...(facts && { execution: facts }) } as AnyDocument;
    await printDocument(options, all, fault === undefined);
  }
  if (fault) throw fault;
}
