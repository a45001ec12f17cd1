/**
 * Switching nodes off, and on, on clusters for which balancing anew with each candidate would take hours (the
 * stock program: weeks).
 *
 * Instances leave a node one by one, the largest first, for the node of their group with the most free memory
 * that keeps the wanted room; a node goes when all have left. Nothing is balanced beyond that, and each
 * instance moves once, to where it ends.
 */
import { ALLOWED } from '../../../cluster/refusal.ts';
import type { Instance, Snapshot } from '../../../cluster/snapshot.ts';
import { applyMove } from '../../../model/moves/apply.ts';
import { FAILOVER_TO_ANY } from '../../../model/moves/kinds.ts';
import { primaryRoomRefusal } from '../../../model/rules/admission.ts';
import { Scorer } from '../../../model/score/scorer.ts';
import * as F from '../../../model/state/node-fields.ts';
import { ClusterState } from '../../../model/state/state.ts';
import type { PlanStep } from '../../../plan/plan.ts';
import { nodesOfStep, stepOf } from '../../../plan/step.ts';
import { isCandidate, kindsWithTarget } from '../../balance/possible-moves.ts';
import { inTurns } from '../../groups/relocate/relocation.ts';
import {
  everyNodeTakes,
  type Settle,
  type Switch,
  type SwitchTask,
  switchAndSettle,
  TO_THE_END,
  withSwitched,
} from './switched.ts';

/** Candidates times nodes times instances from which balancing for each would take minutes. */
const MOST_BALANCED = 1_000_000;

export const isTooLargeToBalance = ({ nodes, instances }: Snapshot, candidates: readonly number[]): boolean =>
  candidates.length * nodes.length * instances.length > MOST_BALANCED;

/** A cluster whose instances are placed anew, one after the other. */
class Placing {
  readonly state: ClusterState;
  /** Position of the instance that stands for the wanted room. */
  private readonly room: number;
  /** 1 for nodes that take nothing. */
  private readonly isClosed: Uint8Array;
  private readonly emptiestFirst: number[];

  constructor(snapshot: Snapshot, room: Instance) {
    this.state = new ClusterState(snapshot);
    this.room = this.state.addInstance(room);
    this.isClosed = Uint8Array.from(this.state.isOffline);
    this.emptiestFirst = [...this.isClosed.keys()];
  }

  private hasRoom(node: number): boolean {
    return primaryRoomRefusal(this.state, this.room, node, false) === ALLOWED;
  }

  /** Moves an instance to the emptiest node that keeps the room. @returns whether there is one */
  private place(i: number): boolean {
    const { state } = this;
    const from = state.primary[i]!;
    if (
      !isCandidate(state, i, TO_THE_END) ||
      !kindsWithTarget(state, i, TO_THE_END).includes(FAILOVER_TO_ANY)
    )
      return false;
    const free = (n: number): number => state.field(n, F.FREE_MEM);
    // All but in order from the last time, which makes it quick.
    this.emptiestFirst.sort((a, b) => free(b) - free(a) || a - b);
    return this.emptiestFirst.some(
      (target) =>
        target !== from &&
        !this.isClosed[target] &&
        state.groupOf[target] === state.groupOf[from] &&
        state.journal.attempt(
          () => applyMove(state, i, FAILOVER_TO_ANY, target, false) === ALLOWED && this.hasRoom(target),
        ),
    );
  }

  /** Empties a node, or leaves all as it was. @returns whether it is empty and closed */
  clear(node: number): boolean {
    const { state } = this;
    this.isClosed[node] = 1;
    const largestFirst = state.primaries[node]!.toSorted((a, b) => state.mem[b]! - state.mem[a]! || a - b);
    const isEmpty = state.journal.attempt(() => largestFirst.every((i) => this.place(i)));
    if (!isEmpty) this.isClosed[node] = 0;
    return isEmpty;
  }

  /** Moves instances off nodes without the room, the smallest first. @returns whether all have it */
  relieve(): boolean {
    const { state } = this;
    return [...this.isClosed.keys()].every((node) => {
      const smallestFirst = state.primaries[node]!.toSorted((a, b) => state.mem[a]! - state.mem[b]! || a - b);
      return this.hasRoom(node) || smallestFirst.some((i) => this.place(i) && this.hasRoom(node));
    });
  }

  homes(): readonly number[] {
    return [...this.state.primary.subarray(0, this.room)];
  }
}

/** Moves the group's instances to their new homes; those that must wait for another to leave come later. */
const moveHome =
  (homes: readonly number[]): Settle =>
  (state, nodes) => {
    const scorer = new Scorer(state, nodes);
    const initialScore = scorer.score;
    const steps: PlanStep[] = [];
    const isIn = new Set(nodes);
    const away = [...homes.keys()].filter((i) => isIn.has(homes[i]!) && state.primary[i] !== homes[i]);
    inTurns(away, (i) => {
      const step = stepOf(state, { instance: i, kind: FAILOVER_TO_ANY, target: homes[i]! });
      if (applyMove(state, i, step.kind, step.target, false) !== ALLOWED) return false;
      scorer.refresh(nodesOfStep(step));
      steps.push({ ...step, score: scorer.score });
      return true;
    });
    return { nodes, steps, initialScore, finalScore: scorer.score };
  };

/** The last candidate is tried first. @returns undefined when none can go */
export function switchOffByPlacing({ snapshot, candidates, room, isSteady }: SwitchTask): Switch | undefined {
  const placing = new Placing(snapshot, room);
  if (!placing.relieve()) return undefined;
  const off = candidates
    .toReversed()
    .filter((node) => placing.clear(node))
    .toReversed();
  if (off.length === 0) return undefined;
  const result = switchAndSettle(snapshot, off, true, moveHome(placing.homes()));
  const isDone = placing.homes().every((home, i) => result.state.primary[i] === home);
  return isDone && everyNodeTakes(result.state, room, isSteady)
    ? { nodes: off, result: () => result }
    : undefined;
}

/** A first run of candidates that makes room on every node, if all do; with one less it would not. */
export function switchOnByPlacing({ snapshot, candidates, room, isSteady }: SwitchTask): Switch | undefined {
  const tried = (count: number): Switch | undefined => {
    const nodes = candidates.slice(0, count);
    const placing = new Placing(withSwitched(snapshot, nodes, false), room);
    if (!placing.relieve()) return undefined;
    const result = switchAndSettle(snapshot, nodes, false, moveHome(placing.homes()));
    return everyNodeTakes(result.state, room, isSteady) ? { nodes, result: () => result } : undefined;
  };
  let found = tried(candidates.length);
  // One try after the other takes most of a minute for hundreds of candidates: the run is halved.
  for (let tooFew = -1; found !== undefined && found.nodes.length > tooFew + 1; ) {
    const count = Math.floor((tooFew + found.nodes.length) / 2);
    const shorter = tried(count);
    if (shorter) found = shorter;
    else tooFew = count;
  }
  return found;
}
