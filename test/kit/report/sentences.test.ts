import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { duration, wrapped } from '../../../src/kit/report/sentences.ts';
import { ROOT } from '../../suite/run-built.ts';

describe('sentences on lines', () => {
  it('end before the 81st column, further lines two blanks deeper', () => {
    const text = Array.from({ length: 40 }, (_, k) => 'x'.repeat(1 + (k % 9))).join(' ');
    const lines = wrapped('   1. ', text).trimEnd().split('\n');
    expect(lines.length).to.be.greaterThan(2);
    for (const line of lines) expect(line.length).to.be.at.most(80);
    expect(lines.slice(1).every((line) => /^ {8}x/.test(line))).to.equal(true);
    expect(lines.map((line) => line.trim()).join(' ')).to.equal(`1. ${text}`);
  });

  it('keep a figure and its unit on one line', () => {
    const filler = 'x'.repeat(74);
    expect(wrapped('', `${filler} 1024 MiB of`)).to.equal(`${filler}\n  1024 MiB of\n`);
    expect(wrapped('', `${filler} 2 h 19 min`)).to.equal(`${filler} 2 h\n  19 min\n`);
    // "mind" is no unit, so the line ends behind the figure.
    expect(wrapped('', `${filler} 10 mind`)).to.equal(`${filler} 10\n  mind\n`);
  });

  it('leave a word alone that is longer than a line', () => {
    const long = 'y'.repeat(100);
    expect(wrapped('', `a ${long} b`)).to.equal(`a\n  ${long}\n  b\n`);
  });

  it('make reports of the programs for groups that fit 80 columns', () => {
    const folder = `${ROOT}/testdata/groups`;
    const isJson = (line: string): boolean => /^\s*["[{}\]]/.test(line);
    const long = readdirSync(folder)
      .filter((file) => file.endsWith('.expected'))
      .flatMap((file) =>
        readFileSync(`${folder}/${file}`, 'utf8')
          .split('\n')
          .filter((line) => line.length > 80 && !isJson(line) && !line.startsWith('$'))
          .map((line) => `${file}: ${line}`),
      );
    expect(long).to.deep.equal([]);
  });
});

describe('amounts for people', () => {
  it('gives durations to two units', () => {
    expect([0, 0.2, 59.5, 90, 3600, 9623, 200_000].map(duration)).to.deep.equal([
      '0 s',
      '1 s',
      '60 s',
      '2 min',
      '1 h 0 min',
      '2 h 40 min',
      '2 d 7 h',
    ]);
  });
});
