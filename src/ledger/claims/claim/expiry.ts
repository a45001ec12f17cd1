/** Claims that nobody confirmed in time: their room goes back. */
import type { Session } from '../../store/store.ts';
import { isDue } from '../model/ends.ts';
import { busy, type ClaimRefusal, type Outcome } from '../model/refusal.ts';
import { consumersOf } from '../tables/consumers.ts';
import type { ChangeContext } from '../tables/history.ts';
import { change, type Ledger } from './ledger.ts';
import { holdingsOf, partsOf } from './parts.ts';
import { replaceAllocations } from './replace-allocations.ts';

const ACTOR = 'expiry';

/**
 * Gives back what has expired, for each consumer by itself; what is for good, or ends later, stays. @returns
 * the consumers that gave back something.
 */
export async function expireDue(ledger: Ledger): Promise<readonly string[]> {
  const due = await ledger.store.read((session) =>
    session.all<{ uuid: string }>(
      `SELECT DISTINCT k.uuid FROM allocation_ends e JOIN consumers k ON k.id = e.consumer_id
       WHERE e.expires_at <= ? ORDER BY k.uuid`,
      [ledger.now()],
    ),
  );
  const gone: string[] = [];
  for (const { uuid } of due) {
    const outcome = await change(ledger, { actor: ACTOR }, (...of) => expireIn(...of, uuid));
    if (outcome.kind === 'done') gone.push(uuid);
  }
  return gone;
}

async function expireIn(
  session: Session,
  context: ChangeContext,
  uuid: string,
): Promise<Outcome<object, ClaimRefusal>> {
  const consumer = (await consumersOf(session, [uuid])).get(uuid);
  // Confirmed, renewed or released meanwhile.
  if (consumer === undefined || !isDue(consumer.held, context.at)) return { kind: 'refused', refusals: [] };
  const parts = partsOf(await holdingsOf(session, consumer));
  const allocations = parts.filter(({ expiresAt = Infinity }) => expiresAt > context.at);
  // What is left was granted once; the rules of its inventory may have changed since.
  const request = {
    consumers: [{ consumer: uuid, allocations, generation: consumer.generation }],
    stepMode: 'exempt',
    isChecked: false,
    action: 'expire',
  } as const;
  const outcome = await replaceAllocations(session, request, context);
  return outcome.kind === 'conflict' ? busy(`consumer ${uuid} changed meanwhile`) : outcome;
}
