import { expect } from 'chai';
import type { Instance, Snapshot } from '../../../../../src/htools/cluster/snapshot.ts';
import { requiredNodes } from '../../../../../src/htools/cluster/templates.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { iterate } from '../../../../../src/htools/planners/allocate/fill/fill-standard.ts';
import {
  filledSnapshot,
  withNodeLike,
  withUpgrades,
} from '../../../../../src/htools/planners/allocate/fill/filled-snapshot.ts';
import { Filler } from '../../../../../src/htools/planners/allocate/fill/filler.ts';
import {
  GLOBAL_RULE,
  obstaclesTo,
} from '../../../../../src/htools/planners/allocate/obstacles/next-obstacle.ts';
import { findLifts } from '../../../../../src/htools/planners/allocate/obstacles/what-would-lift.ts';
import { type Size, sizedInstance } from '../../../../../src/htools/planners/allocate/sized-instance.ts';
import { type AllocNodes, allocNodes } from '../../../../../src/htools/planners/allocate/solution.ts';
import { type NodeSketch, smallCluster } from '../../../../builders/small-cluster.ts';

const fillerOn = (snapshot: Snapshot, { diskTemplate }: Instance): Filler => {
  const nodes = [...snapshot.nodes.keys()];
  const targets = allocNodes(snapshot, requiredNodes(diskTemplate), nodes);
  return new Filler(new ClusterState(snapshot), targets as AllocNodes, {});
};

const wanted = (size: Partial<Size>, template: 'drbd' | 'plain' | 'diskless' = 'plain'): Instance =>
  sizedInstance({ memMib: 1024, diskMib: 1024, vcpus: 1, spindles: 1, ...size }, template, 1);

function liftsOn(nodes: readonly NodeSketch[], instance: Instance, checksCapacity = false) {
  const start = smallCluster({ nodes });
  const filler = fillerOn(start, instance);
  iterate(filler, instance, undefined, checksCapacity);
  const obstacles = obstaclesTo(filler, instance, checksCapacity);
  const trial = {
    full: filledSnapshot(filler.state),
    start,
    count: filler.count,
    instance,
    checksCapacity,
    fillerOn: (snapshot: Snapshot) => fillerOn(snapshot, instance),
  };
  return { obstacles, lifts: findLifts(trial, obstacles, filler.nodes) };
}

/** Room for three instances of 1 GiB, and then 8 spindles. */
const NODE = { totalMemMib: 4100, nodeMemMib: 1024, totalDiskMib: 102400, spindles: 8 };

describe('what stops the next instance', () => {
  it('is nothing where one fits', () => {
    const instance = wanted({});
    expect(obstaclesTo(fillerOn(smallCluster({ nodes: [NODE] }), instance), instance, false)).to.deep.equal(
      [],
    );
  });

  it('is named rule by rule, with the node that lacks least', () => {
    const instance = wanted({ memMib: 4000, diskMib: 2048 });
    const nodes = [NODE, { ...NODE, totalMemMib: 5000 }, { ...NODE, totalMemMib: 9000, totalDiskMib: 2000 }];
    const obstacles = obstaclesTo(fillerOn(smallCluster({ nodes }), instance), instance, false);
    expect(obstacles).to.deep.equal([
      {
        rule: 'memory',
        role: 'primary',
        nodes: [0, 1],
        least: { node: 1, needed: 4000, available: 3976, missing: 25, unit: 'MiB', mustLeaveSome: true },
      },
      {
        rule: 'disk',
        role: 'primary',
        nodes: [2],
        least: { node: 2, needed: 2048, available: 2000, missing: 49, unit: 'MiB', mustLeaveSome: true },
      },
    ]);
  });

  it('is told for primaries and secondaries apart', () => {
    const instance = wanted({ diskMib: 200_000 }, 'drbd');
    const filler = fillerOn(smallCluster({ nodes: [NODE, NODE] }), instance);
    expect(obstaclesTo(filler, instance, false).map(({ rule, role }) => [rule, role])).to.deep.equal([
      ['disk', 'primary'],
      ['disk', 'secondary'],
    ]);
  });

  it('is the cluster as a whole when a node could not be emptied any more', () => {
    const instance = wanted({ memMib: 2000 }, 'diskless');
    const filler = fillerOn(smallCluster({ nodes: [{ ...NODE, totalMemMib: 9000 }, NODE] }), instance);
    iterate(filler, instance, undefined, true);
    expect(filler.count).to.equal(1);
    expect(obstaclesTo(filler, instance, true).map(({ rule }) => rule)).to.deep.equal([GLOBAL_RULE]);
  });
});

