/** Handing a consumer's claims to another, and confirming claims that would expire. */
import type { Session } from '../../store/store.ts';
import type { StepMode } from '../model/admission.ts';
import type { ClaimRefusal, Outcome } from '../model/refusal.ts';
import { consumersOf, type StoredConsumer } from '../tables/consumers.ts';
import { type ChangeContext, writeHistory } from '../tables/history.ts';
import type { Amount } from './claim-request.ts';
import { type Author, change, type Ledger } from './ledger.ts';
import { replaceAllocations } from './replace-allocations.ts';

export type HandOverRefusal =
  | ClaimRefusal
  | { readonly kind: 'unknown-consumer'; readonly consumer: string }
  | { readonly kind: 'expired'; readonly consumer: string };

export interface Move {
  readonly from: string;
  readonly to: string;
  readonly stepMode: StepMode;
}

/**
 * What `to` has and what `from` has are `to`'s afterwards; its owner stays, a new one takes over the owner.
 */
export const moveClaims = (
  ledger: Ledger,
  author: Author,
  move: Move,
): Promise<Outcome<{ readonly generation: number }, HandOverRefusal>> =>
  change(ledger, author, (session, context) => moveIn(session, context, move));

async function moveIn(
  session: Session,
  context: ChangeContext,
  { from, to, stepMode }: Move,
): Promise<Outcome<{ readonly generation: number }, HandOverRefusal>> {
  const consumers = await consumersOf(session, [from, to]);
  const source = consumers.get(from);
  if (source === undefined)
    return { kind: 'refused', refusals: [{ kind: 'unknown-consumer', consumer: from }] };
  const target = consumers.get(to);
  const { project, user, type } = target ?? source;
  const allocations = [
    ...(await amountsOf(session, source)),
    ...(target ? await amountsOf(session, target) : []),
  ];
  const outcome = await replaceAllocations(
    session,
    {
      consumers: [
        { consumer: from, allocations: [], generation: source.generation },
        { consumer: to, allocations, project, user, type, generation: target?.generation ?? null },
      ],
      stepMode,
      action: 'move',
    },
    context,
  );
  if (outcome.kind === 'done') return { kind: 'done', value: { generation: outcome.value.generations[1]! } };
  // What was read a moment ago is stale: nobody stated a generation, so this is a reason to try again.
  if (outcome.kind === 'conflict')
    return {
      kind: 'conflict',
      conflict: { kind: 'busy', detail: `consumer ${from} or ${to} changed meanwhile` },
    };
  return outcome;
}

const amountsOf = async (session: Session, { id }: StoredConsumer): Promise<readonly Amount[]> =>
  session.all<Amount>(
    `SELECT p.uuid AS provider, c.name AS class, a.used AS amount FROM allocations a
       JOIN resource_providers p ON p.id = a.provider_id JOIN resource_classes c ON c.id = a.class_id WHERE a.consumer_id = ?`,
    [id],
  );

/** Claims stay for good. Nobody's use changes, so only the consumers' generations are raised. */
export const confirmClaims = (
  ledger: Ledger,
  author: Author,
  names: readonly string[],
): Promise<Outcome<object, HandOverRefusal>> =>
  change(ledger, author, async (session, context) => {
    const consumers = await consumersOf(session, names);
    const refusals: HandOverRefusal[] = [];
    for (const name of names) {
      const consumer = consumers.get(name);
      if (consumer === undefined) refusals.push({ kind: 'unknown-consumer', consumer: name });
      else if (consumer.expiresAt !== null && consumer.expiresAt <= context.at)
        refusals.push({ kind: 'expired', consumer: name });
    }
    if (refusals.length > 0) return { kind: 'refused', refusals };
    for (const { id, generation } of consumers.values()) {
      const changed = await session.run(
        `UPDATE consumers SET expires_at = NULL, generation = generation + 1, updated_at = ? WHERE id = ? AND generation = ?`,
        [context.at, id, generation],
      );
      if (changed !== 1)
        return { kind: 'conflict', conflict: { kind: 'busy', detail: 'a consumer changed meanwhile' } };
    }
    await writeConfirmations(session, context, [...consumers.values()]);
    return { kind: 'done', value: {} };
  });

const writeConfirmations = (
  session: Session,
  context: ChangeContext,
  consumers: readonly StoredConsumer[],
): Promise<void> =>
  writeHistory(
    session,
    context,
    consumers.map(({ uuid, project, expiresAt }) => ({
      action: 'confirm',
      provider: null,
      generation: null,
      consumer: uuid,
      project,
      before: { expires_at: expiresAt },
      after: { expires_at: null },
    })),
  );
