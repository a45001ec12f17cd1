/** When balancing is enough: near the bound, too many steps, too little gain. Source: hbal(1). */
import type { BalanceOptions } from './options.ts';

export type StopOptions = Pick<BalanceOptions, 'maxSteps' | 'minScore' | 'minGain' | 'minGainLimit'>;

export class StopRule {
  /** At or below this score nothing more is looked for. */
  private readonly stopScore: number;

  /** @param optimum lower bound of the score */
  constructor(
    optimum: number,
    private readonly options: StopOptions,
  ) {
    this.stopScore = optimum + options.minScore;
  }

  /** Whether another step is to be looked for. @param steps taken so far */
  mayGoOn(steps: number, score: number): boolean {
    const { maxSteps } = this.options;
    return (maxSteps < 0 || steps < maxSteps) && score > this.stopScore;
  }

  /** Whether a step's gain is worth it. Scores that are not numbers are not. */
  isWorthIt(before: number, after: number): boolean {
    const { minGain, minGainLimit } = this.options;
    return after < before && (before > minGainLimit || before - after >= minGain);
  }
}

/** Whether there is nothing to do from the start. A score that is not a number is not balanced. */
export const isBalanced = (
  score: number,
  optimum: number,
  { minScore }: Pick<StopOptions, 'minScore'>,
): boolean => score - optimum < minScore;
