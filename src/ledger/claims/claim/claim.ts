/** Claiming, with retries; and claims that nobody confirmed in time: their room goes back. */
import type { Session } from '../../store/store.ts';
import { type Amounts, isDue } from '../model/ends.ts';
import { busy, type ClaimRefusal, type Outcome } from '../model/refusal.ts';
import { consumersOf } from '../tables/consumers.ts';
import type { ChangeContext } from '../tables/history.ts';
import { type Amount, type ClaimRequest, partsOf } from './claim-request.ts';
import { type Author, change, type Ledger } from './ledger.ts';
import { type Claimed, replaceAllocations } from './replace-allocations.ts';

export type ClaimOutcome = Outcome<Claimed, ClaimRefusal>;

/** All consumers get what they ask, or none does. What has expired goes back first where room is short. */
export async function claim(ledger: Ledger, author: Author, request: ClaimRequest): Promise<ClaimOutcome> {
  const attempt = () =>
    change(ledger, author, (session, context) => replaceAllocations(session, request, context));
  const outcome = await attempt();
  const isShort = outcome.kind === 'refused' && outcome.refusals.some(({ kind }) => kind === 'capacity');
  if (!isShort || (await expireDue(ledger)).length === 0) return outcome;
  return attempt();
}

const ACTOR = 'expiry';

/**
 * Gives back what has expired; the rest stays. Of an instance whose move is over the ledger has again what
 * the cluster has. @returns the consumers that gave back something.
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
  const left = partsOf(consumer.held).filter(({ expiresAt = Infinity }) => expiresAt > context.at);
  const { movingFrom } = consumer;
  const stays = movingFrom === null ? [] : await whereItStays(session, left, movingFrom);
  // What is left was granted once; the rules of its inventory may have changed since.
  const request = {
    consumers: [
      {
        consumer: uuid,
        ...(stays.length > 0
          ? { allocations: stays }
          : { allocations: left, movingFrom: movingFrom ?? undefined }),
        generation: consumer.generation,
      },
    ],
    stepMode: 'exempt',
    isChecked: false,
    action: 'expire',
  } as const;
  const outcome = await replaceAllocations(session, request, context);
  return outcome.kind === 'conflict' ? busy(`consumer ${uuid} changed meanwhile`) : outcome;
}

/**
 * What a cluster has of an instance whose claimed move is over, as far as there are inventories of it: the
 * cluster uses that room, whoever was given it meanwhile. Empty where nothing for good is lost.
 */
async function whereItStays(
  session: Session,
  left: readonly Amount[],
  movingFrom: Amounts,
): Promise<readonly Amount[]> {
  const rest = new Map<string, number>();
  for (const { class: name, amount } of left) rest.set(name, amount + (rest.get(name) ?? 0));
  const had = Object.entries(movingFrom).flatMap(([provider, classes]) =>
    Object.entries(classes).map(([name, amount]) => ({ provider, class: name, amount })),
  );
  for (const { class: name, amount } of had) rest.set(name, (rest.get(name) ?? 0) - amount);
  if ([...rest.values()].every((beyond) => beyond >= 0)) return [];
  const rows = await session.all<{ provider: string; class: string }>(
    `SELECT p.uuid AS provider, c.name AS class
     FROM inventories i JOIN resource_providers p ON p.id = i.provider_id JOIN resource_classes c ON c.id = i.class_id
     WHERE p.uuid IN_TEXTS(?)`,
    [Object.keys(movingFrom)],
  );
  return had.filter((one) => rows.some((row) => row.provider === one.provider && row.class === one.class));
}
