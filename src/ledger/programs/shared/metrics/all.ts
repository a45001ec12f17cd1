/** The figures of each document about ledgers, by its program. */
import type { Family } from '../../../../kit/report/prometheus.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import type { LEDGER_DOCUMENTS } from '../../../results/all.ts';
import { hcandFamilies, hclaimFamilies } from './ledger.ts';
import { hbindFamilies } from './pods.ts';

type Programs = Exclude<keyof typeof LEDGER_DOCUMENTS, 'hclaim-change'>;
type OfProgram<P extends Programs> = DocumentOf<(typeof LEDGER_DOCUMENTS)[P]['schema']>;

/** A document of any program that prints one. */
export type AnyDocument = { [P in Programs]: OfProgram<P> }[Programs];

const FAMILIES: { readonly [P in Programs]: (document: OfProgram<P>) => readonly Family[] } = {
  hbind: hbindFamilies,
  hcand: hcandFamilies,
  hclaim: hclaimFamilies,
};

/** @param document as its `program` makes it */
export const familiesOf = (document: AnyDocument): readonly Family[] =>
  (FAMILIES[document.program] as (document: AnyDocument) => readonly Family[])(document);
