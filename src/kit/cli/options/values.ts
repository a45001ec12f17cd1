/** The values of options, with types that follow from the tables of options and programs. */
import type { OptionDefinition, OptionTable, ValueOfKind } from './option.ts';

/** Kinds that have a value even when the option is absent. */
type AlwaysThere = 'flag' | 'count' | 'repeated' | 'yes-no';

type ValueOf<D extends OptionDefinition> = D extends {
  readonly kind: 'choice';
  readonly choices: readonly (infer C)[];
}
  ? C
  : ValueOfKind[D['kind']];

type ValueOrAbsent<D extends OptionDefinition> = 'default' extends keyof D
  ? ValueOf<D>
  : D['kind'] extends AlwaysThere
    ? ValueOf<D>
    : ValueOf<D> | undefined;

type ValueKey<T extends OptionTable> = {
  [K in keyof T]: T[K]['kind'] extends 'print' ? never : K;
}[keyof T];

/** 1, plus one for each `-v`, less one for each `-q`; may be negative. */
interface Verbosity {
  readonly verbosity: number;
}

export type OptionValues<T extends OptionTable> = {
  readonly [K in ValueKey<T>]: ValueOrAbsent<T[K]>;
} & Verbosity;

/**
 * What the command line said, by option, with defaults; of options that the program takes only. Repeated ones
 * keep their order. Units and ranges stand in the tables.
 */
export type ValuesOfProgram<Values, Key> = Pick<Values, Extract<Key | 'verbosity', keyof Values>>;

/** Options that a part of several programs asks for; those that a program does not take are not there. */
export type SomeOf<Values, Key extends keyof Values> = {
  readonly [K in Key]?: Values[K] | undefined;
};

const emptyValue = (definition: OptionDefinition): unknown => {
  switch (definition.kind) {
    case 'flag':
    case 'yes-no':
      return false;
    case 'count':
      return 0;
    case 'repeated':
      return [];
    default:
      return undefined;
  }
};

/** The values for an empty command line; a new object each time, so that a reader may fill it in. */
export function defaultValues(options: OptionTable): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [key, definition] of Object.entries(options))
    if (definition.kind !== 'print') values[key] = definition.default ?? emptyValue(definition);
  return values;
}
