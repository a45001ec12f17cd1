/** The figures of every document, by its program. */

import type { DOCUMENTS } from '../../../documents/all.ts';
import type { DocumentOf } from '../../../documents/parts/common.ts';
import { type Family, prometheusText } from '../../../report/prometheus.ts';
import {
  harepFamilies,
  hdiskFamilies,
  hrollerFamilies,
  hspaceFamilies,
  hsqueezeFamilies,
} from './capacity.ts';
import { hbalFamilies, hcheckFamilies, hinfoFamilies, hscanFamilies } from './clusters.ts';
import { hcompressFamilies, hredistFamilies, hspreadFamilies } from './groups.ts';
import { hcandFamilies, hclaimFamilies } from './ledger.ts';
import { hbindFamilies } from './pods.ts';

type Programs = Exclude<keyof typeof DOCUMENTS, 'hail' | 'hail-explanation' | 'hclaim-change'>;
type OfProgram<P extends Programs> = DocumentOf<(typeof DOCUMENTS)[P]['schema']>;

/** A document of any program that prints one. */
export type AnyDocument = { [P in Programs]: OfProgram<P> }[Programs];

const FAMILIES: { readonly [P in Programs]: (document: OfProgram<P>) => readonly Family[] } = {
  harep: harepFamilies,
  hbal: hbalFamilies,
  hbind: hbindFamilies,
  hcand: hcandFamilies,
  hcheck: hcheckFamilies,
  hclaim: hclaimFamilies,
  hcompress: hcompressFamilies,
  hdisk: hdiskFamilies,
  hinfo: hinfoFamilies,
  hredist: hredistFamilies,
  hroller: hrollerFamilies,
  hscan: hscanFamilies,
  hspace: hspaceFamilies,
  hspread: hspreadFamilies,
  hsqueeze: hsqueezeFamilies,
};

/** @param document as its `program` makes it */
export const metricsText = (document: AnyDocument): string =>
  prometheusText((FAMILIES[document.program] as (document: AnyDocument) => readonly Family[])(document));
