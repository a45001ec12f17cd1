/** Claiming: with retries, and with what has expired given back first when room is short. */
import type { ClaimRefusal, Outcome } from '../model/refusal.ts';
import type { ClaimRequest } from './claim-request.ts';
import { expireDue } from './expiry.ts';
import { type Author, change, type Ledger } from './ledger.ts';
import { type Claimed, replaceAllocations } from './replace-allocations.ts';

export type ClaimOutcome = Outcome<Claimed, ClaimRefusal>;

/** All consumers of the request get what they ask, or none does. */
export async function claim(ledger: Ledger, author: Author, request: ClaimRequest): Promise<ClaimOutcome> {
  const attempt = () =>
    change(ledger, author, (session, context) => replaceAllocations(session, request, context));
  const outcome = await attempt();
  const isShort = outcome.kind === 'refused' && outcome.refusals.some(({ kind }) => kind === 'capacity');
  if (!isShort || (await expireDue(ledger)).length === 0) return outcome;
  return attempt();
}
