/**
 * What becomes of a node's instances when it fails: some fail over, others move or are made anew, and their
 * fate then depends on other nodes.
 */
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { memNeedOf } from '../../rules/memory.ts';
import { type ClusterState, MIRROR_EXTERNAL, MIRROR_INTERNAL } from '../../state/state.ts';

/** Whether stock moves it off a failed node: it is on no block device there, and DRBD fails over. */
export const isMovedOff = (state: ClusterState, i: number): boolean =>
  state.mirroring[i] === MIRROR_EXTERNAL && state.instanceRecord(i).diskTemplate !== 'blockdev';

/** A node's instances by what becomes of them. */
export interface Fates {
  /** Newest first, as the next. */
  readonly failingOver: readonly number[];
  readonly moving: readonly number[];
  /** Memory that these use, MiB, and the most that one of them does. */
  readonly movingMem: number;
  readonly largestMove: number;
  /** Largest memory first. */
  readonly recreated: readonly number[];
}

/** @param actualOf the instance that one in the node's list stands for */
export function fatesOn(state: ClusterState, node: number, actualOf = (i: number): number => i): Fates {
  const failingOver: number[] = [];
  const moving: number[] = [];
  const recreated: number[] = [];
  let movingMem = 0;
  let largestMove = 0;
  const list = state.primaries[node]!;
  for (let k = list.length - 1; k >= 0; k--) {
    const i = actualOf(list[k]!);
    if (state.mirroring[i] === MIRROR_INTERNAL) failingOver.push(i);
    else if (!isMovedOff(state, i)) recreated.push(i);
    else {
      moving.push(i);
      const mem = memNeedOf(state, i);
      movingMem += mem;
      largestMove = Math.max(largestMove, mem);
    }
  }
  if (recreated.length > 1) recreated.sort((a, b) => state.mem[b]! - state.mem[a]!);
  return { failingOver, moving, movingMem, largestMove, recreated };
}

/** Whether a node may have to take over what runs in another group. */
export const spansGroups = ({ instances, nodes }: Snapshot): boolean =>
  instances.some(
    ({ primary, secondary }) => secondary >= 0 && nodes[primary]?.group !== nodes[secondary]!.group,
  );

/** Kept while the state stands as it is. */
export class Residents {
  private readonly fates: Fates[] = [];
  /** By group, nodes with an instance that moves or is made anew. */
  private readonly movers = new Map<number, Set<number>>();

  constructor(
    private readonly state: ClusterState,
    nodes: readonly number[],
  ) {
    this.refresh(nodes);
  }

  of(node: number): Fates {
    return this.fates[node]!;
  }

  /** Nodes of the group with an instance that moves or is made anew. */
  moversOf(group: number): Iterable<number> {
    return this.movers.get(group) ?? [];
  }

  /** Looks at these nodes again. */
  refresh(nodes: readonly number[]): void {
    const { state, movers } = this;
    for (const n of nodes) {
      const group = state.groupOf[n]!;
      const fates = fatesOn(state, n);
      this.fates[n] = fates;
      const inGroup = movers.get(group) ?? new Set();
      movers.set(group, inGroup);
      if (fates.moving.length + fates.recreated.length > 0) inGroup.add(n);
      else inGroup.delete(n);
    }
  }
}
