import { InputError, type InputProblem } from '../../../src/kit/faults.ts';

/** The problems with which reading an input fails; an empty list when it does not fail. */
export function problemsOf(read: () => unknown): readonly InputProblem[] {
  try {
    read();
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
  return [];
}
