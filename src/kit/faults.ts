/**
 * What went wrong, who has to act, and the exit code. Expected failure ("does not fit") is a value (see
 * refusal.ts). A message says what is wrong with the values; the remedy follows "Maybe".
 */
import { EXIT, statusAsAsked } from './exit-status.ts';

export abstract class Fault extends Error {
  abstract readonly code: string;
  readonly exitCode: number = EXIT.no;
  /** What it was put together from, if it was: see cli/all-said.ts. */
  declare readonly parts?: readonly Fault[];

  constructor(
    message: string,
    readonly remedy?: string,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** What is wrong with a value (the words that follow the name of its field), and what to do about it. */
export interface ValueFault {
  readonly problem: string;
  /** Without its "Maybe". */
  readonly remedy: string;
}

/** The command line cannot be understood (unknown or ambiguous option: exit 2; bad value: exit 1). */
export class UsageError extends Fault {
  readonly code = 'USAGE';

  /** @param unknown what was not known: the remedy then begins with what was probably meant. */
  constructor(
    message: string,
    remedy?: string,
    override readonly exitCode: number = EXIT.no,
    readonly unknown: readonly UnknownWord[] = [],
  ) {
    super(message, remedy);
  }
}

/** A word, and those that would have been known in its place. */
export interface UnknownWord {
  readonly word: string;
  readonly known: readonly string[];
}

/** One thing wrong in an input: where it is, what was found and what would be right. */
export interface InputProblem {
  /** 1-based line, where the input has lines. */
  readonly line?: number | undefined;
  /** 1-based column (of the `|`-separated field's first character), where known. */
  readonly column?: number | undefined;
  /** Name of the field, or its path in a JSON document (`nodes.node1.total_memory`). */
  readonly field?: string | undefined;
  /** The offending value, cut to a readable length. */
  readonly value?: string | undefined;
  readonly problem: string;
  /** What to do about it; printed after "Maybe". */
  readonly remedy?: string | undefined;
}

/** An input (file, request, simulation spec) is not what it should be. Carries all its problems at once. */
export class InputError extends Fault {
  readonly code = 'INPUT';

  /** @param source file name, `-` for standard input, or the option that carried the text. */
  constructor(
    readonly source: string,
    readonly problems: readonly InputProblem[],
  ) {
    const first = problems[0];
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
    super(`${source}: ${first ? first.problem : 'invalid input'}${more}`, first?.remedy);
  }
}

/** A data source did not answer, or answered nonsense. */
export class BackendError extends Fault {
  readonly code = 'BACKEND';
}

/** A well-formed request that cannot be carried out (unknown group or node, unwritable file...). */
export class ExecutionError extends Fault {
  readonly code = 'EXECUTION';
}

export class JobsFailedError extends Fault {
  readonly code = 'JOBS';
}

/** The cluster is no longer what the plan being carried out assumes; nothing more was submitted. */
export class ClusterChangedError extends Fault {
  readonly code = 'CHANGED';
  override readonly exitCode = EXIT.changed;
}

/** A signal, whose name is the message, has ended the program, which has told how far it is. */
export class InterruptedError extends Fault {
  readonly code = 'INTERRUPTED';
  override readonly exitCode = statusAsAsked('interrupted');
}

/** Our own bug: a broken invariant, or a plan that the checker refuses. */
export class InternalError extends Fault {
  readonly code = 'INTERNAL';
  override readonly exitCode = EXIT.internal;

  constructor(message: string) {
    super(message, 'this is a fault of Evenkeel; please report it with the input file and the command line');
  }
}

/** The same error, of the same class, with words in front of its message. */
export function introduced<E extends Error>(words: string, error: E): E {
  const value = `${words}: ${error.message}`;
  return Object.create(Object.getPrototypeOf(error), {
    ...Object.getOwnPropertyDescriptors(error),
    message: { value, writable: true, configurable: true },
  });
}
