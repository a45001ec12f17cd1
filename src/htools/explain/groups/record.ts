/**
 * What an explanation between groups says, beside src/htools/explain/record.ts: plain data with names. Memory
 * and disk in MiB, scores in points of one group's score, where lower is better and a gain is positive.
 */
import type { Cost } from '../../plan/cost.ts';
import type { TargetRefusal } from '../../planners/groups/homes/targets.ts';
import type { Hold, MetricChange, NamedPlacement, RuleRefusal } from '../record.ts';

/** The nodes of an instance, and their group. */
export interface GroupPlace extends NamedPlacement {
  readonly group: string;
}

/** What becomes of one group's score. */
export interface GroupChange {
  readonly group: string;
  readonly scoreBefore: number;
  readonly score: number;
  readonly gain: number;
  /** Only the metrics that change, the largest gain first. Their gains add up to the group's. */
  readonly metrics: readonly MetricChange[];
}

/** What a group says that does not take an instance. */
export type GroupRefusal = Omit<TargetRefusal, 'group'> & { readonly group: string };

/** An instance that goes to other nodes, in its group or in another one. */
export interface RelocationFacts {
  readonly instance: string;
  readonly from: GroupPlace;
  readonly to: GroupPlace;
  /** In short form, as the lines of the plan have them. */
  readonly steps: readonly string[];
  /** The group that it leaves, and then the one that it comes to; one where it stays in its group. */
  readonly groups: readonly GroupChange[];
  readonly cost: Cost;
  readonly commands: readonly string[];
}

/** One move of a plan. */
export interface RelocationStep extends RelocationFacts {
  /** From 1. */
  readonly step: number;
  readonly jobSet: number;
  /** Groups that would have taken it as well at this point. */
  readonly alsoOpen: readonly string[];
  /** What the others said. */
  readonly refused: readonly GroupRefusal[];
}

/** A plan between groups. */
export interface RelocationsExplanation {
  /** Groups whose score differs from start to end. */
  readonly groups: readonly GroupChange[];
  readonly steps: readonly RelocationStep[];
}

/** `--try`: what moving an instance there would do. */
export interface RelocationTry extends RelocationFacts {
  readonly isAllowed: boolean;
  readonly holds: readonly Hold[];
  /** Why the group as a whole does not take it. */
  readonly groupRefusals: readonly GroupRefusal[];
  /** Rules of nodes that say no, on the way that comes first. */
  readonly refusals: readonly RuleRefusal[];
  /**
   * Changes in the words of `--what-if` after which the nodes allow it; null when there are none of this
   * kind.
   */
  readonly lift: readonly string[] | null;
}
