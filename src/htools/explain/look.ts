/** A group as explanations look at it: what rules forbid there, and what would let it through. */
import { ALLOWED } from '../cluster/refusal.ts';
import type { Instance, Node, Snapshot } from '../cluster/snapshot.ts';
import { type Storage, statedStorage } from '../cluster/storage/storage.ts';
import { applyMove } from '../model/moves/apply.ts';
import { MOVE_KIND_NAMES, type Move } from '../model/moves/kinds.ts';
import { Scorer } from '../model/score/scorer.ts';
import { memAtStart, movedNode, movedSnapshot } from '../model/state/moved-snapshot.ts';
import { everyoneOn } from '../model/state/scope.ts';
import type { ClusterState } from '../model/state/state.ts';
import { TrueSpindles } from '../model/state/true-spindles.ts';
import { moveNotation } from '../plan/commands.ts';
import type { PlanStep } from '../plan/plan.ts';
import { nodesOfStep, stepOf } from '../plan/step.ts';
import type { BalanceOptions } from '../planners/balance/options.ts';
import { guardFor, type N1Guard } from '../planners/balance/steps/n1-guard.ts';
import type { Candidate, RefusedCandidate, RuleRefusal } from '../results/parts/explanation.ts';
import { LiftedScan } from './lifted-scan.ts';
import { type Lifted, liftsOf } from './lifts.ts';
import { refusalOfMove } from './move-refusal.ts';
import { placeOf } from './placement.ts';

/** Forbidden moves that are told at once. */
const MOST_REFUSED = 3;

const listsBind = (storage: Storage | undefined): boolean => storage?.isBinding === true;

/** A move as facts. @param score after it */
export const candidateFacts = (
  snapshot: Snapshot,
  step: PlanStep,
  scoreBefore: number,
  score: number,
): Candidate => ({
  instance: snapshot.instances[step.instance]!.name,
  move: MOVE_KIND_NAMES[step.kind],
  notation: moveNotation(snapshot, step),
  from: placeOf(snapshot, step.fromPrimary, step.fromSecondary),
  to: placeOf(snapshot, step.toPrimary, step.toSecondary),
  score,
  gain: scoreBefore - score,
});

export class Look {
  readonly scorer: Scorer;
  readonly scan: LiftedScan;
  /** Instances that were too many to be tried, at most. */
  notLookedAt = 0;
  private readonly guard: N1Guard | undefined;
  private readonly cutOut: ReturnType<typeof cutOuts>;
  private readonly ignoreSoftErrors: boolean;

  /** @param nodes positions of the group's nodes */
  constructor(
    private readonly state: ClusterState,
    nodes: readonly number[],
    options: BalanceOptions,
  ) {
    this.scorer = new Scorer(state, nodes);
    this.scan = new LiftedScan(state, this.scorer, options);
    this.guard = guardFor(state, nodes, options);
    this.cutOut = cutOuts(state);
    this.ignoreSoftErrors = options.ignoreSoftErrors;
  }

  refusalOf(move: Move): RuleRefusal | undefined {
    const { state, guard, ignoreSoftErrors } = this;
    const refusal = refusalOfMove(state, move, ignoreSoftErrors);
    // What the guard of N+1 with shared storage refuses no rule of a node does.
    if (refusal || !guard || guard.allows(move, ignoreSoftErrors)) return refusal;
    const node = state.snapshot.nodes[stepOf(state, move).toPrimary]!.name;
    return { rule: 'n1-guard', mode: 'FailN1', node, role: 'primary' };
  }

  /** What would let a refused move through; of the guard's refusals it is not asked. */
  lifted(move: Move, refusal: RuleRefusal): Lifted {
    if (refusal.rule === 'n1-guard') return { refusals: [refusal], lift: null };
    const { snapshot, move: there } = this.cutOut(move);
    const refusalOn = (changed: ClusterState) => refusalOfMove(changed, there, this.ignoreSoftErrors);
    return liftsOf(snapshot, there.instance, refusalOn, refusal);
  }

  /** Forbidden moves below a score, the best of each instance. */
  refusedBelow(ceiling: number): RefusedCandidate[] {
    const { state, scan, scorer } = this;
    const seen = new Set<number>();
    const found: RefusedCandidate[] = [];
    for (const move of scan.below(ceiling)) {
      if (found.length >= MOST_REFUSED) break;
      if (seen.has(move.instance)) continue;
      const refusal = this.refusalOf(move);
      if (!refusal) continue;
      const score = scan.exactScore(move);
      if (!(score < ceiling)) continue;
      seen.add(move.instance);
      const facts = candidateFacts(state.snapshot, stepOf(state, move), scorer.score, score);
      found.push({ ...facts, ...this.lifted(move, refusal) });
    }
    this.notLookedAt = Math.max(this.notLookedAt, scan.notLookedAt);
    return found.sort((a, b) => a.score - b.score);
  }

  /** Takes a step for good. @returns whether the rules allow it */
  take(step: PlanStep): boolean {
    const { state, scorer, scan, guard } = this;
    if (applyMove(state, step.instance, step.kind, step.target, this.ignoreSoftErrors) !== ALLOWED)
      return false;
    state.journal.commit();
    const touched = nodesOfStep(step);
    scorer.refresh(touched);
    scan.refresh(step);
    guard?.refresh(touched);
    return true;
  }
}

/** Positions of the instances on a move's nodes, and of all nodes that these are on, ascending. */
function near(state: ClusterState, { instance, target }: Move) {
  const own = [state.primary[instance]!, state.secondary[instance]!, target].filter((n) => n >= 0);
  const instances = new Set(everyoneOn(state, own));
  const nodes = new Set(own);
  for (const i of instances)
    for (const n of [state.primary[i]!, state.secondary[i]!]) if (n >= 0) nodes.add(n);
  const sorted = (set: ReadonlySet<number>): number[] => [...set].sort((a, b) => a - b);
  return { instances: sorted(instances), nodes: sorted(nodes) };
}

/**
 * Cuts out the nodes of a move and what is on them, which decide whether it is allowed; all of the cluster
 * where its rules look farther. A state is built for each change that might lift a refusal, and of a large
 * cluster that takes a hundred times as long as of this.
 */
function cutOuts(state: ClusterState): (move: Move) => { readonly snapshot: Snapshot; readonly move: Move } {
  const spindles = new TrueSpindles(state);
  const atStart = memAtStart(state.snapshot);
  return (move) => {
    // Members of its sets may be anywhere.
    if (state.placement.hasMates(move.instance)) return { snapshot: movedSnapshot(state), move };
    const { instances, nodes } = near(state, move);
    const placeOf = new Map(nodes.map((n, place) => [n, place]));
    const at = (n: number): number => placeOf.get(n) ?? n;
    const snapshot = {
      ...state.snapshot,
      nodes: nodes.map((n): Node => movedNode(state, n, atStart, spindles)),
      instances: instances.map((i): Instance => {
        const record = state.instanceRecord(i);
        return { ...record, primary: at(state.primary[i]!), secondary: at(state.secondary[i]!) };
      }),
    };
    // One node that lists its pools makes all lists binding.
    if (listsBind(statedStorage(snapshot)) !== listsBind(state.storage))
      return { snapshot: movedSnapshot(state), move };
    return {
      snapshot,
      move: { ...move, instance: instances.indexOf(move.instance), target: at(move.target) },
    };
  };
}
