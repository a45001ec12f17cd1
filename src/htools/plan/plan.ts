/** A plan: a start and ordered steps; made by a search, checked by checker/check.ts. Plain data. */

import type { Snapshot } from '../cluster/snapshot.ts';
import type { Move } from '../model/moves/kinds.ts';

export interface PlanStep extends Move {
  /** Placement before and after the step, as node positions; -1 = no secondary. */
  readonly fromPrimary: number;
  readonly fromSecondary: number;
  readonly toPrimary: number;
  readonly toSecondary: number;
  /** Score of the group after the step. */
  readonly score: number;
}

/** What the moves were allowed to do; the checker holds every step against it. */
export interface PlanLimits {
  readonly ignoreSoftErrors: boolean;
  readonly diskMoves: boolean;
  readonly instanceMoves: boolean;
  readonly restrictedMigration: boolean;
  readonly evacuationOnly: boolean;
  /** The plan is there to mend broken rules, so that sticky instances may move. */
  readonly mendsRules?: boolean | undefined;
  /** Moves may leave the group of the instance (redistribution, compression, load spreading). */
  readonly betweenGroups: boolean;
  /** No disk may be replaced from a primary that nobody can ask; so it is between groups in any case. */
  readonly reachesPrimaries?: boolean | undefined;
  /**
   * Nodes that the plan empties, as positions: an instance on one at the start may move although its
   * auto-balance is off, its nodes are in two groups, or it has no disks. Nothing else lifts these.
   */
  readonly emptiedNodes?: readonly number[] | undefined;
  /**
   * Instances, as positions, that somebody asks to be moved: only they move, although their auto-balance may
   * be off. As in the stock programs a failover goes to their secondary even where it is offline, and those
   * on nodes of two groups may stay so.
   */
  readonly requestedInstances?: readonly number[] | undefined;
  /** Groups, as positions, that somebody asks these instances to go to, whatever tag keeps them. */
  readonly requestedGroups?: readonly number[] | undefined;
  /** Nodes, as positions, that take nothing, since they are to be left. */
  readonly closedNodes?: readonly number[] | undefined;
  /** Groups that the plan leaves without instances on offline nodes and nodes that fail N+1. */
  readonly healthyGroups?: readonly number[] | undefined;
  /** Groups, as positions, that the plan leaves without any instance, those to come included. */
  readonly emptyGroups?: readonly number[] | undefined;
}

/** Limits of steps that somebody asks for, wherever they lead. */
type AskedLimits = Omit<
  PlanLimits,
  'instanceMoves' | 'restrictedMigration' | 'evacuationOnly' | 'betweenGroups'
>;

/** Such steps as a plan, to be held against the rules: the score of no group is followed. */
export const unscoredPlan = (start: Snapshot, steps: readonly PlanStep[], limits: AskedLimits): Plan => ({
  start,
  nodes: [],
  limits: {
    instanceMoves: true,
    restrictedMigration: false,
    evacuationOnly: false,
    betweenGroups: true,
    ...limits,
  },
  initialScore: 0,
  finalScore: 0,
  steps,
});

export interface Plan {
  readonly start: Snapshot;
  /** Positions of the nodes that the plan works on and whose score it reports (usually one group's). */
  readonly nodes: readonly number[];
  readonly limits: PlanLimits;
  readonly initialScore: number;
  readonly finalScore: number;
  readonly steps: readonly PlanStep[];
}

/** `memoryGib` is migrated, `stops` are failovers that stop a running instance. */
export const CAP_NAMES = ['copiedGib', 'memoryGib', 'migrations', 'stops', 'steps'] as const;
export type PlanAmounts = Readonly<Record<(typeof CAP_NAMES)[number], number>>;

export const amountsBy = (of: (what: keyof PlanAmounts) => number): PlanAmounts =>
  Object.fromEntries(CAP_NAMES.map((what) => [what, of(what)])) as PlanAmounts;

export const NO_CAPS = amountsBy(() => Number.POSITIVE_INFINITY);
