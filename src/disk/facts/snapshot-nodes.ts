/** Nodes of a cluster's snapshot as hardware, and back as nodes with pools. */
import type { Node, Snapshot } from '../../htools/cluster/snapshot.ts';
import { parsePoolId } from '../../htools/cluster/tags/tags.ts';
import { Dict } from '../expressions/index.ts';
import type { Hardware } from '../model/hardware.ts';
import type { NodePool } from './space-totals.ts';

/** A snapshot knows the sum of a node's disks only: it is one disk of that name. */
const SNAPSHOT_DISK = 'disk';

/** A node with its memory as `ram`, and one disk as large as all its own together. */
export function hardwareOfNode({
  name,
  totalMemMib,
  totalCpus,
  totalDiskMib,
  spindles,
  tags,
}: Node): Hardware {
  const size = Math.trunc(totalDiskMib);
  const whole = (value: number): bigint => BigInt(Math.trunc(value));
  const disk = new Dict([
    ['id', SNAPSHOT_DISK],
    ['size', BigInt(size)],
  ]);
  const record = new Dict([
    ['name', name],
    ['ram', whole(totalMemMib)],
    ['cpus', whole(totalCpus)],
    ['spindles', whole(spindles)],
    ['tags', tags],
    ['disks', [disk]],
  ]);
  return {
    node: name,
    record,
    disks: [{ id: SNAPSHOT_DISK, size, attributes: { id: SNAPSHOT_DISK, size } }],
  };
}

/** The snapshot with nodes as large as their pools together; what was in use stays so. */
export function withPools(snapshot: Snapshot, pools: ReadonlyMap<string, readonly NodePool[]>): Snapshot {
  const nodes = snapshot.nodes.map((node) => {
    const own = pools.get(node.name);
    if (!own) return node;
    const totalDiskMib = own.reduce((sum, { size }) => sum + size, 0);
    const usedMib = node.totalDiskMib - node.freeDiskMib;
    const storagePools = own.map(({ pool }) => pool).filter((pool) => parsePoolId(pool) !== undefined);
    return { ...node, totalDiskMib, freeDiskMib: Math.max(0, totalDiskMib - usedMib), storagePools };
  });
  return { ...snapshot, nodes };
}
