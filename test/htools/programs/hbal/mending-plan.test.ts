/** What is said of a plan that mends rules at the price of a higher score. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { PlanExplanation } from '../../../../src/htools/results/parts/explanation.ts';
import { newFolder } from '../../../builders/folder.ts';
import { readPage } from '../../../kit/report/html/read-page.ts';
import { runWords } from '../../../suite/run-built.ts';

const RULES = 'tag instance web1 +htools:keepoff:node1; tag instance web2 +htools:keepoff:node1';

describe('hbal --only-rules on a balanced cluster', () => {
  const folder = newFolder();

  before(() => {
    runWords('hbal', ['-t', 'testdata/small.data', '-S', join(folder, 'small')]);
  });

  const mend = (...words: string[]) =>
    runWords('hbal', ['-t', join(folder, 'small.balanced'), '--only-rules', ...words]);

  it('says that the score rises, and calls that no gain', () => {
    const { stdout } = mend('--what-if', RULES, '--explain', '--bound');
    expect(stdout)
      .to.include('the score goes from 2.03 to 5.29\n')
      .and.include('\n  more of: uneven spindles,')
      .and.include('\n  loses 1.70654402 (2.03315172 to 3.73969574)\n');
    expect(stdout).not.to.match(/a little more|-\d+% of it|of the gain|for less than 0 s/);
  });

  it('holds no rule against moves that would raise the score, too', () => {
    const { explanation } = JSON.parse(mend('--what-if', RULES, '--explain', '--json').stdout);
    const { steps, refusedAtEnd } = explanation as PlanExplanation;
    const refused = [...steps.flatMap((step) => step.refused), ...refusedAtEnd];
    expect(refused).to.have.length(3);
    for (const { gain } of refused) expect(gain).to.be.above(0);
  });

  it('has a page of what is mended', () => {
    const file = join(folder, 'page.html');
    const textWith = (...words: string[]): string => {
      mend(`--html=${file}`, ...words);
      return readPage(readFileSync(file, 'utf8')).find(({ name }) => name === 'body')!.text;
    };
    const text = textWith('--what-if', RULES);
    expect(text)
      .to.match(/a plan that mends/)
      .and.match(/1 broken rule mended/);
    expect(text).not.to.match(/better|of the gain|What copying buys/);
    expect(textWith())
      .to.match(/No rule is broken\./)
      .and.match(/Nothing to mend/);
    const pinned = textWith('--what-if', 'tag instance dns +htools:pinned:nowhere');
    expect(pinned).to.match(/still broken: pinned/);
  });
});
