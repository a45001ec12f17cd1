/** Empties nodes to be maintained together, first come first served as in stock. Source: hroller(1). */
import { ALLOWED } from '../../../cluster/refusal.ts';
import { putInstance, takeOff } from '../../../model/moves/apply.ts';
import { addPrimary, addSecondary } from '../../../model/moves/transitions.ts';
import { primaryRefusal, secondaryRefusal } from '../../../model/rules/admission.ts';
import { type ClusterState, HAS_SECONDARY } from '../../../model/state/state.ts';

/** Nodes that can be emptied at once, and where the instances then are. */
export interface ClearedNodes {
  readonly nodes: readonly number[];
  /** Changes of placement since the start, in order; an instance may stand more than once. */
  readonly moves: readonly Placement[];
}

export interface Placement {
  readonly instance: number;
  readonly primary: number;
  readonly secondary: number;
}

/** The rules that only warn are left out: the nodes are to be emptied, and it is for a while. */
const FORCE = true;

/** Takes an instance from where it is to where it is to be; no rule is asked. */
function place(state: ClusterState, { instance, primary, secondary }: Placement): void {
  takeOff(state, instance);
  putInstance(state, instance, primary, secondary);
}

/** Runs `work` on the state as it is after `moves`, and takes everything back. */
function after<T>(state: ClusterState, moves: readonly Placement[], work: () => T): T {
  return state.journal.tentatively(() => {
    for (const move of moves) place(state, move);
    return work();
  });
}

/** Newest first, as the stock program lists them. */
const listed = (instances: readonly number[]): readonly number[] => instances.toReversed();

const hasMirror = (state: ClusterState, i: number): boolean => (state.flags[i]! & HAS_SECONDARY) !== 0;

/** The instances on a node that have no other copy of their own: they must go elsewhere while it is down. */
const nonRedundant = (state: ClusterState, node: number): readonly number[] =>
  listed(state.primaries[node]!).filter((i) => !hasMirror(state, i));

/** Finds a place for an instance among the nodes; undefined when there is none. */
type Relocation = (state: ClusterState, i: number, targets: readonly number[]) => Placement | undefined;

/** The first node that can take the instance itself. */
const toAnotherPrimary: Relocation = (state, i, targets) => {
  const primary = targets.find((node) => primaryRefusal(state, i, node, FORCE) === ALLOWED);
  return primary === undefined ? undefined : { instance: i, primary, secondary: state.secondary[i]! };
};

/** The first node that can take the second copy. */
const toAnotherSecondary: Relocation = (state, i, targets) => {
  const primary = state.primary[i]!;
  const secondary = targets.find(
    (node) => node !== primary && secondaryRefusal(state, i, node, primary, false, FORCE) === ALLOWED,
  );
  return secondary === undefined ? undefined : { instance: i, primary, secondary };
};

/** What is to be cleared off a node, and how. */
interface Clearing {
  readonly instancesOf: (state: ClusterState, node: number) => readonly number[];
  readonly relocate: Relocation;
}

export const CLEAR_NON_REDUNDANT: Clearing = { instancesOf: nonRedundant, relocate: toAnotherPrimary };
export const CLEAR_SECONDARIES: Clearing = {
  instancesOf: (state, node) => listed(state.secondaries[node]!),
  relocate: toAnotherSecondary,
};

/** Moves all that is to be cleared off one node, or leaves the state as it was and returns undefined. */
function clearNode(
  state: ClusterState,
  node: number,
  targets: readonly number[],
  { instancesOf, relocate }: Clearing,
): readonly Placement[] | undefined {
  const mark = state.journal.mark();
  const moves: Placement[] = [];
  for (const i of instancesOf(state, node)) {
    const move = relocate(state, i, targets);
    if (!move) {
      state.journal.rollback(mark);
      return undefined;
    }
    place(state, move);
    moves.push(move);
  }
  return moves;
}

/** Clears as many of the nodes at once as it finds, one after the other. */
function clearGreedily(
  state: ClusterState,
  nodes: readonly number[],
  targets: readonly number[],
  clearing: Clearing,
): ClearedNodes {
  const cleared: number[] = [];
  const moves: Placement[] = [];
  let left = targets;
  for (const node of nodes) {
    const others = left.filter((target) => target !== node);
    const near = others.filter((target) => state.groupOf[target] === state.groupOf[node]);
    const own = clearNode(state, node, near, clearing);
    if (!own) continue;
    cleared.push(node);
    moves.push(...own);
    left = others;
  }
  return { nodes: cleared, moves };
}

/**
 * Parts nodes that may be down together into lots that can also be cleared together.
 * @param start where the instances are before: moves from the state's own placement
 * @returns undefined when a node cannot be cleared even alone
 */
export function partitionByClearing(
  state: ClusterState,
  { nodes, moves: start }: ClearedNodes,
  targets: readonly number[],
  clearing: Clearing,
): readonly ClearedNodes[] | undefined {
  const lots: ClearedNodes[] = [];
  let left = nodes;
  while (left.length > 0) {
    const lot = after(state, start, () => clearGreedily(state, left, targets, clearing));
    if (lot.nodes.length === 0) return undefined;
    const done = new Set(lot.nodes);
    left = left.filter((node) => !done.has(node));
    lots.push({ nodes: lot.nodes, moves: [...start, ...lot.moves] });
  }
  return lots;
}

/** Fails all mirrored instances over to their secondaries; undefined when one has no room there. */
export const failOverAll = (
  state: ClusterState,
  { nodes, moves: start }: ClearedNodes,
): ClearedNodes | undefined =>
  after(state, start, () => {
    const own: Placement[] = [];
    for (const i of nodes
      .flatMap((node) => listed(state.primaries[node]!))
      .filter((i) => hasMirror(state, i))) {
      const p = state.primary[i]!;
      const s = state.secondary[i]!;
      const location = state.locationScore[i]!;
      takeOff(state, i);
      if (primaryRefusal(state, i, s, FORCE) !== ALLOWED) return undefined;
      addPrimary(state, i, s, location);
      if (secondaryRefusal(state, i, p, s, false, FORCE) !== ALLOWED) return undefined;
      addSecondary(state, i, p, s);
      state.journal.savePlacement(i);
      state.primary[i] = s;
      state.secondary[i] = p;
      own.push({ instance: i, primary: s, secondary: p });
    }
    return { nodes, moves: [...start, ...own] };
  });
