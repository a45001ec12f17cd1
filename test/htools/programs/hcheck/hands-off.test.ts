import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { runBuilt } from '../../../suite/run-built.ts';

const SMALL = readFileSync('testdata/small.data', 'utf8');
const TAG = 'htools:hands-off';

describe('hcheck with the tag htools:hands-off', () => {
  const file = join(newFolder(), 'small.data');

  const reportsOf = (text: string) => {
    writeFileSync(file, text);
    const documentOf = (words: string) => JSON.parse(runBuilt(`${words} -t ${file} --json`).stdout);
    return { hbal: documentOf('hbal'), hcheck: documentOf('hcheck --explain') };
  };

  it('balances as hbal does, and counts as without it', () => {
    const free = reportsOf(SMALL);
    for (const [from, to] of [
      ['htools:iextags:service', `htools:iextags:service\n${TAG}`],
      [
        '|1048576|16|N|5f8f2a4e-6a0b-4c39-9d53-2f6b0f2f4d11|1||N',
        `|1048576|16|N|5f8f2a4e-6a0b-4c39-9d53-2f6b0f2f4d11|1|${TAG}|N`,
      ],
      ['drbd|service:web|', `drbd|service:web,${TAG}|`],
      ['drbd||1|-|N', `drbd|${TAG}|1|-|N`],
    ] as const) {
      const { hbal, hcheck } = reportsOf(SMALL.replace(from, to));
      const [initial, final] = hcheck.phases;
      expect(initial).to.deep.equal(free.hcheck.phases[0]);
      expect(final.groups[0].score).to.be.closeTo(hbal.final.score, 1e-12);
    }
  });

  it('proposes nothing about what is to be left alone', () => {
    const { hcheck } = reportsOf(SMALL.replace('htools:iextags:service', `htools:iextags:service\n${TAG}`));
    expect(hcheck.explanation[0].steps).to.deep.equal([]);
  });
});
