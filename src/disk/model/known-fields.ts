/** The members of a space that mean something here; all others are kept and copied. */
import { meant } from '../../kit/text/meant.ts';
import type { FilePosition } from '../../kit/yaml/document.ts';
import type { Problems } from './problems.ts';

export const FIELDS = [
  'id',
  'type',
  'min_size',
  'max_size',
  'size',
  'weight',
  'best_with_disks',
  'contains',
  'copies',
  'min_disks',
  'max_disks',
] as const;
export type Field = (typeof FIELDS)[number];

/** Short names that people write and mean one of ours. */
const SHORT: Readonly<Record<string, Field>> = {
  min: 'min_size',
  max: 'max_size',
  best_disks: 'best_with_disks',
};

/** A space without an id is refused anyway, and many a short name is like that one. */
const SPELLED = FIELDS.filter((name) => name !== 'id');

const simplified = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');
const BY_SIMPLE_NAME = new Map<string, Field>(FIELDS.map((name) => [simplified(name), name]));

/** Warns of members that look like ours and are not. */
export function warnOfLikeFields(
  space: string,
  members: ReadonlyMap<string, { readonly place: FilePosition }>,
  problems: Problems,
): void {
  for (const [name, { place }] of members) {
    if ((FIELDS as readonly string[]).includes(name)) continue;
    const ours = SHORT[name] ?? BY_SIMPLE_NAME.get(simplified(name)) ?? meant(name, SPELLED);
    if (ours !== undefined) problems.warn(place, `${space}: '${name}' is only copied; did you mean ${ours}?`);
  }
}
