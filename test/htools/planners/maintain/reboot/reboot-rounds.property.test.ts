import { expect } from 'chai';
import { NO_NODE, type Snapshot } from '../../../../../src/htools/cluster/snapshot.ts';
import { hasSecondary } from '../../../../../src/htools/cluster/templates.ts';
import { ClusterState, HAS_SECONDARY } from '../../../../../src/htools/model/state/state.ts';
import { nodesToMaintain } from '../../../../../src/htools/planners/maintain/reboot/nodes-to-maintain.ts';
import { conflictsOf } from '../../../../../src/htools/planners/maintain/reboot/reboot-graph.ts';
import {
  type RebootOptions,
  rebootRounds,
} from '../../../../../src/htools/planners/maintain/reboot/reboot-rounds.ts';
import { randomCluster } from '../../../../builders/random-cluster.ts';
import { forSeeds } from '../../../../builders/seeds.ts';
import { imageOf } from '../../../../builders/state-image.ts';

const EVERY_NODE = { group: undefined, tags: undefined, skipNonRedundant: false };

const optionsOf = (seed: number): RebootOptions => ({
  offlineMaintenance: seed % 3 === 0,
  ignoreNonRedundant: seed % 5 === 0,
  fullEvacuation: seed % 2 === 0,
  fewest: seed % 4 === 0,
});

/** Where each instance is at the end of a list of moves: primary and secondary. */
function placementsAfter(
  snapshot: Snapshot,
  moves: readonly { instance: number; primary: number; secondary: number }[],
): readonly (readonly [number, number])[] {
  const at: [number, number][] = snapshot.instances.map(({ primary, secondary }) => [primary, secondary]);
  for (const { instance, primary, secondary } of moves) at[instance] = [primary, secondary];
  return at;
}

describe('the rounds of a rolling maintenance', () => {
  it('hold every node once, never both nodes of an instance, and leave the state as it was', () => {
    let rounds = 0;
    forSeeds(150, (seed) => {
      const snapshot = randomCluster(seed);
      const state = new ClusterState(snapshot);
      const wanted = nodesToMaintain(state, EVERY_NODE);
      if (wanted.length === 0) return;
      const before = imageOf(state);
      const found = rebootRounds(state, wanted, optionsOf(seed));
      expect(imageOf(state)).to.deep.equal(before);
      if ('failure' in found) return;
      rounds += found.rounds.length;
      expect(found.rounds.flatMap(({ nodes }) => nodes).sort((a, b) => a - b)).to.deep.equal(wanted);
      for (const { nodes } of found.rounds) {
        const isDown = new Set(nodes);
        for (const { primary, secondary, diskTemplate } of snapshot.instances)
          if (hasSecondary(diskTemplate) && secondary >= 0 && primary !== secondary)
            expect(isDown.has(primary) && isDown.has(secondary)).to.equal(false);
      }
    });
    expect(rounds).to.be.above(100);
  });

  it('take instances without another copy off the nodes of a round, and with full evacuation all others', () => {
    forSeeds(150, (seed) => {
      const snapshot = randomCluster(seed);
      const state = new ClusterState(snapshot);
      const wanted = nodesToMaintain(state, EVERY_NODE);
      // Nodes that are out of the question anyway may be anywhere in the rounds.
      if (wanted.length !== snapshot.nodes.length) return;
      const options = { ...optionsOf(seed), ignoreNonRedundant: false };
      const found = rebootRounds(state, wanted, options);
      if ('failure' in found) return;
      for (const { nodes, moves } of found.rounds) {
        const isDown = new Set(nodes);
        placementsAfter(snapshot, moves).forEach(([primary, secondary], i) => {
          if (snapshot.instances[i]!.isForthcoming) return;
          const isMirrored = (state.flags[i]! & HAS_SECONDARY) !== 0;
          if (!isMirrored || options.fullEvacuation) expect(isDown.has(primary)).to.equal(false);
          if (options.fullEvacuation && isMirrored) expect(isDown.has(secondary)).to.equal(false);
        });
      }
    });
  });

  it('fail where a mirrored instance has no second node to go to, and leave the state as it was', () => {
    forSeeds(60, (seed) => {
      const whole = randomCluster(seed);
      const halved = whole.instances.findIndex((i) => hasSecondary(i.diskTemplate) && !i.isForthcoming);
      if (halved < 0 || whole.nodes[whole.instances[halved]!.primary]!.isOffline) return;
      const instances = whole.instances.with(halved, { ...whole.instances[halved]!, secondary: NO_NODE });
      const state = new ClusterState({ ...whole, instances });
      const wanted = nodesToMaintain(state, EVERY_NODE);
      const before = imageOf(state);
      const options = { ...optionsOf(seed), ignoreNonRedundant: true, fullEvacuation: true };
      expect(rebootRounds(state, wanted, options)).to.have.property('failure', 'failover');
      expect(imageOf(state)).to.deep.equal(before);
      for (const n of wanted)
        for (const { node } of conflictsOf(state, n, false)) expect(node).to.not.equal(NO_NODE);
    });
  });
});
