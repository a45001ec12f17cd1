/** What the command line says about nodes, put into a snapshot. */
import { ExecutionError } from '../../../kit/faults.ts';
import { isFound, lookupName } from '../names.ts';
import type { Node, Snapshot } from '../snapshot.ts';

interface NodeOptions {
  /** Names to count as offline (`-O`), in the order given; parts of names are taken. */
  readonly offline: readonly string[];
  /** Overrides the policies' virtual cpus per cpu (`--max-cpu`). */
  readonly maxCpuRatio?: number | undefined;
  /** Share of each node's disk to keep free, 0 to 1 (`--min-disk`). */
  readonly minDiskRatio: number;
}

/** @throws ExecutionError when a name is no node. */
export function applyNodeOptions(snapshot: Snapshot, options: NodeOptions): Snapshot {
  const names = snapshot.nodes.map((node) => node.name);
  const matches = options.offline.map((text) => lookupName(names, text));
  const wrong = matches.filter((match) => !isFound(match));
  if (wrong.length > 0) {
    // The stock programs collect repeated options from the last to the first.
    const list = wrong.map((match) => match.name).reverse();
    throw new ExecutionError(
      `wrong node name(s) set as offline: ${list.join(',')}`,
      'name one node of the cluster with each -O, or the beginning of exactly one up to a dot',
    );
  }
  const offline = new Set(matches.map((match) => match.name));
  const nodes = snapshot.nodes.map(
    (node): Node => ({
      ...node,
      isOffline: node.isOffline || offline.has(node.name),
      // `-O` does not say whether the node is down or only to be left.
      isReachable: node.isOffline ? node.isReachable : undefined,
      minFreeDiskRatio: Math.max(node.minFreeDiskRatio, options.minDiskRatio),
      maxVcpuRatio: options.maxCpuRatio ?? node.maxVcpuRatio,
    }),
  );
  return { ...snapshot, nodes };
}
