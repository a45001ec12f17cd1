/**
 * What an explanation says: plain data with names instead of positions, so that a writer needs nothing else.
 * Text, JSON and HTML are made from it. Memory and disk in MiB; scores and gains in points of the cluster
 * score, where lower is better and a gain is positive.
 */
import type { FailModeName } from '../cluster/refusal.ts';
import type { Cost } from '../plan/cost.ts';

/** The nodes of an instance, by name; `secondary` is null where it has none. */
export interface NamedPlacement {
  readonly primary: string;
  readonly secondary: string | null;
}

/** What one metric of the score does in a step. */
export interface MetricChange {
  readonly metric: string;
  readonly weight: number;
  /** What it weighed before; only where `--diff` compares clusters that weigh it differently. */
  readonly weightBefore?: number;
  readonly before: number;
  readonly after: number;
  /** `weight * (before - after)`, or with each its own weight: what it takes off the score. */
  readonly gain: number;
  /** Part of the whole gain, 1 for all of it; null where there is no gain to share. */
  readonly share: number | null;
}

/** One rule that says no. */
export interface RuleRefusal {
  /** As in docs/rules.md; `n1-guard` stands for what `--n1-guard` keeps. */
  readonly rule: string;
  /** The stock programs' name for it. */
  readonly mode: FailModeName;
  readonly node: string;
  readonly role: 'primary' | 'secondary';
  /** What the rule needs and what there is, in `unit`; absent where it is no matter of amounts. */
  readonly needed?: number | undefined;
  readonly available?: number | undefined;
  readonly unit?: string | undefined;
  /** What exactly: the tags, the storage pool. */
  readonly detail?: string | undefined;
}

/** Where a move leads, and what it would make of the score. */
export interface Candidate {
  readonly instance: string;
  readonly move: string;
  /** Short form, as step lines have it. */
  readonly notation: string;
  readonly from: NamedPlacement;
  readonly to: NamedPlacement;
  readonly score: number;
  readonly gain: number;
}

/** A move that a rule forbids. */
export interface RefusedCandidate extends Candidate {
  /** In the order in which they show: each of the later ones once those before it are lifted. */
  readonly refusals: readonly RuleRefusal[];
  /**
   * Changes in the words of `--what-if` after which the rules allow the move; null when there are none of
   * this kind.
   */
  readonly lift: readonly string[] | null;
}

/** One step of a plan. */
export interface StepExplanation extends Candidate {
  /** From 1. */
  readonly step: number;
  readonly scoreBefore: number;
  /** Only the metrics that it changes, the largest gain first. Their gains add up to the step's. */
  readonly metrics: readonly MetricChange[];
  readonly cost: Cost;
  /** From 1. */
  readonly jobSet: number;
  /** Moves that would have gained more at this point, the best of each instance, the largest gain first. */
  readonly refused: readonly RefusedCandidate[];
}

/** A whole plan. */
export interface PlanExplanation {
  readonly group: string;
  readonly initialScore: number;
  readonly finalScore: number;
  /** All metrics that differ from start to end. */
  readonly metrics: readonly MetricChange[];
  readonly steps: readonly StepExplanation[];
  /** Moves that would have gained something after the last step. */
  readonly refusedAtEnd: readonly RefusedCandidate[];
  /** Instances whose moves were too many to be looked at for refusals. */
  readonly instancesNotLookedAt: number;
}

/** Why an instance does not move by itself; in the way of every move, where there is one. */
export interface Hold {
  /** `not-movable`, `not-auto-balanced`, `template`, `sticky`... */
  readonly rule: string;
  /** Changes in the words of `--what-if` that let it go; null where an option does. */
  readonly lift: readonly string[] | null;
}

/** A node that an instance could go to. */
export interface Option extends Candidate {
  /** Empty where the rules allow it. */
  readonly refusals: readonly RuleRefusal[];
  readonly lift: readonly string[] | null;
  readonly cost: Cost;
}

