import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readMoves } from '../../../../src/htools/sources/moves/read-moves.ts';
import { InputError } from '../../../../src/kit/faults.ts';
import { newFolder } from '../../../builders/folder.ts';
import { runBuilt } from '../../../suite/run-built.ts';

const MOVE = {
  instance: 'web1',
  from: { primary: 'a', secondary: 'b' },
  to: { primary: 'b', secondary: null },
};

describe('moves in what a program printed', () => {
  const folder = newFolder();

  const read = (text: string) => {
    const file = join(folder, 'moves.json');
    writeFileSync(file, text);
    return readMoves(file);
  };

  it('are found wherever a document has them', () => {
    for (const document of [{ steps: [MOVE] }, { moves: [MOVE] }])
      expect(read(JSON.stringify(document))).to.deep.equal([MOVE]);
  });

  it('are found in all groups of hbal --all-groups, in their order', () => {
    const { stdout } = runBuilt('hbal -t testdata/super.data --all-groups --explain --json');
    const { balanced } = JSON.parse(stdout) as { balanced: { steps: { instance: string }[] }[] };
    const wanted = balanced.flatMap(({ steps }) => steps.map(({ instance }) => instance));
    expect(wanted).to.have.length.above(1);
    expect(read(stdout).map(({ instance }) => instance)).to.deep.equal(wanted);
  });

  it('are said to be missing in documents without any, however deep these are', () => {
    const nested = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    for (const text of ['{}', nested, `{"groups":${nested}}`])
      expect(() => read(text)).to.throw(InputError, 'there are no moves in this document');
  });
});
