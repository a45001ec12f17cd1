import { expect } from 'chai';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { conflictsOf } from '../../../../../src/htools/planners/maintain/reboot/reboot-graph.ts';
import {
  type RebootOptions,
  rebootRounds,
} from '../../../../../src/htools/planners/maintain/reboot/reboot-rounds.ts';
import { roundCluster } from '../../../../builders/round-cluster.ts';
import { forSeeds } from '../../../../builders/seeds.ts';
import { smallState } from '../../../../builders/small-cluster.ts';

/** Nobody is moved. */
const BARE: RebootOptions = {
  offlineMaintenance: false,
  ignoreNonRedundant: true,
  fullEvacuation: false,
  fewest: false,
};

function roundsOf(state: ClusterState) {
  const wanted = [...state.isOffline.keys()].filter((n) => !state.isOffline[n]);
  const found = rebootRounds(state, wanted, BARE);
  if ('failure' in found) throw new Error(found.failure);
  return { ...found, nodes: found.rounds.map(({ nodes }) => nodes) };
}

describe('the order of rounds', () => {
  it('has the master last of its round, and its round last, however large', () => {
    const withMaster = (master: number) =>
      roundsOf(
        smallState({
          nodes: [0, 1, 2].map((n) => ({ isMaster: n === master })),
          instances: [{ primary: 0, secondary: 1 }],
        }),
      ).nodes;
    expect(withMaster(0)).to.deep.equal([[1], [2, 0]]);
    expect(withMaster(1)).to.deep.equal([[0, 2], [1]]);
    expect(withMaster(2)).to.deep.equal([[1], [0, 2]]);
  });

  it('is that of the first of colourings with as few colours', () => {
    let ties = 0;
    forSeeds(150, (seed) => {
      const state = new ClusterState(roundCluster(seed));
      if (!state.isOffline.includes(0)) return;
      const { colourings, nodes } = roundsOf(state);
      const sizes = colourings.map(({ classes }) => classes.length);
      const first = colourings.find(({ classes }) => classes.length === Math.min(...sizes))!;
      const sorted = (some: readonly (readonly number[])[]): string[] =>
        some.map((one) => [...one].sort((a, b) => a - b).join()).sort();
      const wanted = new Set(nodes.flat());
      const own = first.classes.map((one) => one.filter((n) => wanted.has(n)));
      expect(sorted(nodes.filter((one) => one.length > 0)), `seed ${seed}`).to.deep.equal(
        sorted(own.filter((one) => one.length > 0)),
      );
      if (sizes.filter((size) => size === first.classes.length).length > 1) ties++;
    });
    expect(ties).to.be.above(20);
  });
});

describe('what keeps nodes apart', () => {
  it('is told by node', () => {
    const state = smallState({
      nodes: [{}, {}, {}],
      instances: [
        { primary: 1, secondary: 2 },
        { primary: 1, secondary: 0 },
      ],
    });
    expect(conflictsOf(state, 1, true).map(({ node }) => node)).to.deep.equal([0, 2]);
  });
});
