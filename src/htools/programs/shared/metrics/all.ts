/** The figures of each document about clusters, by its program. */
import type { Family } from '../../../../kit/report/prometheus.ts';
import type { CLUSTER_DOCUMENTS, ProgramDocument } from '../../../results/all.ts';
import { harepFamilies, hrollerFamilies, hspaceFamilies, hsqueezeFamilies } from './capacity.ts';
import { hbalFamilies, hcheckFamilies, hinfoFamilies, hscanFamilies } from './clusters.ts';
import { hcompressFamilies, hredistFamilies, hspreadFamilies } from './groups.ts';

type Programs = Exclude<keyof typeof CLUSTER_DOCUMENTS, 'hail' | 'hail-explanation' | 'hbal-history'>;

export type AnyDocument = { [P in Programs]: ProgramDocument<P> }[Programs];

const FAMILIES: { readonly [P in Programs]: (document: ProgramDocument<P>) => readonly Family[] } = {
  harep: harepFamilies,
  hbal: hbalFamilies,
  hcheck: hcheckFamilies,
  hcompress: hcompressFamilies,
  hinfo: hinfoFamilies,
  hredist: hredistFamilies,
  hroller: hrollerFamilies,
  hscan: hscanFamilies,
  hspace: hspaceFamilies,
  hspread: hspreadFamilies,
  hsqueeze: hsqueezeFamilies,
};

/** @param document as its `program` makes it */
export const familiesOf = (document: AnyDocument): readonly Family[] =>
  (FAMILIES[document.program] as (document: AnyDocument) => readonly Family[])(document);
