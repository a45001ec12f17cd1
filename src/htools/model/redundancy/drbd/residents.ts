/**
 * What becomes of a node's instances when it fails: some fail over, others move or are made anew, and their
 * fate then depends on other nodes.
 */
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { memNeedOf } from '../../rules/memory.ts';
import { type ClusterState, MIRROR_EXTERNAL, MIRROR_INTERNAL, USES_NODE_DISK } from '../../state/state.ts';

/** Whether stock moves it off a failed node: it is on no block device there, and DRBD fails over. */
export const isMovedOff = (state: ClusterState, i: number): boolean =>
  state.mirroring[i] === MIRROR_EXTERNAL && state.instanceRecord(i).diskTemplate !== 'blockdev';

/** A node's instances by what becomes of them. */
export interface Fates {
  /** Newest first, as the next. */
  readonly failingOver: readonly number[];
  readonly moving: readonly number[];
  /** Largest memory first. */
  readonly recreated: readonly number[];
  /** The most that one that moves or is made anew takes on its new node, MiB. */
  readonly largestMem: number;
  readonly largestDisk: number;
}

/** Those that do not fail over, in the order in which they leave. */
export const leavingOf = ({ moving, recreated }: Fates): readonly number[] => [...moving, ...recreated];

/** @param actualOf the instance that one in the node's list stands for */
export function fatesOn(state: ClusterState, node: number, actualOf = (i: number): number => i): Fates {
  const failingOver: number[] = [];
  const moving: number[] = [];
  const recreated: number[] = [];
  let largestMem = 0;
  let largestDisk = 0;
  const list = state.primaries[node]!;
  for (let k = list.length - 1; k >= 0; k--) {
    const i = actualOf(list[k]!);
    if (state.mirroring[i] === MIRROR_INTERNAL) {
      failingOver.push(i);
      continue;
    }
    (isMovedOff(state, i) ? moving : recreated).push(i);
    largestMem = Math.max(largestMem, memNeedOf(state, i));
    if (state.flags[i]! & USES_NODE_DISK) largestDisk = Math.max(largestDisk, state.disk[i]!);
  }
  if (recreated.length > 1) recreated.sort((a, b) => state.mem[b]! - state.mem[a]!);
  return { failingOver, moving, recreated, largestMem, largestDisk };
}

/** Whether a node may have to take over what runs in another group. */
export const spansGroups = ({ instances, nodes }: Snapshot): boolean =>
  instances.some(
    ({ primary, secondary }) => secondary >= 0 && nodes[primary]?.group !== nodes[secondary]!.group,
  );

/** Kept while the state stands as it is, with the proofs that nodes can be left. */
export class Residents {
  private readonly fates: Fates[] = [];
  /** By group, nodes with an instance that moves or is made anew, without a proof that such find room. */
  private readonly unproven = new Map<number, Set<number>>();
  /** Nodes that the proof for a node rests on, and nodes whose proof rests on a node. */
  private readonly grounds = new Map<number, readonly number[]>();
  private readonly resting = new Map<number, Set<number>>();

  constructor(
    private readonly state: ClusterState,
    nodes: readonly number[],
  ) {
    this.refresh(nodes);
  }

  of(node: number): Fates {
    return this.fates[node]!;
  }

  /** Nodes of the group with an instance that moves or is made anew of which no proof is known. */
  unprovenOf(group: number): ReadonlySet<number> {
    return this.unproven.get(group) ?? new Set();
  }

  /** Nodes whose proof may not hold any more when that node changes. */
  restingOn(node: number): Iterable<number> {
    return this.resting.get(node) ?? [];
  }

  /** The node can be left, as long as it and these stay as they are. */
  noteProof(node: number, grounds: Iterable<number>): void {
    this.dropProof(node);
    this.unproven.get(this.state.groupOf[node]!)?.delete(node);
    const kept = [...grounds];
    this.grounds.set(node, kept);
    for (const n of kept) {
      const resting = this.resting.get(n) ?? new Set();
      this.resting.set(n, resting.add(node));
    }
  }

  /** Looks at these nodes again, and drops the proofs that rest on them. */
  refresh(nodes: readonly number[]): void {
    for (const n of nodes) {
      this.fates[n] = fatesOn(this.state, n);
      for (const k of [n, ...this.restingOn(n)]) this.dropProof(k);
    }
  }

  private dropProof(node: number): void {
    for (const n of this.grounds.get(node) ?? []) this.resting.get(n)!.delete(node);
    this.grounds.delete(node);
    const { moving, recreated } = this.fates[node]!;
    const group = this.state.groupOf[node]!;
    const unproven = this.unproven.get(group) ?? new Set();
    this.unproven.set(group, unproven);
    if (moving.length + recreated.length > 0) unproven.add(node);
    else unproven.delete(node);
  }
}
