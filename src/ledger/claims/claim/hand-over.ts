/** Handing a consumer's claims to another. */
import type { Session } from '../../store/store.ts';
import type { StepMode } from '../model/inventory.ts';
import { busy, type ClaimRefusal, type Outcome } from '../model/refusal.ts';
import { consumersOf } from '../tables/consumers.ts';
import type { ChangeContext } from '../tables/history.ts';
import { partsOf } from './claim-request.ts';
import { type Author, change, type Ledger } from './ledger.ts';
import { replaceAllocations } from './replace-allocations.ts';

export type HandOverRefusal = ClaimRefusal | { readonly kind: 'unknown-consumer'; readonly consumer: string };

export interface Move {
  readonly from: string;
  readonly to: string;
  readonly stepMode: StepMode;
}

export interface Moved {
  /** Of `to`. */
  readonly generation: number;
  /** When the first of what `to` has now goes back, in milliseconds since 1970; null: never. */
  readonly expiresAt: number | null;
}

/** `to` then has what both have, each part with its end. Its owner stays; a new one takes over the owner. */
export const moveClaims = (
  ledger: Ledger,
  author: Author,
  move: Move,
): Promise<Outcome<Moved, HandOverRefusal>> =>
  change(ledger, author, (session, context) => moveIn(session, context, move));

async function moveIn(
  session: Session,
  context: ChangeContext,
  { from, to, stepMode }: Move,
): Promise<Outcome<Moved, HandOverRefusal>> {
  const consumers = await consumersOf(session, [from, to]);
  const source = consumers.get(from);
  if (source === undefined)
    return { kind: 'refused', refusals: [{ kind: 'unknown-consumer', consumer: from }] };
  const target = consumers.get(to);
  const { project, user, type } = target ?? source;
  const allocations = partsOf([...source.held, ...(target?.held ?? [])]);
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
  if (outcome.kind === 'done') {
    const { generations, ends } = outcome.value;
    return { kind: 'done', value: { generation: generations[1]!, expiresAt: ends[1]! } };
  }
  // What was read a moment ago is stale: nobody stated a generation, so this is a reason to try again.
  return outcome.kind === 'conflict' ? busy(`consumer ${from} or ${to} changed meanwhile`) : outcome;
}
