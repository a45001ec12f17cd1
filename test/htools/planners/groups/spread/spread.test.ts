import { expect } from 'chai';
import { SuperCluster } from '../../../../../src/htools/planners/groups/homes/super-cluster.ts';
import { snapshotAfter } from '../../../../../src/htools/planners/groups/relocate/relocation-plan.ts';
import { GroupLoads } from '../../../../../src/htools/planners/groups/spread/group-load.ts';
import { Spreading, type SpreadOptions } from '../../../../../src/htools/planners/groups/spread/spread.ts';
import { type ClusterSketch, smallCluster } from '../../../../builders/small-cluster.ts';

const OPTIONS: SpreadOptions = {
  diskMoves: true,
  maxSteps: -1,
  minScore: 1e-9,
  minGain: 0.01,
  minGainLimit: 0.1,
};

function spread(sketch: Partial<ClusterSketch>, options: Partial<SpreadOptions> = {}) {
  const snapshot = smallCluster({
    groups: [{}, {}],
    nodes: [{}, {}, {}, { group: 1 }, { group: 1 }],
    ...sketch,
  });
  const spreading = new Spreading(new SuperCluster(snapshot), { ...OPTIONS, ...options });
  const steps = [...spreading.steps()];
  return { snapshot, spreading, steps };
}

describe('spreading load', () => {
  it('counts what comes to load once a copy has left a dead node, as the saved state does', () => {
    const { snapshot, spreading, steps } = spread({
      nodes: [{}, { isOffline: true }, {}, { group: 1 }, { group: 1 }],
      instances: [{}, { diskTemplate: 'ext', primary: 2 }, { diskTemplate: 'ext', primary: 2 }],
    });
    expect(steps).to.not.be.empty;
    const saved = new GroupLoads(
      new SuperCluster(
        snapshotAfter(
          snapshot,
          steps.map(({ relocation }) => relocation),
        ),
      ),
    );
    expect(spreading.loads.score).to.be.closeTo(saved.score, 1e-12);
    for (const group of [0, 1]) {
      saved.of(group).forEach((load, r) => {
        expect(spreading.loads.of(group)[r]).to.be.closeTo(load, 1e-12);
      });
    }
  });

  it('takes what copies least of moves that are as good', () => {
    const instances = [{ diskMib: 9000 }, { diskMib: 4000 }, { diskMib: 7000 }];
    const { steps } = spread({ instances }, { maxSteps: 1 });
    expect(steps.map(({ relocation }) => relocation.instance)).to.deep.equal([1]);
  });

  it('says why it ended', () => {
    const two = { instances: [{ diskTemplate: 'ext' }, { diskTemplate: 'ext' }] } as const;
    const endOf = (sketch: Partial<ClusterSketch>, options: Partial<SpreadOptions> = {}) =>
      spread(sketch, options).spreading.end;
    expect(endOf(two, { maxSteps: 0 })).to.equal('max-steps');
    expect(endOf(two)).to.equal('even');
    expect(endOf(two, { minScore: 100 })).to.equal('min-score');
    expect(endOf({ ...two, tags: ['htools:nointergroup'] })).to.equal('forbidden');
    expect(endOf({ instances: [{}] }, { diskMoves: false })).to.equal('nothing-movable');
    expect(endOf(two, { minGain: 100, minGainLimit: 100 })).to.equal('min-gain');
    const full = [{}, {}, {}, { group: 1, nodeMemMib: 16000 }, { group: 1, nodeMemMib: 16000 }];
    expect(endOf({ ...two, nodes: full })).to.equal('no-home');
    expect(
      endOf({ instances: [{ diskTemplate: 'ext' }, { diskTemplate: 'ext' }, { diskTemplate: 'ext' }] }),
    ).to.equal('even');
  });

  it('unloads only the group that is named', () => {
    const instances = [{ diskTemplate: 'ext' }, { diskTemplate: 'ext' }] as const;
    expect(spread({ instances }, { only: 1 }).steps).to.deep.equal([]);
    expect(spread({ instances }, { only: 0 }).steps).to.have.length(1);
  });
});
