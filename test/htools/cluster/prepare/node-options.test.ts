import { expect } from 'chai';
import { applyNodeOptions } from '../../../../src/htools/cluster/prepare/node-options.ts';
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';
import { ExecutionError } from '../../../../src/kit/faults.ts';

const node = (name: string): string => `${name}|65536|1024|60000|1000000|900000|8|N|u1|1||N|0|1|1.0`;
const RAW = parseText(
  `g1|u1|preferred||\n\n${['n1', 'n2', 'n3'].map((name) => `${node(`${name}.example.com`)}\n`).join('')}\n\n`,
  'test',
);
const SNAPSHOT = prepareSnapshot(RAW, {}).snapshot;

describe('a snapshot as it was read', () => {
  it('is not taken for one that can be searched', () => {
    // @ts-expect-error: the compiler must refuse it, for it lacks what preparing adds
    const make = (): ClusterState => new ClusterState(RAW);
    expect(make).to.be.a('function');
    expect(Object.keys(RAW.nodes[0]!)).to.not.include.members(['alias', 'minFreeDiskRatio']);
  });
});

describe('node options', () => {
  it('set nodes offline by parts of their names, and limits everywhere', () => {
    const snapshot = applyNodeOptions(SNAPSHOT, { offline: ['n2'], maxCpuRatio: 2, minDiskRatio: 0.1 });
    expect(snapshot.nodes.map((n) => n.isOffline)).to.deep.equal([false, true, false]);
    expect(snapshot.nodes.map((n) => [n.maxVcpuRatio, n.minFreeDiskRatio])).to.deep.equal([
      [2, 0.1],
      [2, 0.1],
      [2, 0.1],
    ]);
  });

  it('name all wrong nodes, from the last to the first, and say that each has an option of its own', () => {
    expect(() => applyNodeOptions(SNAPSHOT, { offline: ['zz', 'n', 'n1'], minDiskRatio: 0 }))
      .to.throw(ExecutionError, 'wrong node name(s) set as offline: n,zz')
      .with.property('remedy')
      .match(/one node of the cluster with each -O/);
  });
});
