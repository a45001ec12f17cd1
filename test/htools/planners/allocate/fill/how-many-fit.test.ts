import { expect } from 'chai';
import {
  type FitOptions,
  fitOf,
  howManyFit,
} from '../../../../../src/htools/planners/allocate/fill/how-many-fit.ts';
import { loadSnapshot } from '../../../../../src/htools/sources/load-snapshot.ts';
import { ExecutionError } from '../../../../../src/kit/faults.ts';
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

  it('is no number where any number does, as hspace says', async () => {
    const { snapshot } = await loadSnapshot({ textFile: `${ROOT}/testdata/small.data` });
    const everything = { ranges: [], diskTemplates: ['ext'] } as const;
    const groups = snapshot.groups.map((group) => ({ ...group, policy: { ...group.policy, ...everything } }));
    const open = { ...snapshot, groups };
    const nothing = { memMib: 0, diskMib: 0, vcpus: 0, spindles: 0 };
    const countOf = (cluster: typeof snapshot, limits: FitOptions): number =>
      howManyFit(cluster, nothing, { diskTemplate: 'ext', ...limits });
    expect(() => countOf(open, {})).to.throw(ExecutionError, 'any number of them fits');
    expect(countOf(open, { limit: 3 })).to.equal(3);
    // Where the policy refuses it, none does.
    expect(countOf(snapshot, {})).to.equal(0);
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
