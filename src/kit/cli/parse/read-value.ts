/** Second half of parsing: what the argument of an option means. */
import { MAX_COUNT, MAX_MIB } from '../../ranges.ts';
import { explainRefusedNumber, readDouble, readInt, readsDouble, readsInt } from '../../text/numbers.ts';
import { inWords } from '../../text/words.ts';
import { parseSize } from '../../units.ts';
import type { FieldSelection, InstanceSize, NumberRange, OptionDefinition } from '../options/option.ts';

/** A value, with a note on a part without effect; or why there is none, and a remedy without "Maybe". */
type Reading<T> = { readonly value: T; readonly note?: string } | RefusedValue;

export interface RefusedValue {
  readonly fault: string;
  readonly remedy?: string;
}

/** Splits at commas; an empty text has no names. */
const splitNames = (text: string): readonly string[] => (text === '' ? [] : text.split(','));

const MIN_SIZE_FIELDS = 3;
const MAX_SIZE_FIELDS = 4;
const USUAL_SPINDLE_USE = 1;

function readFields({ name, columns }: OptionDefinition, text: string): Reading<FieldSelection> {
  const isExtending = text.startsWith('+');
  const names = splitNames(isExtending ? text.slice(1) : text);
  const unknown = names.filter((one) => columns?.includes(one) === false);
  const value = { isExtending, names };
  if (unknown.length === 0) return { value };
  return {
    value,
    note: `--${name}: no column is called '${unknown.join("', '")}'; the columns are ${columns?.join(', ')}`,
  };
}

function readNumber(
  label: string,
  text: string,
  kind: 'integer' | 'float',
  range: NumberRange,
): Reading<number> {
  const isWhole = kind === 'integer';
  // Stock wants a digit ahead of the point, for no reason that a command line has.
  const value = isWhole ? readInt(text) : readDouble(text.replace(/^\.(?=\d)/, '0.'));
  if (value !== undefined) return inRange(label, text, { value }, range);
  return {
    fault: `${label}: ${explainRefusedNumber(text, isWhole ? readsInt : readsDouble)}`,
    remedy: remedyOf(range, isWhole ? 'a whole number' : 'a number'),
  };
}

function readSizeMib(label: string, text: string): Reading<number> {
  const size = parseSize(text);
  return 'problem' in size
    ? { fault: `${label}: ${size.problem}`, remedy: 'give MiB, or a size with its unit, such as 512m or 20g' }
    : inRange(label, text, { value: size.mib }, { atLeast: 0, atMost: MAX_MIB });
}

/** The size of an instance: disk, memory, cpus and, where they count, spindles. */
export function readSize(label: string, text: string): Reading<InstanceSize> {
  const fields = splitNames(text);
  if (fields.length < MIN_SIZE_FIELDS || fields.length > MAX_SIZE_FIELDS)
    return { fault: `Invalid ${label} specification: '${text}', expected disk,ram,cpu` };
  const [disk, memory, cpus, spindles] = fields as [string, string, string, string?];
  const readCount = (what: string, text: string): Reading<number> =>
    readNumber(what, text, 'integer', { atLeast: 0, atMost: MAX_COUNT });
  const readings = [
    readSizeMib(`${label} specs disk`, disk),
    readSizeMib(`${label} specs memory`, memory),
    readCount(`${label} specs cpus`, cpus),
    spindles === undefined ? { value: USUAL_SPINDLE_USE } : readCount(`${label} specs spindles`, spindles),
  ];
  const values: number[] = [];
  for (const reading of readings) {
    if ('fault' in reading) return reading;
    values.push(reading.value);
  }
  const [diskMib, memMib, vcpus, spindleUse] = values as [number, number, number, number];
  return { value: { diskMib, memMib, vcpus, spindleUse } };
}

const isBelow = (value: number, { above, atLeast }: NumberRange): boolean =>
  (above !== undefined && value <= above) || (atLeast !== undefined && value < atLeast);

function remedyOf({ above, atLeast, atMost, remedy }: NumberRange, what = 'a number'): string {
  const least = above === undefined ? `from ${atLeast ?? -atMost} to` : `above ${above}, at most`;
  return remedy ?? `give ${what} ${least} ${atMost}`;
}

/** A number that has no end is outside of every range. */
function inRange(label: string, text: string, read: { value: number }, range: NumberRange): Reading<number> {
  const { value } = read;
  if (value <= range.atMost && !isBelow(value, range)) return read;
  if (range.fault !== undefined && isBelow(value, range)) return { fault: range.fault };
  return { fault: `${label}: '${text}' is out of range`, remedy: remedyOf(range) };
}

function readChoice(definition: OptionDefinition, text: string): Reading<string> {
  const { choices = [], isAddition, unknownChoice } = definition;
  if (choices.includes(text)) return { value: text };
  const quoted = choices.map((choice) => `'${choice}'`);
  const list = `one of ${inWords(quoted, 'or')}`;
  const fault = isAddition ? `${labelOf(definition)}: '${text}' is not known` : unknownChoice?.(text);
  return fault ? { fault, remedy: `give ${list}` } : { fault: `Invalid choice '${text}', pass ${list}` };
}

/** How messages call an option: one of ours as it is written. */
const labelOf = ({ name, label = name, isAddition }: OptionDefinition): string =>
  isAddition ? `--${name}` : label;

/**
 * Reads one use of an option. `before` is the value so far: counts and repeated options add to it, the others
 * replace it. The fault is what the user is told.
 */
export function readValue(
  definition: OptionDefinition,
  argument: string | undefined,
  before: unknown,
): Reading<unknown> {
  const text = argument ?? '';
  const label = labelOf(definition);
  const { isAddition, mayBeEmpty, metavar } = definition;
  if (isAddition && !mayBeEmpty && argument?.trim() === '')
    return { fault: `${label} is empty`, remedy: `give ${metavar}, or leave the option out` };
  switch (definition.kind) {
    case 'flag':
      return { value: true };
    case 'count':
      return { value: (before as number) + 1 };
    case 'text':
      return { value: argument ?? definition.bare };
    case 'repeated':
      return { value: [...(before as readonly string[]), text] };
    case 'names':
      return text === '' && !mayBeEmpty
        ? { value: [], note: `--${definition.name} is empty, and names nothing` }
        : { value: splitNames(text) };
    case 'integer':
    case 'float':
      return readNumber(label, text, definition.kind, definition.range!);
    case 'yes-no': {
      if (argument === undefined) return { value: true };
      const choice = readChoice(definition, text);
      return 'fault' in choice ? choice : { value: choice.value === 'yes' };
    }
    case 'choice':
      return readChoice(definition, text);
    case 'time':
      return /^([01]?\d|2[0-3]):[0-5]\d$/.test(text)
        ? { value: text }
        : { fault: `${label}: '${text}' is no time of day`, remedy: 'give one like 05:00' };
    case 'fields':
      return readFields(definition, text);
    case 'size':
      return readSize(label, text);
    case 'print':
      if (definition.choices) return readChoice(definition, text);
      return { value: argument ?? definition.bare ?? true };
  }
}
