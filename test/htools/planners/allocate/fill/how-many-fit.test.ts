import { expect } from 'chai';
import {
  type FitOptions,
  fitOf,
  howManyFit,
} from '../../../../../src/htools/planners/allocate/fill/how-many-fit.ts';
import { loadSnapshot } from '../../../../../src/htools/sources/load-snapshot.ts';
import { ROOT, runBuilt } from '../../../../suite/run-built.ts';

const SIZE = { memMib: 1024, diskMib: 10240, cpuCount: 1, spindles: 1 };

/** What hspace counts for the same size. */
function countOfHspace(file: string, words: string): number {
  const { stdout } = runBuilt(
    `hspace -t ${file} --standard-alloc=${SIZE.diskMib},${SIZE.memMib},${SIZE.cpuCount},${SIZE.spindles} --machine-readable ${words}`,
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

  it('says why no more do, as hspace does', async () => {
    const { snapshot } = await loadSnapshot({ textFile: `${ROOT}/testdata/small.data` });
    const limits = { diskTemplate: 'drbd' } as const;
    const reason = (size: object): unknown =>
      fitOf(snapshot, { ...SIZE, ...size }, { ...limits, limit: 1 }).obstacle;
    expect(reason({})).to.equal(undefined);
    expect(reason({ memMib: 1 << 20 })).to.equal('FailMem');
    expect(reason({ diskMib: 1 << 30 })).to.equal('FailDisk');
    const { stdout } = runBuilt(
      `hspace -t testdata/small.data --disk-template=drbd --standard-alloc=${SIZE.diskMib},${SIZE.memMib},${SIZE.cpuCount},${SIZE.spindles}`,
    );
    expect(stdout).to.include(`most likely failure reason: ${fitOf(snapshot, SIZE, limits).obstacle}`);
  });
});
