/** The documents about clusters, by the names of their files in schemas/. */
import type { DocumentOf, NamedDocuments } from '../../kit/results/members.ts';
import { hcompress, hredist, hspread } from './groups.ts';
import { hail, hailExplanation } from './hail.ts';
import { harep } from './harep.ts';
import { hbal } from './hbal.ts';
import { hcheck } from './hcheck.ts';
import { hinfo } from './hinfo.ts';
import { history } from './history.ts';
import { hspace } from './hspace.ts';
import { hroller, hscan, hsqueeze } from './maintain.ts';

export const CLUSTER_DOCUMENTS = {
  hail: { title: "hail's answer", schema: hail },
  'hail-explanation': { title: 'What hail --explain writes', schema: hailExplanation },
  harep: { title: 'harep --json', schema: harep },
  hbal: { title: 'hbal --json', schema: hbal },
  'hbal-history': { title: 'hbal --history --json', schema: history },
  hcheck: { title: 'hcheck --json', schema: hcheck },
  hcompress: { title: 'hcompress --json', schema: hcompress },
  hinfo: { title: 'hinfo --json', schema: hinfo },
  hredist: { title: 'hredist --json', schema: hredist },
  hroller: { title: 'hroller --json', schema: hroller },
  hscan: { title: 'hscan --json', schema: hscan },
  hspace: { title: 'hspace --json', schema: hspace },
  hspread: { title: 'hspread --json', schema: hspread },
  hsqueeze: { title: 'hsqueeze --json', schema: hsqueeze },
} as const satisfies NamedDocuments;

/** A document as a program makes it, by the name of its file. */
export type ProgramDocument<P extends keyof typeof CLUSTER_DOCUMENTS> = DocumentOf<
  (typeof CLUSTER_DOCUMENTS)[P]['schema']
>;
