/** What a query for allocation candidates asks for, once it has been read and found well formed. */

/** A name and its value, as they stand in a query string. Their order and their repeats carry meaning. */
export type QueryPair = readonly [name: string, value: string];

/** What providers must have, or must not. */
export interface LabelRules {
  /** Every entry is a set of traits of which one is enough; all entries must be met. */
  readonly required: readonly (readonly string[])[];
  readonly forbidden: readonly string[];
  /** Every entry is a set of aggregates of which one is enough; all entries must be met. */
  readonly memberOf: readonly (readonly string[])[];
  readonly notMemberOf: readonly string[];
}

/** A group of resources. That with the empty suffix may be spread over a tree; others take one provider. */
export interface RequestGroup extends LabelRules {
  /** '' or 1 to 64 of letters, digits, `_` and `-`, case sensitive. */
  readonly suffix: string;
  /** Class to amount, at least 1 each. Empty for a group that only names a place (see same_subtree). */
  readonly resources: ReadonlyMap<string, number>;
  /** Uuid of a provider: only its tree will do. */
  readonly inTree: string | undefined;
}

export type GroupPolicy = 'none' | 'isolate';

export interface CandidateRequest {
  /** By suffix, in code unit order, so that the unsuffixed group comes first. */
  readonly groups: readonly RequestGroup[];
  /** What the root of a candidate's tree must have. */
  readonly root: LabelRules;
  /** Lists of suffixes; each list is a condition of its own. */
  readonly sameSubtree: readonly (readonly string[])[];
  readonly groupPolicy: GroupPolicy;
  /** Suffixes of groups whose provider serves no other group. */
  readonly isolate: readonly string[];
  readonly limit: number | undefined;
}

export interface Names {
  readonly classes: readonly string[];
  readonly traits: readonly string[];
}

/** Which names of classes and traits exist; aggregates and providers need not. */
export type Vocabulary = { readonly [Kind in keyof Names]: { readonly has: (name: string) => boolean } };
