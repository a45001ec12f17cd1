/** The numbers of a space: sizes, weight, and how many disks. */
import type { FilePosition } from '../../kit/yaml/document.ts';
import type { Plain } from '../expressions/index.ts';
import { MAX_SIZE } from './hardware.ts';
import type { Field } from './known-fields.ts';
import type { Problems } from './problems.ts';
import type { Space } from './spaces.ts';
import { shownPlain } from './tree-values.ts';

type SpaceNumbers = Pick<Space, 'copies' | 'minDisks' | 'maxDisks' | 'maxSize' | 'minSize' | 'weight'>;

/** A value and where it, or the expression that gave it, stands. */
export interface Rendered {
  readonly place: FilePosition;
  readonly value: Plain;
}

/** Weights that differ by more say that one of the spaces gets nothing. */
const MAX_WEIGHT = 1e4;
const MIN_WEIGHT = 1e-3;
const MAX_COUNT = 1000;

/** The kinds of numbers: what they may be, and what is said of others. */
const SIZE = {
  min: 0,
  max: MAX_SIZE,
  remedy: `write a number from 0 to ${MAX_SIZE}, in MiB and without a unit`,
};
const WEIGHT = { min: 0, max: MAX_WEIGHT, remedy: `write a number from 0 to ${MAX_WEIGHT}` };
const COUNT = { isWhole: true, min: 1, max: MAX_COUNT, remedy: 'write a whole number, at least 1' };
type NumberRule = Partial<typeof COUNT> & typeof SIZE;

/** Reads the numbers of one space; what is wrong is said, and something usable taken in its place. */
export function numbersOf(
  space: string,
  members: ReadonlyMap<string, Rendered>,
  problems: Problems,
): SpaceNumbers {
  const { minSize, maxSize } = sizes();
  const copies = number('copies', COUNT);
  const minDisks = number('min_disks', COUNT);
  const maxDisks = number('max_disks', COUNT);
  if (copies !== undefined && (minDisks ?? maxDisks) !== undefined)
    add(
      'copies',
      'copies say how many disks it takes; min_disks and max_disks cannot be combined with them',
      'leave one of them out',
    );
  if (minDisks !== undefined && maxDisks !== undefined && minDisks > maxDisks)
    add('min_disks', `min_disks ${minDisks} is more than max_disks ${maxDisks}`);
  if (minDisks !== undefined && maxSize !== undefined && maxSize < minDisks)
    add('min_disks', `${minDisks} disks cannot share a size of ${maxSize}: each takes at least 1`);
  return { minSize, maxSize, weight: weight(), copies, minDisks, maxDisks };

  function weight(): number {
    const own = number('weight', WEIGHT) ?? 1;
    if (own > 0 && own < MIN_WEIGHT) add('weight', `a weight below ${MIN_WEIGHT} other than 0 is too small`);
    return own;
  }

  function sizes(): Pick<SpaceNumbers, 'minSize' | 'maxSize'> {
    const size = number('size', SIZE);
    const min = number('min_size', SIZE);
    const max = number('max_size', SIZE);
    if (size !== undefined) {
      const differs = (other: number | undefined): boolean => other !== undefined && other !== size;
      if (differs(min) || differs(max)) warn('size', `size ${size} replaces min_size and max_size`);
      const own = whole('size', size, Math.floor);
      return { minSize: own, maxSize: own };
    }
    const minSize = whole('min_size', min ?? 0, Math.ceil);
    const maxSize = max === undefined ? undefined : whole('max_size', max, Math.floor);
    if (maxSize !== undefined && minSize > maxSize) {
      add('min_size', `min_size ${minSize} is more than max_size ${maxSize}`);
      return { minSize, maxSize: minSize };
    }
    return { minSize, maxSize };
  }

  /** Sizes on disk are whole; a fraction comes from an expression that divides. */
  function whole(field: Field, value: number, round: (value: number) => number): number {
    const rounded = round(value);
    if (rounded !== value) warn(field, `${field} ${value} is taken as ${rounded}`);
    return rounded;
  }

  function number(field: Field, { isWhole, min, max, remedy }: NumberRule): number | undefined {
    const value = members.get(field)?.value ?? null;
    if (value === null) return undefined;
    if (typeof value !== 'number') {
      const isNumeral = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
      return add(field, 'is not a number', isNumeral ? 'leave out the quotes' : remedy, shownPlain(value));
    }
    const isGood = value >= min && value <= max && (!isWhole || Number.isInteger(value));
    if (isGood) return value;
    return add(field, value < 0 ? 'is negative' : 'is out of range', remedy, String(value));
  }

  function add(field: Field, problem: string, remedy?: string, value?: string): undefined {
    const { place } = members.get(field) ?? {};
    return problems.add(place, { field: `${space}.${field}`, value, problem, remedy });
  }

  function warn(field: Field, message: string): void {
    problems.warn(members.get(field)!.place, `${space}: ${message}`);
  }
}
