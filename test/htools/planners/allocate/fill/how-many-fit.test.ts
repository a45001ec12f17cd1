import { expect } from 'chai';
import { DEFAULT_POLICY } from '../../../../../src/htools/cluster/policy.ts';
import {
  type FitOptions,
  fitOf,
  howManyFit,
} from '../../../../../src/htools/planners/allocate/fill/how-many-fit.ts';
import { loadSnapshot } from '../../../../../src/htools/sources/load-snapshot.ts';
import { ExecutionError } from '../../../../../src/kit/faults.ts';
import { smallCluster } from '../../../../builders/small-cluster.ts';
import { ROOT, runBuilt } from '../../../../suite/run-built.ts';

const SIZE = { memMib: 1024, diskMib: 10240, vcpus: 1, spindles: 1 };

/** What hspace counts for the same size. */
function countOfHspace(file: string, words: string): number {
  const { stdout } = runBuilt(
    `hspace -t ${file} --standard-alloc=${SIZE.diskMib},${SIZE.memMib},${SIZE.vcpus},${SIZE.spindles} --machine-readable ${words}`,
  );
  return Number(/^HTS_ALLOC_INSTANCES=(\d+)$/m.exec(stdout)?.[1] ?? 0);
}

const CASES: readonly (readonly [string, string, FitOptions])[] = [
  ['testdata/small.data', '--disk-template=drbd', { diskTemplate: 'drbd' }],
  ['testdata/small.data', '--disk-template=plain', { diskTemplate: 'plain' }],
  ['testdata/small.data', '--disk-template=drbd -l 7', { diskTemplate: 'drbd', limit: 7 }],
  [
    'testdata/super.data',
    '--disk-template=drbd --accept-existing-errors --no-capacity-checks',
    { diskTemplate: 'drbd', acceptExistingErrors: true, capacityChecks: false },
  ],
];

