/** `--budget`: what a plan may cost, or which of several is wanted. */
import { GIB_PER_TIB, MIB_PER_GIB, S_PER_HOUR, S_PER_MINUTE } from '../../../../kit/units.ts';
import { amountsBy, type PlanAmounts } from '../../../plan/plan.ts';
import { readWords } from './price-rates.ts';

export interface Budget {
  readonly caps: PlanAmounts;
  /** Seconds by the clock; Infinity for no limit. */
  readonly seconds: number;
  /** Share of the best gain that is enough; undefined where none is named. */
  readonly share: number | undefined;
  /** Score that another second of the price must gain; undefined where none is named. */
  readonly minGainPerSecond: number | undefined;
  readonly isKnee: boolean;
}

type Said = readonly [of: keyof PlanAmounts | Exclude<keyof Budget, 'caps'>, amount: number];

const UNITS: readonly (readonly [RegExp, (n: number) => Said])[] = [
  [/^MiB$/, (n) => ['copiedGib', n / MIB_PER_GIB]],
  [/^GiB$/, (n) => ['copiedGib', n]],
  [/^TiB$/, (n) => ['copiedGib', n * GIB_PER_TIB]],
  [/^h$/, (n) => ['seconds', n * S_PER_HOUR]],
  [/^min$/, (n) => ['seconds', n * S_PER_MINUTE]],
  [/^migrations?$/, (n) => ['migrations', n]],
  [/^moves?$/, (n) => ['steps', n]],
  [/^failovers?$/, (n) => ['stops', n]],
  [/^%$/, (n) => ['share', n / 100]],
  [/^\/h$/, (n) => ['minGainPerSecond', n / S_PER_HOUR]],
];

function read(word: string): Said | undefined {
  if (word === 'knee') return ['isKnee', 1];
  if (word === 'best') return ['share', 1];
  const [, number = '', unit = ''] = /^(\d*\.?\d+) ?(\S+)$/.exec(word) ?? [];
  const amount = Number(number);
  if (unit === '%' && !(amount > 0 && amount <= 100)) return undefined;
  return UNITS.find(([pattern]) => pattern.test(unit))?.[1](amount);
}

/** Of limits of one thing the least counts, else the last word. @throws UsageError with all that are none */
export function budgetOf(words: readonly string[]): Budget {
  const said = readWords(
    'budget',
    words,
    read,
    'a budget is 2TiB, 500GiB, 4h, 30min, 50migrations, 20moves, 0failovers, 90%, 2/h, knee or best',
  );
  const amountsOf = (wanted: Said[0]): number[] =>
    said.flatMap(([of, amount]) => (of === wanted ? amount : []));
  const least = (of: Said[0]): number => Math.min(...amountsOf(of));
  return {
    caps: amountsBy(least),
    seconds: least('seconds'),
    share: amountsOf('share').at(-1),
    minGainPerSecond: amountsOf('minGainPerSecond').at(-1),
    isKnee: amountsOf('isKnee').length > 0,
  };
}
