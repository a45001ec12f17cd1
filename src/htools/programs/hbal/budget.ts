/** `--budget`: what a plan may cost, or which of several is wanted. */
import { UsageError } from '../../../kit/faults.ts';
import { GIB_PER_TIB, MIB_PER_GIB, S_PER_HOUR, S_PER_MINUTE } from '../../../kit/units.ts';
import { NO_CAPS, type PlanAmounts } from '../../plan/plan.ts';

export interface Budget {
  readonly caps: PlanAmounts;
  /** Seconds by the clock; Infinity for no limit. */
  readonly seconds: number;
  /** Share of the best gain that is enough; undefined where none is named. */
  readonly share: number | undefined;
  /** Score that another second of the price must gain; undefined where none is named. */
  readonly minGainPerSecond: number | undefined;
  /** Whether the knee of the curve is asked for by its name. */
  readonly isKnee: boolean;
}

const NOTHING_SAID: Budget = {
  caps: NO_CAPS,
  seconds: Number.POSITIVE_INFINITY,
  share: undefined,
  minGainPerSecond: undefined,
  isKnee: false,
};

const cap =
  (what: keyof PlanAmounts, unit = 1) =>
  (amount: number, { caps }: Budget): Partial<Budget> => ({
    caps: { ...caps, [what]: Math.min(caps[what], amount * unit) },
  });
const time =
  (unit: number) =>
  (amount: number, { seconds }: Budget): Partial<Budget> => ({ seconds: Math.min(seconds, amount * unit) });

/** What a number means by the word behind it. */
const UNITS: readonly (readonly [RegExp, (amount: number, budget: Budget) => Partial<Budget>])[] = [
  [/^MiB$/, cap('copiedGib', 1 / MIB_PER_GIB)],
  [/^GiB$/, cap('copiedGib')],
  [/^TiB$/, cap('copiedGib', GIB_PER_TIB)],
  [/^h$/, time(S_PER_HOUR)],
  [/^min$/, time(S_PER_MINUTE)],
  [/^migrations?$/, cap('migrations')],
  [/^moves?$/, cap('steps')],
  [/^failovers?$/, cap('stops')],
  [/^%$/, (amount) => ({ share: amount / 100 })],
  [/^\/h$/, (amount) => ({ minGainPerSecond: amount / S_PER_HOUR })],
];

/** @throws UsageError with all words that cannot be read */
export function budgetOf(words: readonly string[]): Budget {
  const unread: string[] = [];
  let budget = NOTHING_SAID;
  for (const word of words) {
    const said = read(word, budget);
    if (said === undefined) unread.push(word);
    else budget = { ...budget, ...said };
  }
  if (unread.length === 0) return budget;
  throw new UsageError(
    `--budget: '${unread.join("', '")}' is not understood`,
    'a budget is 2TiB, 500GiB, 4h, 30min, 50migrations, 20moves, 0failovers, 90%, 2/h, knee or best',
  );
}

function read(word: string, before: Budget): Partial<Budget> | undefined {
  if (word === 'knee') return { isKnee: true };
  if (word === 'best') return { share: 1 };
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?) ?(\S+)$/.exec(word) ?? [];
  const amount = Number(number);
  if (unit === '%' && !(amount > 0 && amount <= 100)) return undefined;
  return UNITS.find(([pattern]) => pattern.test(unit))?.[1](amount, before);
}
