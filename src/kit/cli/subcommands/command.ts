/**
 * Programs that do several things under one name: `hclaim claim ...`, `hclaim provider add ...`. Everything
 * that is said or done about a command comes from one such object: finding it, `--help`, completion and the
 * manual page.
 */
/** A word behind the command. */
interface CommandArgument {
  /** How usage and messages call it. */
  readonly metavar: string;
  readonly isOptional?: true;
  /** May be given several times; only the last argument can. */
  readonly isRepeated?: true;
}

export interface CommandDefinition {
  /** `claim`, or `provider add`. */
  readonly words: string;
  readonly arguments: readonly CommandArgument[];
  /** Keys of options that not every command of the program takes. */
  readonly options: readonly string[];
  /** Shown by `--help` without a topic. */
  readonly isEveryday?: true;
  /** One line, lower case, no full stop. */
  readonly summary: string;
  /** Paragraphs for the manual page, as in OptionDefinition. */
  readonly manual: string;
}

/** `claim PROVIDER=CLASS:N,... [PROVIDER=CLASS:N,...]`. */
export const usageOf = ({ words, arguments: args }: CommandDefinition): string =>
  [words, ...args.map(shownArgument)].join(' ');

const shownArgument = ({ metavar, isOptional, isRepeated }: CommandArgument): string =>
  isOptional ? `[${metavar}${isRepeated ? '...' : ''}]` : `${metavar}${isRepeated ? '...' : ''}`;
