/** What the command line says about the price of plans. */
import { UsageError } from '../../../../kit/faults.ts';
import type { SomeOptions } from '../../../options/command-options.ts';
import { type PriceRates, USUAL_RATES } from '../../../plan/price.ts';

/** What `--price` knows, with what each must be at least. */
const LEAST: ReadonlyMap<string, number> = new Map([
  ['migration', Number.MIN_VALUE],
  ['rewritten', 1],
  ['downtime', 0],
  ['job', 0],
]);

/** What `read` makes of each word. @throws UsageError with all words of which it makes nothing */
export function readWords<T>(
  option: string,
  words: readonly string[],
  read: (word: string) => T | undefined,
  remedy: string,
): readonly T[] {
  const unread = words.filter((word) => read(word) === undefined);
  if (unread.length === 0) return words.map((word) => read(word)!);
  throw new UsageError(`--${option}: '${unread.join("', '")}' is not understood`, remedy);
}

function readRate(word: string): readonly [name: string, value: number] | undefined {
  const [name = '', ...rest] = word.split('=');
  const text = rest.join('=');
  const value = text.trim() === '' ? Number.NaN : Number(text);
  const isRight = value >= (LEAST.get(name) ?? Number.NaN) && value < Number.POSITIVE_INFINITY;
  return isRight ? [name, value] : undefined;
}

/** @throws UsageError with all words that are none of its own, or have a number out of range */
export const ratesOf = ({
  bandwidth = USUAL_RATES.bandwidth,
  price = [],
  parallel,
}: SomeOptions<'bandwidth' | 'price' | 'parallel'>): PriceRates => ({
  ...USUAL_RATES,
  bandwidth,
  ...Object.fromEntries(
    readWords(
      'price',
      price,
      readRate,
      'words are migration=100 (MiB/s), rewritten=1.3 (at least 1), downtime=10 and job=10 (seconds)',
    ),
  ),
  parallel,
});
