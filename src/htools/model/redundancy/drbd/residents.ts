/**
 * What becomes of a node's instances when it fails: some fail over, others move or are made anew, and their
 * fate then depends on other nodes.
 */
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { memNeedOf } from '../../rules/memory.ts';
import {
  type ClusterState,
  IS_BLOCK_DEVICE,
  MIRROR_EXTERNAL,
  MIRROR_INTERNAL,
  USES_NODE_DISK,
} from '../../state/state.ts';

/** Whether stock moves it off a failed node: it is on no block device there, and DRBD fails over. */
export const isMovedOff = (state: ClusterState, i: number): boolean =>
  state.mirroring[i] === MIRROR_EXTERNAL && (state.flags[i]! & IS_BLOCK_DEVICE) === 0;

/** A node's instances by what becomes of them. */
export interface Fates {
  /** Newest first, as the next. */
  readonly failingOver: readonly number[];
  readonly moving: readonly number[];
  /** Largest memory first. */
  readonly recreated: readonly number[];
  /** Those that do not fail over, in the order in which they leave. */
  readonly leaving: readonly number[];
  /** The most that one that moves or is made anew takes on its new node, MiB. */
  readonly largestMem: number;
  readonly largestDisk: number;
}

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
  const leaving = [...moving, ...recreated];
  return { failingOver, moving, recreated, leaving, largestMem, largestDisk };
}

/** Whether a node may have to take over what runs in another group. */
export const spansGroups = ({ instances, nodes }: Snapshot): boolean =>
  instances.some(
    ({ primary, secondary }) => secondary >= 0 && nodes[primary]?.group !== nodes[secondary]!.group,
  );
