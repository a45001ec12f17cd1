/** The values of all options, with types that follow from the option table. */
import type { FieldSelection, InstanceSize, OptionDefinition } from './option.ts';
import { OPTIONS, type OptionKey } from './option-table.ts';

type Table = typeof OPTIONS;

interface ValueOfKind {
  flag: boolean;
  count: number;
  text: string;
  repeated: readonly string[];
  names: readonly string[];
  integer: number;
  float: number;
  'yes-no': boolean;
  choice: string;
  fields: FieldSelection;
  size: InstanceSize;
  print: never;
}

/** Kinds that have a value even when the option is absent. */
type AlwaysThere = 'flag' | 'count' | 'repeated' | 'yes-no';

type ValueOf<D extends OptionDefinition> = D extends {
  readonly kind: 'choice';
  readonly completion: { readonly choices: readonly (infer C)[] };
}
  ? C
  : ValueOfKind[D['kind']];

type ValueOrAbsent<D extends OptionDefinition> = 'default' extends keyof D
  ? ValueOf<D>
  : D['kind'] extends AlwaysThere
    ? ValueOf<D>
    : ValueOf<D> | undefined;

type ValueKey = { [K in OptionKey]: Table[K]['kind'] extends 'print' ? never : K }[OptionKey];

/**
 * What the command line said, option by option, with the defaults filled in; an option that the program does not take has its default.
 * Repeated options keep the order of the command line. Units and ranges stand in the option table.
 */
export type CommandOptions = {
  readonly [K in ValueKey]: ValueOrAbsent<Table[K]>;
} & {
  /** 1, plus one for each `-v`, less one for each `-q`; may be negative. */
  readonly verbosity: number;
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

/** The values when the command line is empty. A new object each time, so that a reader may fill it in. */
export function defaultValues(): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [key, definition] of Object.entries<OptionDefinition>(OPTIONS))
    if (definition.kind !== 'print') values[key] = definition.default ?? emptyValue(definition);
  return values;
}
