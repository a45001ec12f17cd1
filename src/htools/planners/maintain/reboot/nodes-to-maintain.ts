/** Which nodes a maintenance is for. Source: hroller(1), options -G, --node-tags, --skip-non-redundant. */
import { type ClusterState, HAS_SECONDARY, MIRROR_EXTERNAL } from '../../../model/state/state.ts';

interface NodeChoice {
  /** Position of the only group; undefined for all. */
  readonly group: number | undefined;
  /** Nodes with one of these tags; undefined for all. */
  readonly tags: readonly string[] | undefined;
  readonly skipNonRedundant: boolean;
  /** Whether instances leave the nodes before: `--plan`. */
  readonly isEmptying?: boolean;
}

/**
 * Whether the instance is lost to its users while its node is down. One on shared storage can run elsewhere,
 * where it is moved there, or it is stated who reaches it; otherwise the stock program's word counts, which
 * knows of second copies only.
 */
const isStuck = (state: ClusterState, i: number, isEmptying: boolean): boolean =>
  (state.flags[i]! & HAS_SECONDARY) === 0 &&
  (state.mirroring[i] !== MIRROR_EXTERNAL || !(isEmptying || state.storage !== undefined));

/** Positions of the online nodes that are meant, ascending. */
export function nodesToMaintain(
  state: ClusterState,
  { group, tags, skipNonRedundant, isEmptying = false }: NodeChoice,
): number[] {
  const { nodes } = state.snapshot;
  return [...nodes.keys()].filter(
    (n) =>
      !state.isOffline[n] &&
      !(skipNonRedundant && state.primaries[n]!.some((i) => isStuck(state, i, isEmptying))) &&
      (tags === undefined || nodes[n]!.tags.some((tag) => tags.includes(tag))) &&
      (group === undefined || nodes[n]!.group === group),
  );
}
