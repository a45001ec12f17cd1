/** Nodes that a rolling maintenance leaves out, as they or what is on them is to be left alone. */
import { type ClusterState, IS_FORTHCOMING } from '../../../model/state/state.ts';
import type { RebootOptions } from '../reboot/reboot-rounds.ts';
import { runs } from './leaving.ts';

export interface HeldNode {
  readonly node: number;
  /** Those that a reboot would move or stop; empty = the node itself is to be left alone. */
  readonly instances: readonly number[];
}

/** @param alone names of nodes and instances @param wanted positions of nodes */
export function heldNodes(
  state: ClusterState,
  wanted: readonly number[],
  alone: ReadonlySet<string>,
  { fullEvacuation }: RebootOptions,
): readonly HeldNode[] {
  const { primaries, secondaries, flags, primary, isOffline, snapshot } = state;
  return wanted.flatMap((node): readonly HeldNode[] => {
    if (alone.has(snapshot.nodes[node]!.name)) return [{ node, instances: [] }];
    const leaving = primaries[node]!.filter(
      (i) => runs(state, i) || (fullEvacuation && !(flags[i]! & IS_FORTHCOMING)),
    );
    // A second copy misses some writes while the node is down, and is there again behind it.
    const copied = fullEvacuation ? secondaries[node]!.filter((i) => !isOffline[primary[i]!]) : [];
    const instances = [...leaving, ...copied].filter((i) => alone.has(snapshot.instances[i]!.name));
    return instances.length > 0 ? [{ node, instances: instances.sort((a, b) => a - b) }] : [];
  });
}
