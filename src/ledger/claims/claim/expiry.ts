/** Claims that nobody confirmed in time: their room goes back. */

import { change, type Ledger } from './ledger.ts';
import { replaceAllocations } from './replace-allocations.ts';

const ACTOR = 'expiry';

/** Gives back what has expired, each consumer for itself. @returns the consumers that are gone. */
export async function expireDue(ledger: Ledger): Promise<readonly string[]> {
  const due = await ledger.store.read((session) =>
    session.all<{ uuid: string; generation: number }>(
      'SELECT uuid, generation FROM consumers WHERE expires_at IS NOT NULL AND expires_at <= ? ORDER BY expires_at, uuid',
      [ledger.now()],
    ),
  );
  const gone: string[] = [];
  for (const { uuid, generation } of due) {
    // A consumer that was confirmed or changed meanwhile has another generation, and stays.
    const request = {
      consumers: [{ consumer: uuid, allocations: [], generation }],
      stepMode: 'exempt',
      action: 'expire',
    } as const;
    const outcome = await change(ledger, { actor: ACTOR }, (session, context) =>
      replaceAllocations(session, request, context),
    );
    if (outcome.kind === 'done') gone.push(uuid);
  }
  return gone;
}