describe('how many instances fit', () => {
  for (const [file, words, options] of CASES) {
    it(`is what hspace counts on ${file} with ${words}`, async () => {
      const { snapshot } = await loadSnapshot({ textFile: `${ROOT}/${file}` });
      const count = howManyFit(snapshot, SIZE, options);
      expect(count).to.be.above(0);
      expect(count).to.equal(countOfHspace(file, words));
    });
  }

  const nothing = { memMib: 0, diskMib: 0, vcpus: 0, spindles: 0 };
  const openCluster = async () => {
    const { snapshot } = await loadSnapshot({ textFile: `${ROOT}/testdata/small.data` });
    const everything = { ranges: [], diskTemplates: ['ext', 'plain'] } as const;
    const groups = snapshot.groups.map((group) => ({ ...group, policy: { ...group.policy, ...everything } }));
    return { snapshot, open: { ...snapshot, groups, instances: [] } };
  };

  it('is no number where any number does, as hspace says', async () => {
    const { snapshot, open } = await openCluster();
    const countOf = (cluster: typeof snapshot, limits: FitOptions): number =>
      howManyFit(cluster, nothing, { diskTemplate: 'ext', ...limits });
    expect(() => countOf(open, {})).to.throw(ExecutionError, 'any number of them fits');
    expect(countOf(open, { limit: 3 })).to.equal(3);
    // Where the policy refuses it, none does.
    expect(countOf(snapshot, {})).to.equal(0);
  });

  it('is none or any number of what uses nothing up, where the cluster is not redundant, as that is asked', () => {
    const node = { totalMemMib: 4100, nodeMemMib: 1024 };
    const instance = { memMib: 2500, diskTemplate: 'rbd' as const, secondary: -1 };
    const lost = smallCluster({
      groups: [{ policy: { ...DEFAULT_POLICY, ranges: [], diskTemplates: ['ext', 'drbd'] } }],
      nodes: [node, node],
      instances: [
        { ...instance, primary: 0 },
        { ...instance, primary: 1 },
      ],
    });
    const always = { spindleUse: 0, acceptExistingErrors: true } as const;
    expect(howManyFit(lost, nothing, { diskTemplate: 'ext', ...always })).to.equal(0);
    // Single DRBD instances are not asked whether the cluster stays redundant.
    expect(() => howManyFit(lost, nothing, { diskTemplate: 'drbd', ...always })).to.throw(ExecutionError);
  });

  it('is none where a node could not take over already, unless that is accepted', () => {
    // The second node has 15 GiB free and reserves 15 GiB for the first.
    const instances = [{ memMib: 15 * 1024 }];
    const full = smallCluster({ nodes: [{ totalMemMib: 32 * 1024 }, {}, {}], instances });
    const size = { ...SIZE, memMib: 5 * 1024 };
    const options = { diskTemplate: 'plain', capacityChecks: false } as const;
    expect(fitOf(full, size, options)).to.deep.equal({ count: 0, obstacle: 'fails-n1-already' });
    // Of 16, 15 and 15 GiB, some has to stay free on each.
    expect(howManyFit(full, size, { ...options, acceptExistingErrors: true })).to.equal(3 + 2 + 2);
  });

  it('is a number where a size takes nothing but cpus', () => {
    const policy = { ...DEFAULT_POLICY, ranges: [], diskTemplates: ['ext'], vcpuRatio: 4 } as const;
    const open = smallCluster({ groups: [{ policy }], nodes: [{ totalCpus: 3 }, { totalCpus: 2 }] });
    const options = { diskTemplate: 'ext', capacityChecks: false } as const;
    expect(howManyFit(open, { ...nothing, vcpus: 1 }, options)).to.equal((3 + 2) * 4);
  });

  it('is a number where a size takes nothing but spindles', async () => {
    const { open } = await openCluster();
    const plain = { diskTemplate: 'plain', capacityChecks: false } as const;
    // Four nodes of one spindle, which 32 instances may share.
    expect(howManyFit(open, nothing, plain)).to.equal(4 * 32);
    expect(() => howManyFit(open, nothing, { ...plain, spindleUse: 0 })).to.throw(ExecutionError);
    const nodes = open.nodes.map((node) => ({
      ...node,
      hasExclusiveStorage: true,
      spindles: 3,
      freeSpindles: 3,
    }));
    const exclusive = { ...open, nodes };
    expect(howManyFit(exclusive, { ...nothing, spindles: 1 }, plain)).to.equal(4 * 3);
    expect(() => howManyFit(exclusive, nothing, plain)).to.throw(ExecutionError);
    // Where but one node hands out its spindles, the others take any number once it is full.
    const [first, ...others] = nodes;
    const mixed = {
      ...open,
      nodes: [first!, ...others.map((node) => ({ ...node, hasExclusiveStorage: false }))],
    };
    expect(() => howManyFit(mixed, { ...nothing, spindles: 1 }, { ...plain, spindleUse: 0 })).to.throw(
      ExecutionError,
    );
  });

  it('is a number where a size takes room in a pool, and nothing else', async () => {
    const { open } = await openCluster();
    const tags = ['htools:poolsize:external/ext:10g'];
    const size = { ...nothing, diskMib: 1024 };
    expect(howManyFit({ ...open, tags }, size, { diskTemplate: 'ext' })).to.equal(10);
    expect(() => howManyFit(open, size, { diskTemplate: 'ext' })).to.throw(ExecutionError);
  });

  it('says why no more do, as hspace does', async () => {
    const { snapshot } = await loadSnapshot({ textFile: `${ROOT}/testdata/small.data` });
    const limits = { diskTemplate: 'drbd' } as const;
    const reason = (size: object): unknown =>
      fitOf(snapshot, { ...SIZE, ...size }, { ...limits, limit: 1 }).obstacle;
    expect(reason({})).to.equal(undefined);
    expect(reason({ memMib: 1 << 20 })).to.equal('FailMem');
    expect(reason({ diskMib: 1 << 30 })).to.equal('FailDisk');
    const { stdout } = runBuilt(
      `hspace -t testdata/small.data --disk-template=drbd --standard-alloc=${SIZE.diskMib},${SIZE.memMib},${SIZE.vcpus},${SIZE.spindles}`,
    );
    expect(stdout).to.include(`most likely failure reason: ${fitOf(snapshot, SIZE, limits).obstacle}`);
  });
});
