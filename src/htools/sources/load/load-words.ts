/** The options about measured loads, and which of them go together. */
import { UsageError } from '../../../kit/faults.ts';
import type { LoadStatistic } from './samples.ts';

/** As the command line said them; undefined where it did not. */
export interface LoadFileOptions {
  /** `FILE` or `RESOURCE=FILE`. */
  readonly load?: readonly string[] | undefined;
  readonly loadLabel?: string | undefined;
  readonly loadUse?: LoadStatistic | undefined;
  /** `90s`, `10m`, `2h`, `7d`; undefined: all samples. */
  readonly loadWindow?: string | undefined;
}

/** @throws UsageError for words about measured loads where there are none: they would be said in vain */
export function assertLoadWords({ load, loadLabel, loadUse, loadWindow }: LoadFileOptions): void {
  if (!load?.length && (loadLabel ?? loadUse ?? loadWindow) !== undefined)
    throw new UsageError('--load-label, --load-use and --load-window are about --load', 'add --load=FILE');
}
