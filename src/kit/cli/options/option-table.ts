/** Tables of options, made from what is to be said about each kind. */
import type { Completion, NumberRange, OptionDefinition, OptionKind } from './option.ts';

type Said<Must extends keyof OptionDefinition, May extends keyof OptionDefinition> = Required<
  Pick<OptionDefinition, 'help' | 'manual' | Must>
> &
  Partial<Pick<OptionDefinition, 'name' | 'aliases' | 'short' | 'completion' | 'group' | 'isEveryday' | May>>;

type Entry<
  Kind extends OptionKind,
  Must extends keyof OptionDefinition = never,
  May extends keyof OptionDefinition = never,
> = { readonly kind: Kind } & Said<Must, May>;

/** Of a kind that goes without saying. */
type Plain<
  Kind extends OptionKind,
  Must extends keyof OptionDefinition = never,
  May extends keyof OptionDefinition = never,
> = { readonly kind?: Kind; readonly range?: never } & Said<Must, May>;

/**
 * An option as it is stated: what its kind needs, and what it may have. Without a kind it is a choice where
 * it has choices, text where it has an argument, and else a flag.
 */
export type OptionEntry =
  | Plain<'flag'>
  | Plain<'text', 'metavar', 'default' | 'bare' | 'mayBeEmpty' | 'isWritten'>
  | Plain<'choice', 'metavar' | 'choices', 'default' | 'unknownChoice'>
  | Entry<'count'>
  | Entry<'names', 'metavar', 'default' | 'mayBeEmpty'>
  | Entry<'repeated', 'metavar'>
  | Entry<'integer' | 'float', 'metavar' | 'range', 'default' | 'label' | 'unit'>
  | Entry<'size', 'metavar', 'label'>
  | Entry<'yes-no' | 'time', 'metavar'>
  | Entry<'fields', 'metavar' | 'columns'>
  | Entry<'print', never, 'metavar' | 'choices' | 'bare'>;

type KindOf<T> = T extends { readonly kind: infer Kind extends OptionKind }
  ? Kind
  : T extends { readonly choices: unknown }
    ? 'choice'
    : T extends { readonly metavar: string }
      ? 'text'
      : 'flag';

type Filled<T, Group extends string> = {
  readonly [K in keyof T]: T[K] &
    Pick<OptionDefinition, 'name' | 'argument' | 'completion'> & {
      readonly kind: KindOf<T[K]>;
      readonly group: T[K] extends { readonly group: infer Own extends string } ? Own : Group;
    };
};

/** What a shell offers for most options of a kind. */
const COMPLETIONS: Partial<Record<OptionKind, Completion>> = {
  text: 'string',
  names: 'string',
  repeated: 'string',
  integer: 'integer',
  float: 'float',
  size: 'string',
};

const kindOf = ({ kind, choices, metavar }: Partial<OptionDefinition>): OptionKind =>
  kind ?? (choices ? 'choice' : metavar === undefined ? 'flag' : 'text');

const argumentOf = ({ kind, metavar, bare }: Partial<OptionDefinition>): OptionDefinition['argument'] => {
  if (metavar === undefined) return 'none';
  return bare !== undefined || kind === 'yes-no' || kind === 'fields' ? 'glued' : 'required';
};

/** The long name of an option that states none. */
export const nameOfKey = (key: string): string =>
  key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** @param group of the options that state no other */
export function optionTable<
  const Group extends string,
  const T extends Readonly<Record<string, OptionEntry>>,
>(group: Group, entries: T): Filled<T, Group> {
  const filled: Readonly<Record<string, object>> = Object.fromEntries(
    Object.entries(entries).map(([key, entry]) => [
      key,
      {
        name: nameOfKey(key),
        argument: argumentOf(entry),
        completion: COMPLETIONS[kindOf(entry)] ?? 'none',
        kind: kindOf(entry),
        group,
        ...(entry.kind === 'yes-no' && { choices: ['yes', 'no'] }),
        ...entry,
      },
    ]),
  );
  return filled as Filled<T, Group>;
}

/** The argument is a file. */
export const FILE = { metavar: 'FILE', completion: 'file' } as const;
/** One that is written. */
export const WRITTEN_FILE = { ...FILE, isWritten: true } as const;

const ofKind =
  <const Kind extends OptionKind>(kind: Kind) =>
  <const Name extends string>(metavar: Name) =>
    ({ kind, metavar }) as const;

/** Each use adds one text. */
export const repeated = ofKind('repeated');
/** Texts that commas part. */
export const listed = ofKind('names');

const numberOf =
  <const Kind extends 'integer' | 'float'>(kind: Kind) =>
  <const Name extends string>(metavar: Name, range: NumberRange) =>
    ({ kind, metavar, range }) as const;
export const integer = numberOf('integer');
export const float = numberOf('float');
