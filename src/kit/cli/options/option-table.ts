/** Tables of options, made from what is to be said about each kind. */
import type { Completion, OptionDefinition, OptionKind } from './option.ts';

type Entry<
  Kind extends OptionKind,
  Must extends keyof OptionDefinition = never,
  May extends keyof OptionDefinition = never,
> = { readonly kind: Kind } & Required<Pick<OptionDefinition, 'help' | 'manual' | Must>> &
  Partial<Pick<OptionDefinition, 'name' | 'aliases' | 'short' | 'completion' | 'group' | 'isEveryday' | May>>;

/** An option as it is stated: what its kind needs, and what it may have. */
export type OptionEntry =
  | Entry<'flag' | 'count'>
  | Entry<'text', 'metavar', 'default' | 'bare'>
  | Entry<'names', 'metavar', 'default'>
  | Entry<'repeated', 'metavar'>
  | Entry<'integer' | 'float', 'metavar' | 'label' | 'range', 'default' | 'unit'>
  | Entry<'size', 'metavar' | 'label'>
  | Entry<'yes-no' | 'time', 'metavar'>
  | Entry<'choice', 'metavar' | 'choices', 'default' | 'unknownChoice'>
  | Entry<'fields', 'metavar' | 'columns'>
  | Entry<'print', never, 'metavar' | 'choices' | 'bare'>;

type Filled<T, Group extends string> = {
  readonly [K in keyof T]: T[K] &
    Pick<OptionDefinition, 'name' | 'argument' | 'completion'> & {
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
        completion: COMPLETIONS[entry.kind] ?? 'none',
        group,
        ...(entry.kind === 'yes-no' && { choices: ['yes', 'no'] }),
        ...entry,
      },
    ]),
  );
  return filled as Filled<T, Group>;
}
