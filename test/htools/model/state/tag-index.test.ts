import { expect } from 'chai';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { instanceFrom, smallCluster, smallState } from '../../../builders/small-cluster.ts';

const EXCLUSION = 'htools:iextags:service';
const LOCATION = 'htools:nlocation:rack';

describe('the tag index', () => {
  it('numbers only tags that two instances carry, or one twice', () => {
    const { tags } = smallState({
      tags: [EXCLUSION],
      nodes: [{}, {}],
      instances: [{ tags: ['service:web', 'service:alone'] }, { tags: ['service:web'] }],
    });
    expect(tags.tagCount).to.equal(1);
    expect(tags.exclusionsOf).to.deep.equal([[0], [0]]);
    const repeated = smallState({
      tags: [EXCLUSION],
      nodes: [{}, {}],
      instances: [{ tags: ['service:a', 'service:a'] }],
    });
    expect(repeated.tags.exclusionsOf).to.deep.equal([[0, 0]]);
  });

  it('knows the tags of instances that are to be added', () => {
    const snapshot = smallCluster({
      tags: [EXCLUSION],
      nodes: [{}, {}],
      instances: [{ tags: ['service:web'] }],
    });
    const record = { ...instanceFrom({ primary: -1, secondary: -1 }, 1), exclusionTags: ['service:web'] };
    const state = new ClusterState(snapshot, { toAdd: [record] });
    const i = state.addInstance(record);
    expect(state.tags.conflicts(i, 0)).to.equal(true);
    expect(state.tags.conflicts(i, 1)).to.equal(false);
  });

  it('says how many conflicts come and go with a primary', () => {
    const tags = ['service:web', 'service:db'];
    const state = smallState({
      tags: [EXCLUSION],
      nodes: [{}, {}],
      instances: [{ tags }, { tags: ['service:web'] }, { tags: ['service:db'], primary: 1, secondary: 0 }],
    });
    const index = state.tags;
    expect(index.countPrimary(0, 1, 1), 'db is there').to.equal(1);
    expect(index.countPrimary(1, 1, 1), 'now web is there too').to.equal(1);
    expect(index.countPrimary(0, 1, -1), 'both are resolved').to.equal(-2);
    expect(index.countPrimary(1, 1, -1)).to.equal(0);
  });

  it('crowds a location with primaries beyond the first of a tag, on whichever nodes', () => {
    const tags = ['service:web'];
    const { tags: index } = smallState({
      tags: [EXCLUSION, LOCATION],
      nodes: [
        { tags: ['rack:1'] },
        { tags: ['rack:1'] },
        { tags: ['rack:2'] },
        { tags: ['rack:1'], isOffline: true },
      ],
      instances: [{ tags }, { tags, primary: 1, secondary: 0 }, { tags, primary: 3, secondary: 0 }],
    });
    expect(index.crowding[0], 'offline nodes do not count').to.equal(1);
    index.countInLocations(1, 1, -1);
    index.countInLocations(1, 2, 1);
    expect(index.crowding[0]).to.equal(0);
  });

  it('keeps the crowding of all groups together beside that of each, as a location may reach across them', () => {
    const tags = ['service:web'];
    const racks = ['rack:1', 'rack:1', 'rack:2'];
    const { tags: index } = smallState({
      tags: [EXCLUSION, LOCATION],
      groups: [{}, {}, {}],
      nodes: racks.map((rack, group) => ({ tags: [rack], group })),
      instances: racks.map((_, primary) => ({ tags, primary, diskTemplate: 'plain' as const })),
    });
    const all = [0, 1, 2];
    expect(index.crowding[index.partOf(new Set(all))]).to.equal(1);
    index.countInLocations(2, 2, -1);
    index.countInLocations(2, 0, 1);
    expect(index.crowding[index.partOf(new Set(all))]).to.equal(2);
    expect(all.map((group) => index.crowding[index.partOf(new Set([group]))])).to.deep.equal([1, 0, 0]);
  });

  it('counts the wishes that a node does not meet', () => {
    const { tags: index } = smallState({
      tags: [LOCATION, 'htools:desiredlocation:rack'],
      nodes: [{ tags: ['rack:1'] }, { tags: ['rack:1', 'rack:2'] }, {}],
      instances: [{ tags: ['rack:1', 'rack:2'] }, {}],
    });
    expect([0, 1, 2].map((node) => index.unmetLocations(0, node))).to.deep.equal([1, 0, 2]);
    expect(index.unmetLocations(1, 2)).to.equal(0);
  });

  it('knows whether any instance has wishes', () => {
    const nodes = [{ tags: ['rack:1'] }, {}];
    const tags = ['htools:desiredlocation:rack'];
    const withWish = smallState({ tags, nodes, instances: [{}, { tags: ['rack:1'] }] });
    expect(withWish.tags.hasDesiredLocations).to.equal(true);
    const without = smallState({ tags, nodes, instances: [{}, { tags: ['shelf:1'] }] });
    expect(without.tags.hasDesiredLocations).to.equal(false);
  });

  it('puts nodes with equal tags into one class', () => {
    const { tags: index } = smallState({
      tags: [LOCATION, 'htools:migration:kernel'],
      nodes: [
        { tags: ['rack:1', 'kernel:1'] },
        { tags: ['kernel:1', 'rack:1', 'note'] },
        { tags: ['rack:2', 'kernel:1'] },
      ],
    });
    expect([...index.locationClassOf]).to.deep.equal([0, 0, 1]);
    expect([...index.migrationClassOf]).to.deep.equal([0, 0, 0]);
    expect(index.mayMigrate(0, 2)).to.equal(true);
  });
});
