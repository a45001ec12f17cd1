/** Measured loads from files (`--load`), smoothed over a window. */
import { UsageError } from '../../../kit/faults.ts';
import { readInput } from '../../../kit/files/read-input.ts';
import { assertLoadWords, type LoadFileOptions } from './load-words.ts';
import { readSamples, resourceNamed } from './read-samples.ts';
import { type LoadSample, type MeasuredLoads, smoothedLoads } from './samples.ts';

const SECONDS_PER_UNIT: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const LOAD = /^(cpu|memory|mem|disk|net)=(.+)$/;

/** @throws UsageError for anything but a number and a unit */
function readWindow(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const seconds = digits === undefined ? 0 : Number(digits) * SECONDS_PER_UNIT[unit]!;
  if (seconds > 0) return seconds;
  throw new UsageError(
    `--load-window: '${text}' is not a time`,
    'give a number with a unit: 90s, 10m, 2h, 7d',
  );
}

/** @throws BackendError, InputError, UsageError: unreadable; not as it should be; words of no sense */
export function measuredLoads(words: LoadFileOptions): MeasuredLoads {
  assertLoadWords(words);
  const { load: files = [], loadLabel: label = 'instance', loadUse, loadWindow } = words;
  const windowSeconds = loadWindow === undefined ? undefined : readWindow(loadWindow);
  const samples = files.flatMap((word): readonly LoadSample[] => {
    const [, resource, path = word] = LOAD.exec(word) ?? [];
    return readSamples(readInput(path), {
      path,
      label,
      resource: resource === undefined ? undefined : resourceNamed(resource),
    });
  });
  return smoothedLoads(samples, loadUse ?? 'mean', windowSeconds);
}
