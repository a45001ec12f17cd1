import { expect } from 'chai';
import { METRICS } from '../../../../src/htools/model/score/metrics.ts';
import { diskMembers } from '../../../../src/htools/model/score/scorer.ts';
import { type NodeSketch, smallState } from '../../../builders/small-cluster.ts';

const INTERNAL: NodeSketch = { storagePools: ['internal/lvm', 'external/nas'] };
const EXTERNAL: NodeSketch = { storagePools: ['external/nas'] };

const membersOf = (...nodes: readonly NodeSketch[]) =>
  diskMembers(
    smallState({ nodes }),
    nodes.map((_, n) => n),
  );

describe('the nodes that take part in the disk metrics', () => {
  it('are all where nothing is said about storage, or all have some of their own', () => {
    expect(membersOf({}, {})).to.equal(undefined);
    expect(membersOf(INTERNAL, INTERNAL)).to.equal(undefined);
  });

  it('are those with storage of their own where others have none', () => {
    expect(membersOf(INTERNAL, EXTERNAL, INTERNAL)).to.deep.equal([0, 2]);
    expect(membersOf(INTERNAL, { ...INTERNAL, totalDiskMib: 0, freeDiskMib: 0 })).to.deep.equal([0]);
  });

  it('are all again where no node has any: the metrics are then those of stock', () => {
    expect(membersOf(EXTERNAL, EXTERNAL)).to.equal(undefined);
  });

  it('matter for free disk and spindles, with forthcoming instances and without', () => {
    const names = METRICS.flatMap(({ name, isOfDisks }) => (isOfDisks ? [name] : []));
    expect(names).to.deep.equal(['free_disk_cv', 'spindles_cv', 'free_disk_cv_forth', 'spindles_cv_forth']);
  });
});
