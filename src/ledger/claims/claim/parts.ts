/** What a consumer holds, by the names of providers and classes; and in parts that others can claim. */
import { groupedBy } from '../../../kit/grouped.ts';
import { kept } from '../../../kit/kept.ts';
import type { Session } from '../../store/store.ts';
import { type Amounts, type Ending, keptOf } from '../model/ends.ts';
import type { Amount } from './claim-request.ts';

interface Row {
  /** UUID of the provider. */
  readonly provider: string;
  readonly providerName: string;
  /** Number of the root of its tree. */
  readonly root: number;
  readonly class: string;
  readonly used: number;
}

export type Holding = Row & Ending;

/** All that a consumer holds, by names of provider and class. */
export async function holdingsOf(
  session: Session,
  { id }: { readonly id: number },
): Promise<readonly Holding[]> {
  const rows = await session.all<Row & { readonly at: number | null; readonly amount: number }>(
    `SELECT p.uuid AS provider, p.name AS "providerName", p.root_id AS root, c.name AS class, a.used, e.expires_at AS at, e.amount
     FROM allocations a JOIN resource_providers p ON p.id = a.provider_id JOIN resource_classes c ON c.id = a.class_id
       LEFT JOIN allocation_ends e ON e.consumer_id = a.consumer_id AND e.provider_id = a.provider_id AND e.class_id = a.class_id
     WHERE a.consumer_id = ? ORDER BY p.name, c.name, e.expires_at`,
    [id],
  );
  return [...groupedBy(rows, (row) => `${row.provider} ${row.class}`).values()].map((same) => {
    const { at: _at, amount: _amount, ...row } = same[0]!;
    return { ...row, ends: same.flatMap(({ at, amount }) => (at === null ? [] : [{ at, amount }])) };
  });
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
