/**
 * The full account of allocations: every node that was tried as a primary, what became of its pairs, and why
 * nodes were refused. Pairs are summed up by primary and by secondary, since a large cluster has a hundred
 * thousand of them.
 */
import { kept } from '../../../../kit/kept.ts';
import { FAIL_N1 } from '../../../cluster/refusal.ts';
import type { Refusal } from '../../../cluster/rules.ts';
import type { Instance } from '../../../cluster/snapshot.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import type { CandidateTrace, Placement, Refused } from '../solution.ts';
import { type ExplainedRefusal, explainRefusal } from './refusal-figures.ts';

/** Candidates refused on one node for one reason; the figures are those of the first. */
export interface CountedRefusal extends ExplainedRefusal {
  count: number;
}

export interface TriedPrimary {
  readonly node: number;
  /** Why it cannot be primary at all. */
  refusal?: CountedRefusal;
  /** Allowed candidates: 0 or 1 for single nodes, else secondaries. */
  allowed: number;
  /** The lowest score, and the secondary that goes with it (-1 for single nodes). */
  best?: { readonly secondary: number; readonly score: number };
  /** Secondaries refused with this primary, by rule. */
  readonly refusedSecondaries: Map<string, number>;
  /** Nodes that could no longer be evacuated with the instance on this primary. */
  readonly stuckNodes: Set<number>;
}

/** One instance that was to be placed, in all groups that were asked. */
export interface TracedAttempt {
  readonly instance: Instance;
  readonly primaries: Map<number, TriedPrimary>;
  /** Refusals as secondary, by node and rule. */
  readonly secondaries: Map<string, CountedRefusal>;
}

export class AllocationTrace implements CandidateTrace {
  readonly attempts: TracedAttempt[] = [];

  constructor(private readonly state: ClusterState) {}

  begin(instance: Instance): void {
    this.attempts.push({ instance, primaries: new Map(), secondaries: new Map() });
  }

  /** To be called while the instance is the state's last one. */
  refused({ primary, secondary, code, count, stuck }: Refused): void {
    const i = this.state.instanceCount - 1;
    const tried = this.primaryOf(primary);
    if (code === FAIL_N1) {
      const refusal: Refusal = { mode: 'FailN1', rule: 'global-n-plus-one', node: primary };
      tried.allowed -= count;
      if (stuck !== undefined && stuck >= 0) tried.stuckNodes.add(stuck);
      if (secondary < 0) tried.refusal = { ...refusal, count };
      else countIn(tried.refusedSecondaries, refusal.rule, count);
      return;
    }
    if (secondary < 0) {
      tried.refusal = { ...explainRefusal(this.state, i, primary, { kind: 'primary' }, code), count };
      return;
    }
    const role = { kind: 'secondary', primary } as const;
    const refusal = explainRefusal(this.state, i, secondary, role, code);
    countIn(tried.refusedSecondaries, refusal.rule, count);
    const { secondaries } = this.attempts.at(-1)!;
    kept(secondaries, `${secondary} ${refusal.rule}`, () => ({ ...refusal, count: 0 })).count += count;
  }

  scored({ primary, secondary }: Placement, score: number): void {
    const tried = this.primaryOf(primary);
    tried.allowed++;
    if (!tried.best || !(tried.best.score < score)) tried.best = { secondary, score };
  }

  private primaryOf(node: number): TriedPrimary {
    return kept(this.attempts.at(-1)!.primaries, node, () => ({
      node,
      allowed: 0,
      refusedSecondaries: new Map(),
      stuckNodes: new Set(),
    }));
  }
}

function countIn(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
