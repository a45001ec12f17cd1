/** Simulated annealing: how hot a walk is, and by how much a candidate may make things worse. */
import type { Budget } from './budget.ts';
import type { RandomStream } from './random.ts';

interface Cooling {
  readonly budget: Budget;
  /** The share of the budget at which the walk ends. */
  readonly until: number;
  /** Temperatures at both ends, in the unit of the prices. */
  readonly hottest: number;
  readonly coldest: number;
}

/** Calls `walk`, which spends of the budget, for each temperature: it falls evenly with the work. */
export function anneal(
  { budget, until, hottest, coldest }: Cooling,
  walk: (temperature: number) => void,
): void {
  const from = budget.share;
  while (budget.share < until) {
    const done = (budget.share - from) / (until - from);
    walk(hottest * (coldest / hottest) ** done);
  }
}

/** By how much the price may rise with a candidate, for a chance of e^(-rise / temperature). Metropolis. */
export const allowance = (random: RandomStream, temperature: number): number =>
  -Math.log(1 - random.unit()) * temperature;
