import { expect } from 'chai';
import { damageOf, hasHelped } from '../../../../../src/htools/planners/maintain/repair/damage.ts';
import { smallState } from '../../../../builders/small-cluster.ts';

const GONE = 0;
const THERE = 1;
const ALSO_GONE = 2;
const ALSO_THERE = 3;

const damage = (diskTemplate: 'drbd' | 'plain' | 'ext' | 'sharedfile', primary: number, secondary = -1) => {
  const { snapshot } = smallState({
    nodes: [{ isOffline: true }, {}, { isOffline: true }, {}],
    instances: [{ diskTemplate, primary, secondary }],
  });
  const found = damageOf(snapshot, 0);
  return (
    found && {
      type: found.repair,
      ops: found.opcodes.map(({ OP_ID }) => OP_ID),
      on: found.offlineNodes.map((name) => snapshot.nodes.findIndex((node) => node.name === name)),
    }
  );
};

describe('what is wrong with an instance', () => {
  it('is nothing while its nodes are there', () => {
    expect(damage('drbd', THERE, ALSO_THERE)).to.equal(null);
    expect(damage('plain', THERE)).to.equal(null);
  });

  it('needs a new secondary, a failover, or everything anew, as the nodes of a mirrored one are gone', () => {
    expect(damage('drbd', THERE, GONE)).to.deep.equal({
      type: 'fix-storage',
      ops: ['OP_INSTANCE_REPLACE_DISKS'],
      on: [GONE],
    });
    expect(damage('drbd', GONE, THERE)).to.deep.equal({
      type: 'failover',
      ops: ['OP_INSTANCE_FAILOVER'],
      on: [GONE],
    });
    expect(damage('drbd', GONE, ALSO_GONE)).to.deep.equal({
      type: 'reinstall',
      ops: ['OP_INSTANCE_RECREATE_DISKS', 'OP_INSTANCE_REINSTALL'],
      on: [GONE, ALSO_GONE],
    });
  });

  it('needs everything anew when its only disks are gone', () => {
    expect(damage('plain', GONE)).to.include({ type: 'reinstall' });
  });

  it('is nothing when a node is gone that it only names as secondary, as its disks are not there', () => {
    expect(damage('plain', THERE, GONE)).to.equal(null);
    expect(damage('ext', THERE, GONE)).to.equal(null);
    expect(damage('plain', GONE, ALSO_GONE)).to.deep.include({ type: 'reinstall', on: [GONE] });
  });

  it('tells what has helped: nothing is wrong any more, or only with the other node', () => {
    const helped = (type: 'failover' | 'fix-storage' | 'reinstall', repair: typeof type | null): boolean =>
      hasHelped(type, { repair });
    expect(hasHelped('failover', null)).to.equal(true);
    expect([helped('failover', 'fix-storage'), helped('fix-storage', 'failover')]).to.deep.equal([
      true,
      true,
    ]);
    for (const type of ['failover', 'fix-storage', 'reinstall'] as const)
      expect([helped(type, type), helped(type, 'reinstall'), helped(type, null)]).to.not.include(true);
  });

  it('has no repair for other templates', () => {
    for (const template of ['ext', 'sharedfile'] as const)
      expect(damage(template, GONE)).to.deep.equal({ type: null, ops: [], on: [GONE] });
  });
});
