/** Names and tags of the command line that match nothing, and so have no effect. */
import { shorten } from '../../kit/printable.ts';
import { someOf } from '../../kit/text/words.ts';
import type { PrepareOptions } from '../cluster/prepare/prepare.ts';
import type { RawSnapshot } from '../cluster/snapshot.ts';

const SHOWN = 5;

const list = (names: readonly string[]): string =>
  someOf(
    names.map((name) => shorten(name)),
    SHOWN,
  );

/** @returns sentences for `-U`, `--load` and `--exclusion-tags` */
export function unusedNotes(
  { instances }: RawSnapshot,
  {
    dynamicUse,
    measured,
    exclusionTags = [],
  }: Pick<PrepareOptions, 'dynamicUse' | 'measured' | 'exclusionTags'>,
): string[] {
  const notes: string[] = [];
  for (const [option, loads] of Object.entries({ '--dynu-file': dynamicUse, '--load': measured })) {
    if (!loads) continue;
    if (loads.size === 0) notes.push(`${option}: there is no load in the file`);
    const known = new Set(instances.map(({ name }) => name));
    const unknown = [...loads.keys()].filter((name) => !known.has(name));
    if (unknown.length > 0)
      notes.push(
        `${option}: ${unknown.length} of ${loads.size} names are not instances of the cluster (${list(unknown)})`,
      );
  }
  const unmeasured = instances.flatMap(({ name }) => (measured && !measured.has(name) ? [name] : []));
  if (unmeasured.length > 0 && measured?.size !== 0)
    notes.push(
      `--load: ${unmeasured.length} of ${instances.length} instances were not measured (${list(unmeasured)})`,
    );
  const unmet = exclusionTags.filter(
    (prefix) => !instances.some(({ tags }) => tags.some((tag) => tag.startsWith(`${prefix}:`))),
  );
  if (unmet.length > 0)
    notes.push(
      `--exclusion-tags: no instance has a tag that starts with ${list(unmet.map((one) => `${one}:`))}`,
    );
  return notes;
}
