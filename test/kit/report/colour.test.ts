import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runApart } from '../../suite/run-built.ts';

const CLUSTER = ['-t', 'testdata/small.data'];
const COLOUR = /\u001b\[(\d+)m([^\u001b]*)\u001b\[(\d+)m/g;

/** The coloured pieces: colour number and text. */
const piecesOf = (text: string): [string, string][] =>
  [...text.matchAll(COLOUR)].map(([, colour, piece]) => [colour!, piece!]);

describe('colour', () => {
  it('shows what a piece is, and changes nothing else', async () => {
    const words = [...CLUSTER, '-C', '--color'];
    const [always, never] = await Promise.all(
      ['always', 'never'].map((choice) => runApart('hbal', [...words, choice])),
    );
    expect(always!.stdout.replace(COLOUR, '$2')).to.equal(never!.stdout);
    const pieces = piecesOf(always!.stdout);
    const deeds = pieces.filter(([colour]) => colour === '36').map(([, piece]) => piece);
    const lines = never!.stdout.split('\n');
    expect(deeds).to.deep.equal([
      ...lines.flatMap((line) => /^ +\d+\. .* (a=.*)$/.exec(line)?.slice(1) ?? []),
      ...lines.flatMap((line) => /^ +(gnt-instance .*)$/.exec(line)?.slice(1) ?? []),
    ]);
    expect(deeds).to.have.length.above(3);
    const good = pieces.filter(([colour]) => colour === '32').map(([, piece]) => piece);
    expect(good).to.deep.equal(lines.filter((line) => line.startsWith('Cluster score improved from ')));
  });

  it('stays out of files', async () => {
    const file = join(tmpdir(), `evenkeel-colour-${process.pid}.txt`);
    try {
      const words = [...CLUSTER, '--color=always'];
      const [printed] = await Promise.all([
        runApart('hinfo', words),
        runApart('hinfo', [...words, '-o', file]),
      ]);
      expect(piecesOf(printed!.stdout)).to.have.length.above(0);
      expect(readFileSync(file, 'utf8')).to.equal(printed!.stdout.replace(COLOUR, '$2'));
    } finally {
      rmSync(file, { force: true });
    }
  });

  it('shows errors in red', async () => {
    const { stderr } = await runApart('hinfo', ['-t', 'nowhere.data', '--color=always']);
    expect(piecesOf(stderr)).to.deep.equal([
      ['31', 'Error: failed to load data, aborting: cannot read nowhere.data: does not exist'],
    ]);
  });
});
