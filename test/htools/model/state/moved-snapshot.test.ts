import { expect } from 'chai';
import { Random } from '../../../../bench/generate/random.ts';
import { hasSecondary, usesNodeDisk } from '../../../../src/htools/cluster/templates.ts';
import { applyMove } from '../../../../src/htools/model/moves/apply.ts';
import { movedSnapshot } from '../../../../src/htools/model/state/moved-snapshot.ts';
import * as F from '../../../../src/htools/model/state/node-fields.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { randomCluster } from '../../../builders/random-cluster.ts';
import { randomMove } from '../../../builders/random-moves.ts';
import { forSeeds } from '../../../builders/seeds.ts';
import { smallState } from '../../../builders/small-cluster.ts';

function movedState(seed: number): ClusterState {
  const random = new Random(seed, 'moved snapshot');
  const state = new ClusterState(randomCluster(seed));
  for (let k = 0; k < 12; k++) {
    const move = randomMove(state, random);
    if (move) applyMove(state, move.instance, move.kind, move.target, true);
  }
  return state;
}

describe('a snapshot of a state after moves', () => {
  it('has the free memory and disk of the state that is made from it', () => {
    let moved = 0;
    forSeeds(60, (seed) => {
      const state = movedState(seed);
      const snapshot = movedSnapshot(state);
      const fresh = new ClusterState(snapshot);
      for (let n = 0; n < state.nodeCount; n++) {
        const at = n * F.NODE_STRIDE;
        for (const field of [F.FREE_MEM, F.FREE_DISK, F.INSTANCE_MEM])
          expect(state.nodeFields[at + field], `field ${field} of node ${n}`).to.equal(
            fresh.nodeFields[at + field],
          );
        if (snapshot.nodes[n]!.freeMemMib !== state.snapshot.nodes[n]!.freeMemMib) moved++;
      }
    });
    expect(moved, 'nodes whose free memory has changed').to.be.greaterThan(20);
  });

  it('takes spindles for disks on the node only', () => {
    let exclusive = 0;
    forSeeds(60, (seed) => {
      const state = movedState(seed);
      const after = movedSnapshot(state);
      state.snapshot.nodes.forEach((node, n) => {
        if (!node.hasExclusiveStorage) {
          expect(after.nodes[n]!.freeSpindles).to.equal(node.freeSpindles);
          return;
        }
        exclusive++;
        const taken = (of: typeof after): number =>
          of.instances
            .filter((one) => usesNodeDisk(one.diskTemplate) && !one.isForthcoming)
            .filter(
              ({ primary, secondary, diskTemplate }) =>
                primary === n || (secondary === n && hasSecondary(diskTemplate)),
            )
            .flatMap(({ disks }) => (disks.some(({ spindles }) => spindles === undefined) ? [] : disks))
            .reduce((sum, { spindles = 0 }) => sum + spindles, 0);
        expect(after.nodes[n]!.freeSpindles).to.equal(
          node.freeSpindles + taken(state.snapshot) - taken(after),
        );
      });
    });
    expect(exclusive).to.be.greaterThan(5);
  });

  it('has the spindles of a node on which an instance without a second copy names its secondary', () => {
    const node = { hasExclusiveStorage: true, spindles: 8, freeSpindles: 5 };
    const instances = [
      { diskTemplate: 'plain' as const, disks: [{ sizeMib: 1024, spindles: 3 }], secondary: 1 },
    ];
    const after = movedSnapshot(smallState({ nodes: [node, node], instances }));
    expect(after.nodes.map(({ freeSpindles }) => freeSpindles)).to.deep.equal([5, 5]);
  });

  it('leaves the reported memory alone where stock does', () => {
    const state = movedState(3);
    expect(movedSnapshot(state, 'stock').nodes.map(({ freeMemMib }) => freeMemMib)).to.deep.equal(
      state.snapshot.nodes.map(({ freeMemMib }) => freeMemMib),
    );
  });
});
