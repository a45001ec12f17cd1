/** The shape of an option's definition. All that is said or done about an option comes from one of these. */

/** Options that belong together, in `--help` and in the manual page. */
interface OptionGroup {
  readonly heading: string;
  /** What they are about, in a few words; groups without are left out where `--help` lists them. */
  readonly about?: string;
}

/** By the names that options give; in the order in which they are shown. */
export type OptionGroups = Readonly<Record<string, OptionGroup>>;

/**
 * What a shell may offer for the argument, in the words of `--help-completion`; what begins with one and many
 * is a name of something that the product knows.
 */
export type Completion =
  | 'none'
  | 'file'
  | 'dir'
  | 'host'
  | 'integer'
  | 'float'
  | 'string'
  | `one${string}`
  | `many${string}`;

/**
 * What becomes of the argument: flag, count: nothing to read; text: as it is; repeated: each use adds one
 * text; names: split at commas; integer, float: read-value.ts; yes-no: true when bare; choice: one of
 * `choices`; time: of day, `HH:MM`; fields: columns of a table; size: `disk,memory,cpus[,spindles]`; print:
 * the program prints something and ends.
 */
export interface ValueOfKind {
  flag: boolean;
  count: number;
  text: string;
  repeated: readonly string[];
  names: readonly string[];
  integer: number;
  float: number;
  'yes-no': boolean;
  choice: string;
  time: string;
  fields: FieldSelection;
  size: InstanceSize;
  print: never;
}
export type OptionKind = keyof ValueOfKind;

/** Columns chosen for a table. No names and not extending: the usual columns. */
export interface FieldSelection {
  /** The names come after the usual columns (the list started with `+`). */
  readonly isExtending: boolean;
  readonly names: readonly string[];
}

/** Size of an instance as `--standard-alloc` and `--tiered-alloc` take it. */
export interface InstanceSize {
  readonly diskMib: number;
  readonly memMib: number;
  readonly vcpus: number;
  readonly spindleUse: number;
}

export interface NumberRange {
  /** It must be larger than this... */
  readonly above?: number;
  /** ...or at least this... */
  readonly atLeast?: number;
  /** ...and at most this. */
  readonly atMost: number;
  /** Said when it is too small, where scripts know the words; else it is called out of range. */
  readonly fault?: string;
  /** What to do about a number out of range, without its "Maybe"; the ends of the range when left out. */
  readonly remedy?: string;
}

/** All that is known of an option; what of it is stated, `OptionEntry` says. */
export interface OptionDefinition {
  /** Long name without the dashes; the key with dashes, unless stated. */
  readonly name: string;
  /** Other long names; they are accepted but not shown by `--help-completion`. */
  readonly aliases?: readonly string[];
  /** One letter. */
  readonly short?: string;
  readonly kind: OptionKind;
  /** required: glued or the next word. glued: may be left out, and is taken only when attached. */
  readonly argument: 'none' | 'required' | 'glued';
  /** How usage and messages call the argument. */
  readonly metavar?: string;
  /** Value when the option is given without its argument, which may then be left out. */
  readonly bare?: string;
  /** Value when the option is not given. Without it: false, 0, an empty list, or undefined, by kind. */
  readonly default?: string | number | readonly string[];
  /** Unit of the value (`MiB`, `virtual cpus per cpu`). */
  readonly unit?: string;
  /**
   * Its argument is a file that is written, but for what stands for standard output, or what the names of
   * such files begin with (`stem`). Where it cannot be, the program does not begin, or warns where that is
   * `if-possible`.
   */
  readonly isWritten?: true | 'stem' | 'if-possible';
  /** An empty argument says something. That of a stock option always may be given. */
  readonly mayBeEmpty?: true;
  /** What the number must be. Each has a range: what is read, and computed from it, is finite. */
  readonly range?: NumberRange;
  /** The columns that there are. */
  readonly columns?: readonly string[];
  /** How messages of the stock programs call it, where not by its name. */
  readonly label?: string;
  readonly choices?: readonly string[];
  readonly unknownChoice?: (value: string) => string;
  /** That of the kind, unless stated. */
  readonly completion: Completion;
  /** That of the table, unless stated. */
  readonly group: string;
  /** Shown by `--help` without a topic. */
  readonly isEveryday?: true;
  /** One line, lower case, no full stop. */
  readonly help: string;
  /** Paragraphs for the man page, divided by empty lines; `*x*` is bold and `_x_` is a placeholder. */
  readonly manual: string;
  /** Not known to the stock programs: gives way to theirs when an abbreviation fits both. */
  readonly isAddition?: boolean;
}

export type OptionTable<Group extends string = string> = Readonly<
  Record<string, OptionDefinition & { readonly group: Group }>
>;
