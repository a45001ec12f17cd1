import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { runBuilt } from '../../../suite/run-built.ts';

/** What hbal says at its end and hinfo says of a file. */
const scoreIn = (text: string, words: RegExp): string => words.exec(text)?.[1] ?? 'no score';

describe('what hbal saves', () => {
  const folder = newFolder();

  it('has the figures as the moves leave them: a program that reads it finds the score that hbal ended with', () => {
    const saved = join(folder, 'chain');
    const { stdout } = runBuilt(`hbal -t testdata/small.data -S ${saved}`);
    const end = scoreIn(stdout, /improved from \S+ to (\S+)/);
    const read = runBuilt(`hinfo -t ${saved}.balanced`);
    expect(scoreIn(read.stdout, /Cluster score: (\S+)/)).to.equal(end);
    expect(read.stderr).not.to.contain('missing');
  });

  it('has free memory as it was before with --stock-figures', () => {
    const saved = join(folder, 'stock');
    runBuilt(`hbal -t testdata/small.data -S ${saved} --stock-figures`);
    const freeMemory = (file: string): string[] =>
      readFileSync(file, 'utf8')
        .split('\n\n')[1]!
        .split('\n')
        .map((line) => line.split('|')[3]!);
    expect(freeMemory(`${saved}.balanced`)).to.deep.equal(freeMemory(`${saved}.original`));
  });

  it('agrees with the final table and the document', () => {
    const saved = join(folder, 'table');
    const { stdout } = runBuilt(`hbal -t testdata/small.data -p --json -S ${saved}`);
    const document = JSON.parse(stdout);
    const inFile = readFileSync(`${saved}.balanced`, 'utf8')
      .split('\n\n')[1]!
      .split('\n')
      .map((line) => line.split('|'));
    const shown = document.final.nodes.map(({ name, freeMemMib }: { name: string; freeMemMib: number }) => [
      name,
      `${freeMemMib}`,
    ]);
    expect(shown).to.deep.equal(inFile.map((cells) => [cells[0], cells[3]]));
    expect(document.initial.nodes).to.have.length(document.final.nodes.length);
    expect(document.initial.nodes).not.to.deep.equal(document.final.nodes);
  });

  it('is in the document step by step, with what each costs and gains', () => {
    const { initial, final, steps } = JSON.parse(runBuilt('hbal -t testdata/small.data --json').stdout);
    const gained = steps.reduce((sum: number, { gain }: { gain: number }) => sum + gain, 0);
    expect(gained).to.be.closeTo(initial.score - final.score, 1e-9);
    for (const step of steps) expect(step.cost).to.be.an('object');
  });
});
