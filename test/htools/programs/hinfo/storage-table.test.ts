import { expect } from 'chai';
import { describeStorage } from '../../../../src/htools/cluster/storage/storage.ts';
import { storageReport } from '../../../../src/htools/cluster/storage/storage-report.ts';
import { storageText } from '../../../../src/htools/programs/hinfo/text.ts';
import { aCluster } from '../../plan/cluster-builder.ts';

const textOf = (snapshot: ReturnType<typeof aCluster>): string =>
  storageText(storageReport(snapshot, describeStorage(snapshot)));

describe('the table of storage pools', () => {
  it('shows each pool once, with what its nodes or its tag say of its size, and who is misplaced', () => {
    const snapshot = aCluster({
      groups: [{}, {}],
      tags: ['htools:poolsize:external/nas:10g'],
      nodes: [
        { storagePools: ['internal/lvm', 'external/nas'] },
        { storagePools: ['internal/lvm', 'external/nas'], group: 1 },
        { storagePools: ['external/san'], group: 1 },
      ],
      instances: [
        { diskTemplate: 'ext', storagePool: 'external/nas', diskMib: 2048, primary: 0 },
        { diskTemplate: 'ext', storagePool: 'external/nas', diskMib: 1024, primary: 2 },
      ],
    });

    expect(textOf(snapshot)).to.equal(
      [
        'Storage pools (3). Nodes list the pools that they reach.',
        ' Type     Pool Nodes Inst Used_GiB Size_GiB Free_GiB Groups',
        ' internal lvm      2    0      0.0    200.0    200.0 default,group2',
        ' external nas      2    2      3.0     10.0      7.0 default,group2',
        ' external san      1    0      0.0        -        - group2',
        'Misplaced instances (1): inst2.example.com',
        'Warning: instance inst2.example.com is in external/nas, which its node node3.example.com does not reach',
        '',
      ].join('\n'),
    );
  });

  it('says that the pools are derived where nothing is stated, and that all reach all where no node lists any', () => {
    expect(textOf(aCluster({ nodes: [{}, {}], instances: [{}] }))).to.match(
      /^Storage pools \(1\)\. The snapshot says nothing about storage/,
    );
    const named = aCluster({
      nodes: [{}],
      instances: [{ diskTemplate: 'ext', storagePool: 'external/nas' }],
    });
    expect(textOf(named)).to.match(/^Storage pools \(1\)\. No node lists its pools/);
  });

  it('has no table for a cluster without pools', () => {
    expect(textOf(aCluster({ nodes: [{}], instances: [] })).split('\n')).to.have.length(2);
  });
});