describe('what would lift it', () => {
  it('is the memory that the best node lacks, and one more node with as many as it holds', () => {
    const { obstacles, lifts } = liftsOn([NODE, { ...NODE, totalMemMib: 4600 }], wanted({}));
    expect(obstacles[0]!.least).to.include({ node: 1, missing: 521 });
    expect(lifts).to.deep.equal([
      {
        upgrades: [{ node: 1, resource: 'memory', amount: 1024 }],
        nodeLike: undefined,
        gain: 1,
        isAtLeast: false,
      },
      { upgrades: [], nodeLike: 0, gain: 3, isAtLeast: false },
      { upgrades: [], nodeLike: 1, gain: 3, isAtLeast: false },
    ]);
  });

  it('mends one lack after the other where a single one is not enough', () => {
    const { lifts } = liftsOn([{ ...NODE, totalCpus: 1 }], wanted({ memMib: 8192, vcpus: 8 }));
    expect(lifts[0]).to.deep.equal({
      upgrades: [
        { node: 0, resource: 'memory', amount: 5120 },
        { node: 0, resource: 'cpus', amount: 1 },
      ],
      nodeLike: undefined,
      gain: 1,
      isAtLeast: false,
    });
  });

  it('is memory elsewhere when some node could not be emptied any more', () => {
    const nodes = [{ ...NODE, totalMemMib: 9000 }, NODE];
    const { obstacles, lifts } = liftsOn(nodes, wanted({ memMib: 2000 }, 'diskless'), true);
    expect(obstacles.map(({ rule }) => rule)).to.deep.equal([GLOBAL_RULE]);
    expect(lifts[0]).to.deep.equal({
      upgrades: [{ node: 1, resource: 'memory', amount: 2048 }],
      nodeLike: undefined,
      gain: 1,
      isAtLeast: false,
    });
  });

  it('says so when no hardware helps, since the policy is in the way', () => {
    const { obstacles, lifts } = liftsOn([NODE], wanted({ memMib: 1 << 20 }));
    expect(obstacles.map(({ rule }) => rule)).to.deep.equal(['policy']);
    expect(lifts).to.deep.equal([{ upgrades: [], nodeLike: 0, gain: 0, isAtLeast: false }]);
  });
});

describe('a filled cluster as a snapshot', () => {
  it('has the room that the state had', () => {
    const instance = wanted({}, 'drbd');
    const filler = fillerOn(smallCluster({ nodes: [NODE, NODE, NODE] }), instance);
    iterate(filler, instance, undefined, false);
    const again = fillerOn(filledSnapshot(filler.state), instance);
    expect([...again.state.nodeFields]).to.deep.equal([...filler.state.nodeFields]);
  });

  it('gets what is added, and empty nodes', () => {
    const full = smallCluster({ nodes: [NODE], instances: [{ diskTemplate: 'plain' }] });
    const { nodes } = withNodeLike(withUpgrades(full, [{ node: 0, resource: 'disk', amount: 1024 }]), 0);
    expect(nodes.map(({ totalDiskMib, freeDiskMib }) => [totalDiskMib, freeDiskMib])).to.deep.equal([
      [103424, 99328],
      [103424, 103424],
    ]);
    expect(nodes[1]!.freeMemMib).to.equal(3076);
  });
});
