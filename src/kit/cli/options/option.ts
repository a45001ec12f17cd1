/**
 * The shape of an option's definition. Everything that is said or done about an option comes from one such
 * object.
 */

/** Headings of `--help` and of the man page's option block, in the order in which they are shown. */
export const OPTION_GROUPS = [
  'input',
  'search',
  'allocation',
  'ledger',
  'binding',
  'output',
  'execution',
  'general',
] as const;
export type OptionGroup = (typeof OPTION_GROUPS)[number];

/** What a shell may offer for the argument, in the words of `--help-completion`. */
export type Completion =
  | 'none'
  | 'file'
  | 'dir'
  | 'host'
  | 'onenode'
  | 'manynodes'
  | 'manyinstances'
  | 'onegroup'
  | 'integer'
  | 'float'
  | 'string'
  | { readonly choices: readonly string[] };

/**
 * What becomes of the argument: flag, count: nothing to read; text: as it is; repeated: each use adds one
 * text; names: split at commas; integer, float: read-value.ts; yes-no: true when bare; choice: one of
 * `completion.choices`; fields: columns of a table; size: `disk,memory,cpus[,spindles]`; print: the program
 * prints something and ends.
 */
export type OptionKind =
  | 'flag'
  | 'count'
  | 'text'
  | 'repeated'
  | 'names'
  | 'integer'
  | 'float'
  | 'yes-no'
  | 'choice'
  | 'fields'
  | 'size'
  | 'print';

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
  readonly cpuCount: number;
  readonly spindleUse: number;
}

export interface NumberRange {
  /** It must be larger than this... */
  readonly above?: number;
  /** ...or at least this... */
  readonly atLeast?: number;
  /** ...and at most this. */
  readonly atMost: number;
  /**
   * What is said when it is too small, where scripts know the words; else it is said that it is out of range.
   */
  readonly fault?: string;
  /** What to do about a number out of range, without its "Maybe"; the ends of the range when left out. */
  readonly remedy?: string;
}

export interface OptionDefinition {
  /** Long name without the dashes. */
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
  /** Value when the option is given without its glued argument (kind text only). */
  readonly bare?: string;
  /** Value when the option is not given. Without it: false, 0, an empty list, or undefined, by kind. */
  readonly default?: string | number | readonly string[];
  /** Unit of the value (`MiB`, `virtual cpus per cpu`). */
  readonly unit?: string;
  /**
   * What the number must be. Every number has a range: what is read is finite, and so is what is computed
   * from it.
   */
  readonly range?: NumberRange;
  /** The columns that there are (kind fields only). */
  readonly columns?: readonly string[];
  /** How messages about an unreadable value call it. */
  readonly label?: string;
  /** The message for a value that is not among the choices. */
  readonly unknownChoice?: (value: string) => string;
  readonly completion: Completion;
  readonly group: OptionGroup;
  /** One line, lower case, no full stop. */
  readonly help: string;
  /** Paragraphs for the man page, divided by empty lines; `*x*` is bold and `_x_` is a placeholder. */
  readonly manual: string;
  /** Not known to the stock programs: gives way to theirs when an abbreviation fits both. */
  readonly isAddition?: true;
}

/** The choices of options that say yes or no. */
export const YES_NO = { choices: ['yes', 'no'] } as const;

/** Options by the keys under which programs find their values. */
export type OptionTable = Readonly<Record<string, OptionDefinition>>;