/** `--why`: where an instance could go, and why it stays. */
export interface WhyExplanation {
  readonly instance: string;
  readonly group: string;
  readonly at: NamedPlacement;
  readonly score: number;
  readonly holds: readonly Hold[];
  /** The best way to each node in each role, allowed ones first, the largest gain first. */
  readonly options: readonly Option[];
  /**
   * `best-place`: no allowed move lowers the score; `better-elsewhere`: one does; `held`: it may not move;
   * `nowhere`: no move is allowed.
   */
  readonly verdict: 'best-place' | 'better-elsewhere' | 'held' | 'nowhere';
}

/** `--try`: what a move would do. */
export interface TryExplanation extends Candidate {
  readonly isAllowed: boolean;
  readonly holds: readonly Hold[];
  readonly refusals: readonly RuleRefusal[];
  readonly lift: readonly string[] | null;
  readonly scoreBefore: number;
  readonly metrics: readonly MetricChange[];
  readonly cost: Cost;
  readonly commands: readonly string[];
}

/** One rule that is broken as the cluster stands. */
export interface BrokenRuleFacts {
  /**
   * `offline`, `n-plus-one`, `exclusion-tags`, `together`, `pinned`, `keep-off`, `pool-access`; see
   * docs/rules.md.
   */
  readonly rule: string;
  readonly instances: readonly string[];
  readonly nodes: readonly string[];
  /** The tag or the set. */
  readonly detail?: string | undefined;
}

/** What mending came to. */
export interface MendingFacts {
  readonly before: readonly BrokenRuleFacts[];
  readonly after: readonly BrokenRuleFacts[];
  /** How many times rules are broken by what may move. */
  readonly brokenBefore: number;
  readonly brokenAfter: number;
  readonly isFewest: boolean;
  readonly isCheapest: boolean;
}

/** One rule that stops the next instance of a size in one role. */
export interface CapacityObstacle {
  /** As in docs/rules.md; `global-n-plus-one`: some node could not be emptied onto the others any more. */
  readonly rule: string;
  readonly role: 'primary' | 'secondary' | 'any';
  /** What exactly: the storage pool. */
  readonly detail?: string | undefined;
  /** Nodes that refuse because of it. */
  readonly nodes: readonly string[];
  /** The node that lacks least, in `unit`; null where the rule is no matter of amounts. */
  readonly least: {
    readonly node: string;
    readonly needed: number;
    readonly available: number;
    /** How much more would do: a whole number of at least 1. */
    readonly missing: number;
    readonly unit: string;
    /** Just as much as is needed is not enough: some must be left over. */
    readonly mustLeaveSome: boolean;
  } | null;
}

/** A change of the cluster that lets more instances of a size in. */
export interface CapacityLift {
  /** In the words of `--what-if`. */
  readonly lift: readonly string[];
  /** Instances that come in; `isAtLeast`: the count stopped there. */
  readonly gain: number;
  readonly isAtLeast: boolean;
}

/** One thing about tags that is not as it was surely meant. */
export interface LintFinding {
  /** unknown: no program knows it; unmatched: it matches nothing; contradiction; unmeetable. */
  readonly kind: 'unknown' | 'unmatched' | 'contradiction' | 'unmeetable';
  /** What carries the tag: `instance web1`, `node node1`, `the cluster`. */
  readonly subject: string;
  readonly tag: string;
  readonly problem: string;
  readonly remedy: string;
}

/**
 * Figures of one group. Free memory and disk (MiB) are those of its online nodes that may be planned with.
 */
export interface GroupFigures {
  readonly nodes: number;
  readonly onlineNodes: number;
  readonly instances: number;
  readonly freeMemMib: number;
  readonly freeDiskMib: number;
  readonly nodesFailingN1: number;
  readonly score: number;
}

/** One group before and after changes in thought; null where it is not there. */
export interface GroupDifference {
  readonly group: string;
  readonly before: GroupFigures | null;
  readonly after: GroupFigures | null;
  readonly metrics: readonly MetricChange[];
}

/** What `--what-if` makes different. */
export interface Difference {
  /** The changes in their own words. */
  readonly edits: readonly string[];
  readonly groups: readonly GroupDifference[];
}
