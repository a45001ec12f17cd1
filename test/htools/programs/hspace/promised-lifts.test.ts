import { expect } from 'chai';
import { explanationText } from '../../../../src/htools/programs/hspace/explanation.ts';
import type { CapacityLift } from '../../../../src/htools/results/hspace.ts';
import { runBuilt, runWords } from '../../../suite/run-built.ts';

const counted = (args: readonly string[]) => {
  const document = JSON.parse(runWords('hspace', [...args, '--json']).stdout);
  const standard = document.allocations.find(({ kind }: { kind: string }) => kind === 'standard');
  return { document, count: standard.instanceCount as number };
};

describe('hspace --explain', () => {
  for (const file of ['small.data', 'repair.data', 'groups/nobody.data', 'storage/15-drbd-and-external.data'])
    it(`promises as many more as --what-if counts: ${file}`, () => {
      const source = ['-t', `testdata/${file}`];
      const { document, count } = counted([...source, '--explain']);
      const { lifts } = document.explanation;
      expect(lifts).to.have.length.above(0);
      for (const { lift, gain, isAtLeast } of lifts) {
        const words = lift.join('; ');
        expect(isAtLeast).to.equal(false);
        const more = counted([...source, `--what-if=${words}`]).count - count;
        expect(gain, words).to.equal(Math.max(0, more));
      }
    });

  it('says that figure', () => {
    expect(runBuilt('hspace -t testdata/small.data --explain').stdout).to.contain(
      '  - add node like node1.example.com: 16 more\n',
    );
  });

  it('has no chart of sizes for instances that weigh nothing', () => {
    const { stdout } = runBuilt(
      'hspace -t testdata/small.data --standard-alloc=0,0,0 --disk-template=diskless -l 5 --explain',
    );
    expect(stdout).to.contain('its bound is 128 MiB,\n      the instance has 0\n');
    expect(stdout).to.match(/\n {2}- add node like node1.example.com: no more\n$/);
  });

  it('names changes alone, and says it once, where there are too many to count', () => {
    const size = { memMib: 1024, diskMib: 10240, vcpus: 1, spindles: 1 };
    const text = (lifts: readonly CapacityLift[]): string =>
      explanationText({ size, usableNodes: 2, stoppedBy: [], obstacles: [], lifts, chart: [] }, {
        nodes: [],
      } as never);
    const uncounted = { gain: 0, isAtLeast: true };
    expect(
      text([
        { lift: ['a'], ...uncounted },
        { lift: ['b'], ...uncounted },
      ]),
    ).to.contain('What would lift it, in the words of --what-if (which tells by how many):\n  - a\n  - b\n');
    const counted = { gain: 3, isAtLeast: true };
    expect(
      text([
        { lift: ['a'], ...counted },
        { lift: ['b'], ...uncounted, isAtLeast: false },
      ]),
    ).to.contain('What would lift it, in the words of --what-if:\n  - a: 3 or more\n  - b: no more\n');
  });
});
