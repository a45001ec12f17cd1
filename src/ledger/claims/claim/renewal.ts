/** Claims that would go back: confirmed they stay for good, renewed they have a new end. */
import { insertRows } from '../../store/rows.ts';
import type { Session } from '../../store/store.ts';
import { firstEnd, isDue, sumOf } from '../model/ends.ts';
import { busy, type Outcome } from '../model/refusal.ts';
import { ENDS } from '../tables/allocations.ts';
import { consumersOf, type StoredConsumer } from '../tables/consumers.ts';
import { type ChangeContext, writeHistory } from '../tables/history.ts';
import { type Author, change, type Ledger } from './ledger.ts';

export type RenewalRefusal =
  | { readonly kind: 'unknown-consumer'; readonly consumer: string }
  /** Some of it should have gone back, whether or not its room went to somebody else yet. */
  | { readonly kind: 'expired'; readonly consumer: string };

/** A consumer as it is afterwards. */
export interface Renewed {
  readonly consumer: string;
  readonly generation: number;
  /** When its room goes back, in milliseconds since 1970; null: never. */
  readonly expiresAt: number | null;
}

type RenewalOutcome = Outcome<readonly Renewed[], RenewalRefusal>;
type Renewal<More extends unknown[]> = (
  ...of: [ledger: Ledger, author: Author, consumers: readonly string[], ...more: More]
) => Promise<RenewalOutcome>;

/** All that the consumers have stays for good. */
export const confirmClaims: Renewal<[]> = (ledger, author, names) =>
  change(ledger, author, (session, context) => setEnds(session, context, names, null));

/** What of the consumers would go back has the end `until`, ms since 1970; what is for good stays so. */
export const renewClaims: Renewal<[until: number]> = (ledger, author, names, until) =>
  change(ledger, author, (session, context) => setEnds(session, context, names, until));

/** Nobody's use changes, so only the consumers' generations are raised. @param until null: for good */
export async function setEnds(
  session: Session,
  context: ChangeContext,
  names: readonly string[],
  until: number | null,
): Promise<RenewalOutcome> {
  const consumers = await consumersOf(session, names);
  const refusals: RenewalRefusal[] = [];
  for (const name of names) {
    const consumer = consumers.get(name);
    if (consumer === undefined) refusals.push({ kind: 'unknown-consumer', consumer: name });
    else if (isDue(consumer.held, context.at)) refusals.push({ kind: 'expired', consumer: name });
  }
  if (refusals.length > 0) return { kind: 'refused', refusals };
  const renewed: Renewed[] = [];
  for (const consumer of consumers.values()) {
    const { id, uuid, generation, held } = consumer;
    const changed = await session.run(
      'UPDATE consumers SET generation = generation + 1, updated_at = ? WHERE id = ? AND generation = ?',
      [context.at, id, generation],
    );
    if (changed !== 1) return busy('a consumer changed meanwhile');
    await session.run('DELETE FROM allocation_ends WHERE consumer_id = ?', [id]);
    if (until !== null) await insertRows(session, ENDS, endRows(consumer, until));
    renewed.push({
      consumer: uuid,
      generation: generation + 1,
      expiresAt: firstEnd(held) === null ? null : until,
    });
  }
  await writeHistory(
    session,
    context,
    renewed.map(({ consumer, expiresAt }) => ({
      action: until === null ? 'confirm' : 'renew',
      consumer,
      project: consumers.get(consumer)!.project,
      before: { expires_at: firstEnd(consumers.get(consumer)!.held) },
      after: { expires_at: expiresAt },
    })),
  );
  return { kind: 'done', value: renewed };
}

const endRows = ({ id, held }: StoredConsumer, until: number): readonly (readonly number[])[] =>
  held
    .filter(({ ends }) => ends.length > 0)
    .map(({ providerId, classId, ends }) => [id, providerId, classId, until, sumOf(ends)]);
