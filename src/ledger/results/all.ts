/** The documents about ledgers, by the names of their files in schemas/. */
import type { NamedDocuments } from '../../kit/results/members.ts';
import { hbind } from './hbind.ts';
import { hcand } from './hcand.ts';
import { change, hclaim } from './hclaim.ts';

export const LEDGER_DOCUMENTS = {
  hbind: { title: 'hbind --json', schema: hbind },
  hcand: { title: 'hcand --json', schema: hcand },
  hclaim: { title: 'hclaim --json', schema: hclaim },
  'hclaim-change': { title: 'A line of hclaim watch --json', schema: change },
} as const satisfies NamedDocuments;
