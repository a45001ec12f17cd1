/**
 * Units of time and memory, and sizes as options and tags give them. Source: hspace(1) and htools(1): `m g t`
 * (and `MiB GiB TiB`) are powers of 1024, `M G T` (and `MB GB TB`) powers of 1000.
 */
import { readsInt } from './text/numbers.ts';

export const MIB_PER_GIB = 1024;
export const GIB_PER_TIB = 1024;
export const MS_PER_S = 1000;
export const S_PER_MINUTE = 60;
export const S_PER_HOUR = 3600;

const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** For a timer of so many seconds, or of as many as it holds: a longer one would end at once. */
export const timerMs = (seconds: number): number => Math.min(seconds * MS_PER_S, LONGEST_TIMER_MS);

const MIB = 1n << 20n;
const GIB = 1n << 30n;
const TIB = 1n << 40n;
const MB = 10n ** 6n;
const GB = 10n ** 9n;
const TB = 10n ** 12n;

/** Words are known in any case, single letters as they are. */
// biome-ignore format: a table
const BYTES_BY_UNIT: ReadonlyMap<string, bigint> = new Map([
  ['', MIB], ['m', MIB], ['g', GIB], ['t', TIB], ['MIB', MIB], ['GIB', GIB], ['TIB', TIB],
  ['M', MB], ['G', GB], ['T', TB], ['MB', MB], ['GB', GB], ['TB', TB],
]);

/**
 * Reads a whole number, optional blanks and an optional unit (`1024`, `20g`, `1 TB`); no unit means MiB.
 * @returns MiB, cut to a whole number, or why the text is no size, in the words of the stock programs
 */
export function parseSize(text: string): { readonly mib: number } | { readonly problem: string } {
  const reading = readsInt(text);
  if (!reading) return { problem: `Can't parse string '${text}'` };
  const unit = reading.rest.replace(/^ +/, '');
  const bytes = BYTES_BY_UNIT.get(unit) ?? BYTES_BY_UNIT.get(unit.toUpperCase());
  if (bytes === undefined) return { problem: `Unknown unit '${unit}'` };
  if (!Number.isSafeInteger(reading.value))
    return { problem: `Can't parse string '${text}': number too large` };
  return { mib: Number((BigInt(reading.value) * bytes) / MIB) };
}
