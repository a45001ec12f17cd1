/** Empties nodes to be maintained together, first come first served as in stock. Source: hroller(1). */

import { allOrNone } from '../../../../kit/all-or-none.ts';
import { ALLOWED } from '../../../cluster/refusal.ts';
import { NO_NODE, type Snapshot } from '../../../cluster/snapshot.ts';
import { hasSecondary } from '../../../cluster/templates.ts';
import { putInstance, takeOff } from '../../../model/moves/apply.ts';
import { primaryRefusal, secondaryRefusal } from '../../../model/rules/admission.ts';
import { type ClusterState, HAS_SECONDARY } from '../../../model/state/state.ts';

/** Nodes that can be emptied at once, and where the instances then are. */
export interface ClearedNodes {
  readonly nodes: readonly number[];
  /** Changes of placement since the start, in order; an instance may stand more than once. */
  readonly moves: readonly Placement[];
}

interface Placement {
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
const after = <T>(state: ClusterState, moves: readonly Placement[], work: () => T): T =>
  state.journal.tentatively(() => {
    for (const move of moves) place(state, move);
    return work();
  });

const hasMirror = (state: ClusterState, i: number): boolean => (state.flags[i]! & HAS_SECONDARY) !== 0;

interface Clearing {
  readonly instancesOf: (state: ClusterState, node: number) => readonly number[];
  /** The first place for an instance among the nodes; undefined when there is none. */
  readonly relocate: (state: ClusterState, i: number, targets: readonly number[]) => Placement | undefined;
}

/** The instances that have no other copy of their own: they must go elsewhere while the node is down. */
export const CLEAR_NON_REDUNDANT: Clearing = {
  instancesOf: (state, node) => state.primaries[node]!.filter((i) => !hasMirror(state, i)),
  relocate: (state, instance, targets) => {
    const primary = targets.find((node) => primaryRefusal(state, instance, node, FORCE) === ALLOWED);
    return primary === undefined ? undefined : { instance, primary, secondary: state.secondary[instance]! };
  },
};

export const CLEAR_SECONDARIES: Clearing = {
  instancesOf: (state, node) => state.secondaries[node]!,
  relocate: (state, instance, targets) => {
    const primary = state.primary[instance]!;
    const mayTake = (node: number): boolean =>
      node !== primary && secondaryRefusal(state, instance, node, primary, false, FORCE) === ALLOWED;
    const secondary = targets.find(mayTake);
    return secondary === undefined ? undefined : { instance, primary, secondary };
  },
};

/** Moves all that is to be cleared off one node, or leaves the state as it was and returns undefined. */
const clearNode = (
  state: ClusterState,
  node: number,
  targets: readonly number[],
  { instancesOf, relocate }: Clearing,
): readonly Placement[] | undefined =>
  state.journal.attempt(() =>
    // Newest first, as the stock program lists them.
    allOrNone(instancesOf(state, node).toReversed(), (i) => {
      const move = relocate(state, i, targets);
      if (move) place(state, move);
      return move;
    }),
  );

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
  for (let left = nodes; left.length > 0; ) {
    const lot = after(state, start, () => clearGreedily(state, left, targets, clearing));
    if (lot.nodes.length === 0) return undefined;
    left = left.filter((node) => !lot.nodes.includes(node));
    lots.push({ nodes: lot.nodes, moves: [...start, ...lot.moves] });
  }
  return lots;
}

/** An instance on its nodes the other way round; undefined when one is missing or has no room for that. */
function failOver(state: ClusterState, instance: number): Placement | undefined {
  const move = { instance, primary: state.secondary[instance]!, secondary: state.primary[instance]! };
  if (move.primary === NO_NODE) return undefined;
  takeOff(state, instance);
  const refusal =
    primaryRefusal(state, instance, move.primary, FORCE) ||
    secondaryRefusal(state, instance, move.secondary, move.primary, false, FORCE);
  if (refusal !== ALLOWED) return undefined;
  putInstance(state, instance, move.primary, move.secondary);
  return move;
}

/** Fails all mirrored instances over to their secondaries; undefined when one has no room there. */
export const failOverAll = (
  state: ClusterState,
  { nodes, moves: start }: ClearedNodes,
): ClearedNodes | undefined =>
  after(state, start, () => {
    const mirrored = nodes.flatMap((node) =>
      state.primaries[node]!.filter((i) => hasMirror(state, i)).toReversed(),
    );
    const moves = allOrNone(mirrored, (i) => failOver(state, i));
    return moves && { nodes, moves: [...start, ...moves] };
  });

/**
 * The instances whose placement differs from the start, ascending. One whose two nodes only changed places
 * has not moved. Source: the moves that hroller(1) prints with --print-moves.
 */
export function changedPlacements(start: Snapshot, moves: readonly Placement[]): readonly Placement[] {
  const last = new Map(moves.map((move) => [move.instance, move]));
  return [...last.values()]
    .filter(({ instance, primary, secondary }) => {
      const { primary: p, secondary: s } = start.instances[instance]!;
      const isSwapped = s !== NO_NODE && primary === s && secondary === p;
      return !(isSwapped || (primary === p && secondary === s));
    })
    .map((move) =>
      // A record may name a secondary where the disks have none.
      hasSecondary(start.instances[move.instance]!.diskTemplate) ? move : { ...move, secondary: NO_NODE },
    )
    .sort((a, b) => a.instance - b.instance);
}
