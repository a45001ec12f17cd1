import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { DEFAULT_POLICY } from '../../../../../src/htools/cluster/policy.ts';
import { ALLOWED } from '../../../../../src/htools/cluster/refusal.ts';
import type { Snapshot } from '../../../../../src/htools/cluster/snapshot.ts';
import { placeInstance } from '../../../../../src/htools/model/moves/apply.ts';
import { GlobalCheck } from '../../../../../src/htools/model/redundancy/drbd/global-n-plus-one.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { randomCluster } from '../../../../builders/random-cluster.ts';
import { forSeeds, halved } from '../../../../builders/seeds.ts';
import { instanceFrom, smallState, times } from '../../../../builders/small-cluster.ts';
import { imageOf } from '../../../../builders/state-image.ts';
import { canEvacuateByTrying } from '../by-the-book.ts';

/** One that states no storage: pools have a check of their own. */
const clusterWithoutPools = (seed: number): Snapshot => {
  const snapshot = randomCluster(seed);
  return new ClusterState(snapshot).storage ? clusterWithoutPools(seed + 1) : snapshot;
};

const checkOf = (state: ClusterState): GlobalCheck =>
  new GlobalCheck(state, [...state.snapshot.nodes.keys()]);

/** A new instance like one of the cluster's own, or a plain one. */
function newInstance(state: ClusterState, random: Random) {
  const { instances } = state.snapshot;
  const model = instances.length > 0 ? random.pick(instances) : instanceFrom({ diskTemplate: 'plain' }, 0);
  return { ...model, index: -1, name: 'new', primary: -1, secondary: -1, isForthcoming: false };
}

