/**
 * What each microversion of the service understands in a query. The thresholds are facts of the public
 * interface; 1.40 is ours and has what the original design describes but nobody built: `root_member_of`,
 * `isolate`, and `none` as default policy.
 */
export interface Dialect {
  readonly minor: number;
  readonly limit: boolean;
  readonly required: boolean;
  readonly memberOf: boolean;
  readonly forbiddenTraits: boolean;
  readonly repeatedMemberOf: boolean;
  /** Suffixed groups and `group_policy`. */
  readonly groups: boolean;
  /** Providers of one tree may serve one candidate together. */
  readonly nested: boolean;
  readonly inTree: boolean;
  readonly forbiddenAggregates: boolean;
  /** Suffixes other than numbers. */
  readonly namedSuffixes: boolean;
  readonly rootRequired: boolean;
  readonly sameSubtree: boolean;
  /** `in:` for traits, and repeated `required`. */
  readonly anyTraits: boolean;
  /** The three features beyond the reference, and no more silence about repeats that are ignored. */
  readonly beyond: boolean;
}

/** Minor number of the newest interface of the reference, and of ours. */
export const LATEST_MINOR = 39;
const OWN_MINOR = 40;

/** @param minor 10 (the first that has candidates) to OWN_MINOR */
export const dialectOf = (minor: number): Dialect => ({
  minor,
  limit: minor >= 16,
  required: minor >= 17,
  memberOf: minor >= 21,
  forbiddenTraits: minor >= 22,
  repeatedMemberOf: minor >= 24,
  groups: minor >= 25,
  nested: minor >= 29,
  inTree: minor >= 31,
  forbiddenAggregates: minor >= 32,
  namedSuffixes: minor >= 33,
  rootRequired: minor >= 35,
  sameSubtree: minor >= 36,
  anyTraits: minor >= 39,
  beyond: minor >= OWN_MINOR,
});

/** Everything: what the command line speaks. */
export const FULL_DIALECT: Dialect = dialectOf(OWN_MINOR);
