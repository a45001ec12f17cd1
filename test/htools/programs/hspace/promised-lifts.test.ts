import { expect } from 'chai';
import { runBuilt, runWords } from '../../../suite/run-built.ts';

const counted = (args: readonly string[]) => {
  const document = JSON.parse(runWords('hspace', [...args, '--json']).stdout);
  const standard = document.allocations.find(({ kind }: { kind: string }) => kind === 'standard');
  return { document, count: standard.instanceCount as number };
};

describe('hspace --explain', function () {
  this.timeout(120_000);

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
});
