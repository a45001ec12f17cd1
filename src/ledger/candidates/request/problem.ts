/** What is wrong with a query. All problems of a query are gathered; none is thrown. */
import type { Dialect } from './dialect.ts';

/** Machine-readable codes of the public interface. */
export const BAD_VALUE = 'placement.query.bad_value';
export const MISSING_VALUE = 'placement.query.missing_value';
export const DUPLICATE_KEY = 'placement.query.duplicate_key';

type ProblemCode = typeof BAD_VALUE | typeof MISSING_VALUE | typeof DUPLICATE_KEY;

export interface QueryProblem {
  /** Name of the parameter, `query` where no single one is to blame. */
  readonly parameter: string;
  readonly value?: string | undefined;
  readonly problem: string;
  /** undefined: it has none of its own. */
  readonly code: ProblemCode | undefined;
  /** What to do about it, without "Maybe". */
  readonly remedy?: string | undefined;
}

type Complain = (problem: string, code?: ProblemCode, remedy?: string) => void;

/** A query being read in a dialect: gathers its problems. */
export class Reading {
  readonly problems: QueryProblem[] = [];

  constructor(readonly dialect: Dialect) {}

  of(parameter: string, value?: string): Complain {
    return (problem, code, remedy) =>
      this.problems.push({ parameter, value, problem, code, ...(remedy === undefined ? {} : { remedy }) });
  }
}
