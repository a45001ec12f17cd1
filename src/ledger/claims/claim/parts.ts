/** What a consumer holds, in parts that others can claim. */
import { kept } from '../../../kit/kept.ts';
import { type Amounts, keptOf } from '../model/ends.ts';
import type { Holding } from '../tables/consumers.ts';
import type { Amount } from './claim-request.ts';

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
