/**
 * Small random clusters with little room, so that the N+1 question is not trivial, and moves that change
 * them.
 */
import * as fc from 'fast-check';
import type { Snapshot } from '../../../../src/htools/cluster/snapshot.ts';
import { aCluster } from '../../plan/cluster-builder.ts';

const TEMPLATES = ['drbd', 'plain', 'file', 'rbd', 'ext', 'diskless', 'blockdev'] as const;
const EXTERNAL = ['external/rbd', 'external/ext', 'external/nas', 'external/blockdev'];
const INTERNAL = ['internal/lvm', 'internal/file'];

const node = fc.record({
  roomMib: fc.integer({ min: 0, max: 14 }),
  totalDiskMib: fc.integer({ min: 0, max: 20 }),
  isOffline: fc.integer({ min: 0, max: 9 }).map((value) => value === 0),
  group: fc.integer({ min: 0, max: 5 }).map((value) => (value === 0 ? 1 : 0)),
  pools: fc.subarray([...INTERNAL, ...EXTERNAL]),
  saysPools: fc.integer({ min: 0, max: 4 }).map((value) => value > 0),
});

const instance = fc.record({
  memMib: fc.integer({ min: 1, max: 7 }),
  diskMib: fc.integer({ min: 1, max: 5 }),
  primary: fc.nat(),
  secondary: fc.nat(),
  diskTemplate: fc.constantFrom(...TEMPLATES),
  inNas: fc.boolean(),
  isDown: fc.integer({ min: 0, max: 7 }).map((value) => value === 0),
});

export interface Shape {
  readonly nodes: number;
  readonly instances: number;
}

/** Clusters of two to `nodes` nodes; most list pools, some list none, so that all is reached. */
export function smallClusters(shape: Shape): fc.Arbitrary<Snapshot> {
  const parts = fc.record({
    nodes: fc.array(node, { minLength: 2, maxLength: shape.nodes }),
    instances: fc.array(instance, { minLength: 1, maxLength: shape.instances }),
    isStated: fc.integer({ min: 0, max: 3 }).map((value) => value > 0),
  });
  return parts.map(({ nodes, instances, isStated }) => {
    const placed = instances.map(({ isDown, inNas, primary, secondary, ...rest }) => {
      const at = primary % nodes.length;
      const isShared = rest.diskTemplate === 'ext' && inNas && isStated;
      return {
        ...rest,
        primary: at,
        secondary:
          rest.diskTemplate === 'drbd' ? (at + 1 + (secondary % (nodes.length - 1))) % nodes.length : -1,
        status: isDown ? ('ADMIN_down' as const) : ('running' as const),
        ...(isShared && { storagePool: 'external/nas' }),
      };
    });
    return aCluster({
      groups: [{}, {}],
      nodes: nodes.map(({ roomMib, pools, saysPools, ...rest }, n) => ({
        ...rest,
        nodeMemMib: 0,
        totalMemMib:
          roomMib +
          placed
            .filter(({ primary, status }) => primary === n && status === 'running')
            .reduce((sum, { memMib }) => sum + memMib, 0),
        ...(isStated && saysPools && { storagePools: pools }),
      })),
      instances: placed,
    });
  });
}

/**
 * Clusters whose first node holds all instances, which fill the rooms of the others to the last MiB, or
 * nearly: in half of them one MiB has gone from one instance to another, so that there may be no way any
 * more.
 */
export const brimfulClusters: fc.Arbitrary<Snapshot> = fc
  .record({
    rooms: fc.array(fc.array(fc.integer({ min: 2, max: 9 }), { minLength: 2, maxLength: 3 }), {
      minLength: 2,
      maxLength: 3,
    }),
    isShifted: fc.boolean(),
  })
  .map(({ rooms, isShifted }) => {
    const mems = rooms.flat();
    if (isShifted) {
      mems[0]!++;
      mems[mems.length - 1]!--;
    }
    const usedMib = mems.reduce((sum, mem) => sum + mem, 0);
    return aCluster({
      nodes: [
        { totalMemMib: usedMib + 1, nodeMemMib: 0 },
        ...rooms.map((cut) => ({ totalMemMib: cut.reduce((sum, mem) => sum + mem, 0) + 1, nodeMemMib: 0 })),
      ],
      instances: mems.map((memMib) => ({ diskTemplate: 'ext' as const, memMib, primary: 0 })),
    });
  });
