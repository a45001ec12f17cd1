/** What the command line says about the price of plans. */
import { UsageError } from '../../../../kit/faults.ts';
import type { SomeOptions } from '../../../options/command-options.ts';
import { type PriceRates, USUAL_RATES } from '../../../plan/price.ts';

/** What `--price` knows, with what each must be at least. */
const LEAST = { migration: Number.MIN_VALUE, rewritten: 1, downtime: 0, job: 0 } as const;

const isKnown = (name: string): name is keyof typeof LEAST => Object.hasOwn(LEAST, name);

/** @throws UsageError with all words that are none of its own, or have a number out of range */
export function ratesOf({
  bandwidth,
  price = [],
  parallel,
}: SomeOptions<'bandwidth' | 'price' | 'parallel'>): PriceRates {
  const rates: Record<string, number> = { bandwidth: bandwidth ?? USUAL_RATES.bandwidth };
  const unread: string[] = [];
  for (const word of price) {
    const [name = '', ...rest] = word.split('=');
    const text = rest.join('=');
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (isKnown(name) && value >= LEAST[name] && value < Number.POSITIVE_INFINITY) rates[name] = value;
    else unread.push(word);
  }
  if (unread.length > 0)
    throw new UsageError(
      `--price: '${unread.join("', '")}' is not understood`,
      'words are migration=100 (MiB/s), rewritten=1.3 (at least 1), downtime=10 and job=10 (seconds)',
    );
  return { ...USUAL_RATES, ...rates, parallel };
}
