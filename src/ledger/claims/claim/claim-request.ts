/** What is claimed, and what a consumer holds in parts that others can claim. */
import { kept } from '../../../kit/kept.ts';
import { type Amounts, keptOf } from '../model/ends.ts';
import type { StepMode } from '../model/inventory.ts';
import type { Holding } from '../tables/consumers.ts';

export interface Amount {
  /** UUID of the provider. */
  readonly provider: string;
  readonly class: string;
  /** Whole, 1 or more. Amounts of one provider and class from several groups of a request add up. */
  readonly amount: number;
  /** When it goes back unless somebody confirms it, in milliseconds since 1970; undefined: never. */
  readonly expiresAt?: number | undefined;
}

/** All that a consumer shall have from now on. What is left out (undefined) stays as it is. */
export interface ConsumerClaim {
  /** 1 to 255 characters. */
  readonly consumer: string;
  /** Everything; an empty list gives all back, and the consumer disappears. */
  readonly allocations: readonly Amount[];
  readonly project?: string | null | undefined;
  readonly user?: string | null | undefined;
  readonly type?: string | null | undefined;
  /** The generation that the caller has seen; null: the consumer must not exist; undefined: whichever. */
  readonly generation?: number | null | undefined;
  /** When what was not for good goes back unless confirmed, ms since 1970; undefined: by its own ends. */
  readonly expiresAt?: number | undefined;
  /** What a cluster has of it until a move is made. A claim that states nothing of it ends the move. */
  readonly movingFrom?: Amounts | undefined;
}

export interface ClaimRequest {
  /** All or nothing; each consumer once. */
  readonly consumers: readonly ConsumerClaim[];
  readonly stepMode: StepMode;
  /** False: the room has been taken already (a cluster says so), and is only written down. Default true. */
  readonly isChecked?: boolean;
  /** What the history calls it: `claim`, `move`, `release`... */
  readonly action: string;
  /**
   * Of which providers the generations are raised: of all that give or take back something (default); as
   * Placement does when it replaces, of those where consumers have something afterwards, and of all that give
   * back to a consumer that has nothing left; or, as it does when it deletes, of none.
   */
  readonly raises?: 'all' | 'claimed' | 'none';
}

/** What of the holdings is for good; every provider is named. */
export function forGoodOf(holdings: readonly Holding[]): Amounts {
  const amounts = new Map<string, Record<string, number>>();
  for (const holding of holdings) {
    const classes = kept(amounts, holding.provider, (): Record<string, number> => ({}));
    const amount = keptOf(holding);
    if (amount > 0) classes[holding.class] = amount;
  }
  return Object.fromEntries(amounts);
}

/** The holdings for others to claim: what goes back at one moment by itself, and what is for good. */
export const partsOf = (holdings: readonly Holding[]): readonly Amount[] =>
  holdings.flatMap((holding) => {
    const { provider, class: name, ends } = holding;
    const forGood = keptOf(holding);
    return [
      ...ends.map(({ at, amount }) => ({ provider, class: name, amount, expiresAt: at })),
      ...(forGood > 0 ? [{ provider, class: name, amount: forGood }] : []),
    ];
  });
