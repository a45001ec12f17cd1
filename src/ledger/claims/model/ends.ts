/**
 * Ends of claims. An end belongs to an allocation: so much of it goes back at that moment, unless somebody
 * confirms it, and the rest is for good. Whoever comes to have an allocation has it with its ends. Pure.
 */

export interface End {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** 1 or more. */
  readonly amount: number;
}

/** An allocation: what is used beyond its ends, which are in the order of time, is for good. */
export interface Ending {
  readonly used: number;
  readonly ends: readonly End[];
}

/** Amounts by UUID of the provider and class. */
export type Amounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

export const sumOf = (ends: readonly End[]): number => ends.reduce((sum, { amount }) => sum + amount, 0);

/** What stays of it whatever happens. */
export const keptOf = ({ used, ends }: Ending): number => used - sumOf(ends);

/** Ends of an allocation of `amount` from now on: what was for good stays, the rest goes back at `at`. */
export function endsOfClaim(amount: number, before: Ending | undefined, at: number): readonly End[] {
  const rest = amount - (before === undefined ? 0 : keptOf(before));
  return rest > 0 ? [{ at, amount: rest }] : [];
}

/** Ends in one list, by time: those of one moment added up. */
export function joinedEnds(ends: readonly End[]): readonly End[] {
  const amounts = new Map<number, number>();
  for (const { at, amount } of ends) amounts.set(at, amount + (amounts.get(at) ?? 0));
  return [...amounts].map(([at, amount]) => ({ at, amount })).sort((a, b) => a.at - b.at);
}

/** When the first of it goes back, in milliseconds since 1970; null: all is for good. */
export function firstEnd(held: readonly Pick<Ending, 'ends'>[]): number | null {
  const first = Math.min(...held.map(({ ends }) => ends[0]?.at ?? Infinity));
  return first === Infinity ? null : first;
}

/** Whether some of it should have gone back by `at`. */
export const isDue = (held: readonly Pick<Ending, 'ends'>[], at: number): boolean =>
  (firstEnd(held) ?? Infinity) <= at;
