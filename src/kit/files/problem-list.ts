/** Collects what is wrong with one input, so that all of it is reported together, in bounded memory. */
import { InputError, type InputProblem } from '../faults.ts';
import { shorten } from '../printable.ts';

/** Problems that are kept and shown; the others are counted. */
const SHOWN = 20;
/** A file with this many problems is not the kind of file that was meant; reading on would only cost time. */
const GIVE_UP_AT = 1000;

export class ProblemList {
  private readonly shown: InputProblem[] = [];
  private count = 0;

  /** @param source what the problems are reported against: file name, `-`, or an option. */
  constructor(private readonly source: string) {}

  /** @throws InputError when there are so many that reading on makes no sense. */
  add(problem: InputProblem): void {
    this.count++;
    if (this.shown.length < SHOWN) {
      const value = problem.value === undefined ? undefined : shorten(problem.value);
      this.shown.push({ ...problem, value });
    }
    if (this.count >= GIVE_UP_AT) this.fail('reading stopped here');
  }

  /** @throws InputError with everything collected, when there is anything. */
  throwIfAny(): void {
    if (this.count > 0) this.fail();
  }

  private fail(ending?: string): never {
    const hidden = this.count - this.shown.length;
    const notes = [hidden > 0 ? `${hidden} more are not shown` : undefined, ending].filter(
      (note) => note !== undefined,
    );
    const rest: InputProblem[] = notes.length > 0 ? [{ problem: notes.join('; ') }] : [];
    throw new InputError(this.source, [...this.shown, ...rest]);
  }
}
