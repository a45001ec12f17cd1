/**
 * A query being read: what each microversion of the service understands in it, and what is wrong with it. The
 * thresholds are facts of the public interface; 1.40 is ours and has what the original design describes but
 * nobody built: `root_member_of`, `isolate`, and `none` as default policy.
 */

/** Minor number of the newest interface of the reference, and of ours. */
export const LATEST_MINOR = 39;
const OWN_MINOR = 40;

const SINCE = {
  limit: 16,
  required: 17,
  memberOf: 21,
  forbiddenTraits: 22,
  repeatedMemberOf: 24,
  /** Suffixed groups and `group_policy`. */
  groups: 25,
  /** Providers of one tree may serve one candidate together. */
  nested: 29,
  inTree: 31,
  forbiddenAggregates: 32,
  /** Suffixes other than numbers. */
  namedSuffixes: 33,
  rootRequired: 35,
  sameSubtree: 36,
  /** `in:` for traits, and repeated `required`. */
  anyTraits: 39,
  /** The three features beyond the reference, and no more silence about repeats that are ignored. */
  beyond: OWN_MINOR,
};

type Feature = keyof typeof SINCE;
export type Dialect = { readonly minor: number } & Readonly<Record<Feature, boolean>>;

/** @param minor 10 (the first that has candidates) to OWN_MINOR */
export const dialectOf = (minor: number): Dialect => {
  const features = Object.entries(SINCE).map(([feature, since]) => [feature, minor >= since]);
  return { minor, ...(Object.fromEntries(features) as Record<Feature, boolean>) };
};

/** Everything: what the command line speaks. */
export const FULL_DIALECT: Dialect = dialectOf(OWN_MINOR);

/** How clients of the public interface know what its schemas refuse. */
export const INVALID = 'Invalid query string parameters: ';

export const BAD_VALUE = 'placement.query.bad_value';
export const MISSING_VALUE = 'placement.query.missing_value';
export const DUPLICATE_KEY = 'placement.query.duplicate_key';

type ProblemCode = typeof BAD_VALUE | typeof MISSING_VALUE | typeof DUPLICATE_KEY;

export interface QueryProblem {
  /** Name of the parameter, `query` where no single one is to blame. */
  readonly parameter: string;
  readonly value?: string | undefined;
  readonly problem: string;
  /** The same for people, where the public words are made of patterns. */
  readonly plain?: string | undefined;
  readonly code: ProblemCode | undefined;
  /** What to do about it, without "Maybe". */
  readonly remedy?: string | undefined;
}

type Complain = (problem: string, code?: ProblemCode, remedy?: string, plain?: string) => void;

/** A query being read in a dialect: all its problems are gathered, and none is thrown. */
export class Reading {
  readonly problems: QueryProblem[] = [];

  constructor(readonly dialect: Dialect) {}

  of(parameter: string, value?: string): Complain {
    return (problem, code, remedy, plain) =>
      this.problems.push({ parameter, value, problem, plain, code, ...(remedy && { remedy }) });
  }
}