describe('the global N+1 check', () => {
  it('lets a node go whose DRBD instances all fit on their secondaries', () => {
    const state = smallState({ nodes: times(3, () => ({})), instances: times(3, () => ({})) });
    expect(checkOf(state).isRedundant()).to.equal(true);
  });

  it('keeps a node whose secondary would run out of memory, to the MiB', () => {
    const full = (memMib: number) =>
      smallState({
        nodes: times(2, () => ({})),
        instances: [{ memMib: 8000 }, { memMib, primary: 1, secondary: 0 }],
      });
    // 15360 MiB are for instances; a node must keep more than nothing.
    expect(checkOf(full(7359)).isRedundant()).to.equal(true);
    expect(checkOf(full(7360)).isRedundant()).to.equal(false);
  });

  it('keeps a node whose secondary has no free disk, to the MiB', () => {
    const full = (freeDiskMib: number) =>
      smallState({ nodes: [{}, { freeDiskMib }], instances: [{ memMib: 1000 }] });
    expect(checkOf(full(1)).canEvacuate(0)).to.equal(true);
    expect(checkOf(full(0)).canEvacuate(0)).to.equal(false);
  });

  it('asks the nodes of the group to share what is on no disk of theirs', () => {
    const instances = times(3, () => ({ diskTemplate: 'ext' as const, memMib: 6000 }));
    expect(checkOf(smallState({ nodes: times(3, () => ({})), instances })).isRedundant()).to.equal(true);
    expect(checkOf(smallState({ nodes: times(2, () => ({})), instances })).isRedundant()).to.equal(false);
  });

  it('knows without trying that two do not fit on the only node that either could go to, to the MiB', () => {
    const isLost = (disk: number, mem: number): boolean => {
      const state = smallState({
        nodes: [{}, { freeDiskMib: 0, totalMemMib: 9216 }, { freeDiskMib: disk, totalMemMib: 1024 + mem }],
        instances: [
          { diskTemplate: 'ext', memMib: 9000 },
          { diskTemplate: 'plain', memMib: 2000, diskMib: 3000 },
          { diskTemplate: 'plain', memMib: 2000, diskMib: 5000 },
        ],
      });
      const check = checkOf(state);
      expect(check.canEvacuate(0)).to.equal(!check.isLost(0));
      return check.isLost(0);
    };
    expect(isLost(8001, 13_001)).to.equal(false);
    expect(isLost(8000, 13_001)).to.equal(true);
    expect(isLost(8001, 13_000)).to.equal(true);
  });

  it('finds no place on a node without free disk, even for an instance whose disk has no size', () => {
    const { ranges } = DEFAULT_POLICY;
    const min = { ...ranges[0]!.min, memoryMib: 0, diskMib: 0 };
    const policy = { ...DEFAULT_POLICY, ranges: [{ ...ranges[0]!, min }] };
    const redundant = (freeDiskMib: number, memMib: number): boolean =>
      checkOf(
        smallState({
          groups: [{ policy }],
          nodes: [{}, { freeDiskMib }],
          instances: [{ diskTemplate: 'plain', diskMib: 0, memMib }],
        }),
      ).isRedundant();
    for (const memMib of [0, 512]) {
      expect(redundant(1, memMib)).to.equal(true);
      expect(redundant(0, memMib)).to.equal(false);
    }
  });

  it('counts on the disk that a node had when all others surely found room there, to the MiB', () => {
    const plain = { diskTemplate: 'plain' as const, memMib: 512 };
    const state = smallState({
      nodes: [{}, { freeDiskMib: 11_900 }, { freeDiskMib: 3000 }],
      instances: [
        { ...plain, diskMib: 6000 },
        { ...plain, diskMib: 4000 },
      ],
    });
    const check = checkOf(state);
    expect(check.isRedundant()).to.equal(true);
    const admits = (diskMib: number, diskTemplate: 'plain' | 'drbd'): boolean => {
      const i = state.addInstance(instanceFrom({ ...plain, diskTemplate, diskMib }, -1));
      const admitted = diskTemplate === 'plain' ? check.admits(i, 1, -1) : check.admits(i, 2, 1);
      state.dropLastInstance();
      return admitted;
    };
    for (const template of ['plain', 'drbd'] as const) {
      expect(admits(1899, template), template).to.equal(true);
      expect(admits(1900, template), template).to.equal(false);
    }
  });

  it('leaves out groups that are to be ignored, and offline nodes when told to', () => {
    const sketch = {
      nodes: [{ isOffline: true }, { totalMemMib: 2048 }],
      instances: [{ memMib: 4096, diskTemplate: 'ext' as const }],
    };
    const nodes = [0, 1];
    expect(new GlobalCheck(smallState(sketch), nodes).isRedundant()).to.equal(false);
    expect(new GlobalCheck(smallState(sketch), nodes, { onlineOnly: true }).isRedundant()).to.equal(true);
    const ignoredGroups = new Set([0]);
    expect(new GlobalCheck(smallState(sketch), nodes, { ignoredGroups }).isRedundant()).to.equal(true);
  });

  it('says of every node what trying it in full says, and changes nothing', () => {
    forSeeds(halved(60), (seed) => {
      const state = new ClusterState(clusterWithoutPools(seed));
      const before = imageOf(state);
      const check = checkOf(state);
      for (const node of state.snapshot.nodes.keys()) {
        expect(check.canEvacuate(node), `node ${node}`).to.equal(canEvacuateByTrying(state, node));
      }
      expect(imageOf(state)).to.deep.equal(before);
    });
  });

  it('admits exactly the placements after which every node can be evacuated', () => {
    const seen = { true: 0, false: 0 };
    forSeeds(halved(60), (seed) => {
      const random = new Random(seed, 'admits');
      const snapshot = clusterWithoutPools(seed);
      const state = new ClusterState(snapshot);
      const instance = newInstance(state, random);
      const i = state.addInstance(instance);
      const check = checkOf(state);
      const nodes = [...snapshot.nodes.keys()];
      for (const primary of nodes) {
        const secondary = instance.diskTemplate === 'drbd' ? random.pick(nodes) : -1;
        if (secondary === primary) continue;
        const mark = state.journal.mark();
        const isPlaced = placeInstance(state, i, primary, secondary, false) === ALLOWED;
        const expected = isPlaced && nodes.every((node) => canEvacuateByTrying(state, node));
        state.journal.rollback(mark);
        if (!isPlaced) continue;
        expect(check.admits(i, primary, secondary)).to.equal(expected);
        seen[`${expected}`]++;
      }
    });
    expect(seen.true, 'placements that are fine').to.be.greaterThan(0);
    expect(seen.false, 'placements that are not').to.be.greaterThan(0);
  });

  it('knows whether the first of two takes the only place of the second while others come', () => {
    const seen = { true: 0, false: 0 };
    forSeeds(25, (seed) => {
      const random = new Random(seed, 'two leave a node');
      const ext = { diskTemplate: 'ext' as const };
      const other = () => ({ totalMemMib: random.pick([5120, 6144, 7168]) });
      const third = random.chance(0.3) ? [{ ...ext, memMib: 512 }] : [];
      const state = smallState({
        nodes: [{}, { totalMemMib: 10_240 }, ...times(5, other)],
        instances: [
          ...third,
          { ...ext, memMib: 8000 },
          { ...ext, memMib: 2048 },
          ...times(6, (n) => ({ ...ext, memMib: 384, vcpus: random.pick([1, 2, 3]), primary: n + 1 })),
        ],
      });
      const nodes = [...state.snapshot.nodes.keys()];
      const check = checkOf(state);
      for (let count = 0; count < 8; count++) {
        const model = instanceFrom({ ...ext, memMib: random.pick([128, 256]), primary: -1 }, 0);
        const i = state.addInstance({ ...model, name: `new-${count}`, index: state.instanceCount });
        for (const primary of nodes.slice(1)) {
          const isAdmitted = check.admits(i, primary, -1);
          const mark = state.journal.mark();
          const isPlaced = placeInstance(state, i, primary, -1, false) === ALLOWED;
          const expected = nodes.every((node) => canEvacuateByTrying(state, node));
          state.journal.rollback(mark);
          if (isPlaced) expect(isAdmitted, `seed ${seed}, ${count} on ${primary}`).to.equal(expected);
          seen[`${expected}`]++;
        }
        const primary = random.pick(nodes.slice(2));
        placeInstance(state, i, primary, -1, true);
        check.refresh([primary]);
      }
    });
    expect(seen.true, 'placements that are fine').to.be.above(100);
    expect(seen.false, 'placements that are not').to.be.above(100);
  });

  it('knows which primaries are too full for good, until something leaves', () => {
    const seen = { full: 0, open: 0 };
    forSeeds(halved(30), (seed) => {
      const random = new Random(seed, 'too full');
      const ext = () => ({ diskTemplate: 'ext' as const, memMib: random.pick([500, 1000, 2000, 3000]) });
      const state = smallState({
        nodes: times(5, () => ({ totalMemMib: random.pick([6144, 8192]) })),
        instances: [
          ...times(7, (n) => ({ ...ext(), primary: n % 5 })),
          ...times(3, (n) => ({ memMib: 500, primary: n, secondary: n + 1 })),
        ],
      });
      const nodes = [...state.snapshot.nodes.keys()];
      const check = checkOf(state);
      for (let count = 0; count < 10; count++) {
        const record = { ...instanceFrom({ ...ext(), primary: -1 }, 0), name: `new-${count}` };
        const i = state.addInstance({ ...record, index: state.instanceCount });
        for (const primary of nodes) {
          const isTooFull = check.isTooFull(i, primary);
          const isAdmitted = check.admits(i, primary, -1);
          const mark = state.journal.mark();
          const isPlaced = placeInstance(state, i, primary, -1, true) === ALLOWED;
          const isRedundant = nodes.every((node) => canEvacuateByTrying(state, node));
          if (isPlaced) expect(isAdmitted).to.equal(isRedundant);
          if (isPlaced && isTooFull) expect(isRedundant).to.equal(false);
          state.journal.rollback(mark);
          if (isPlaced) seen[isTooFull ? 'full' : 'open']++;
        }
        const primary = random.pick(nodes);
        const mark = state.journal.mark();
        if (!check.admits(i, primary, -1)) continue;
        placeInstance(state, i, primary, -1, true);
        check.refresh([primary]);
        if (random.chance(0.6)) continue;
        for (const other of nodes) check.admits(i, other, -1);
        state.journal.rollback(mark);
        check.refresh([primary]);
      }
    });
    expect(seen.full, 'primaries that are known to be too full').to.be.above(halved(50));
    expect(seen.open, 'others').to.be.above(halved(50));
  });

  it('keeps what it knows right while one instance after the other comes', () => {
    const seen = { true: 0, false: 0, lost: 0 };
    forSeeds(
      40,
      (seed) => {
        const random = new Random(seed, 'one after the other');
        const snapshot = clusterWithoutPools(seed);
        const state = new ClusterState(snapshot);
        const nodes = [...snapshot.nodes.keys()];
        const check = checkOf(state);
        const isRedundant = (): boolean => nodes.every((node) => canEvacuateByTrying(state, node));
        for (let count = 0; count < 12; count++) {
          const diskTemplate = random.pick(['plain', 'ext', 'diskless', 'blockdev', 'drbd'] as const);
          const memMib = random.pick([256, 512, 1024, 2048, 4096]);
          const diskMib = random.pick([4096, 65_536, 262_144]);
          const model = instanceFrom({ diskTemplate, memMib, diskMib, primary: -1 }, 0);
          const i = state.addInstance({ ...model, name: `new-${count}`, index: state.instanceCount });
          const primary = random.pick(nodes);
          const mates = nodes.filter((n) => n !== primary && state.groupOf[n] === state.groupOf[primary]);
          const secondary = diskTemplate === 'drbd' && mates.length > 0 ? random.pick(mates) : -1;
          const mark = state.journal.mark();
          const isAdmitted = check.admits(i, primary, secondary);
          const isPlaced = placeInstance(state, i, primary, secondary, false) === ALLOWED;
          const expected = isPlaced && isRedundant();
          if (isPlaced) expect(isAdmitted, `seed ${seed}, ${count}`).to.equal(expected);
          seen[`${expected}`]++;
          if (isPlaced && check.isLost(primary)) {
            expect(expected).to.equal(false);
            seen.lost++;
          }
          if (expected) check.refresh(secondary < 0 ? [primary] : [primary, secondary], random.chance(0.5));
          else {
            state.journal.rollback(mark);
            state.dropLastInstance();
          }
          expect(check.isRedundant()).to.equal(isRedundant());
        }
      },
      [980976569],
    );
    expect(seen.true, 'placements that are fine').to.be.above(20);
    expect(seen.false, 'placements that are not').to.be.above(20);
    expect(seen.lost, 'nodes that are lost').to.be.above(5);
  });
});
