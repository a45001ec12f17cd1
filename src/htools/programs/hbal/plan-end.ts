/**
 * What ended a plan, in words that follow "but": the limit that was reached, or what the search was told to
 * leave.
 */
import { mostStepsOf, type PlanOptions } from './plan-choice.ts';

/** Options that say when the plan is good enough, or what it may cost, with their names. */
const LIMITS = [
  ['maxData', '--max-data'],
  ['maxTime', '--max-time'],
  ['maxDowntime', '--max-downtime'],
  ['minGainPerGib', '--min-gain-per-gib'],
  ['stopAtGain', '--stop-at-gain'],
  ['pick', '--pick'],
] as const satisfies readonly (readonly [keyof PlanOptions, string])[];

/** @param isNearBound the score is within `--min-score` of its lower bound */
export function planEnd(options: PlanOptions, steps: number, isNearBound: boolean): string {
  if (steps >= mostStepsOf(options)) {
    const isByLength = options.maxLength >= 0 && steps >= options.maxLength;
    const [name, most] = isByLength ? ['length', options.maxLength] : ['moves', options.maxMoves];
    return `--max-${name}=${most} allows no more moves`;
  }
  const given = LIMITS.flatMap(([key, name]) => (options[key] === undefined ? [] : [name]));
  if (given.length > 0) return `${given.join(', ')} ${given.length === 1 ? 'leaves' : 'leave'} it out`;
  if (isNearBound) return `--min-score=${options.minScore} is reached without it`;
  return options.search === 'deep'
    ? 'the search ended first: --time-limit or --effort lets it go on'
    : `it gains less than --min-gain=${options.minGain}`;
}
