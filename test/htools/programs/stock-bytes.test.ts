/**
 * hbal, hinfo, hcheck and hspace against recorded output: the files in testdata/golden hold what stock 3.1.1
 * wrote to standard output for these command lines, byte for byte.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runBuilt } from '../../suite/run-built.ts';

const GOLDEN = fileURLToPath(new URL('../../../testdata/golden/', import.meta.url));

interface Recorded {
  readonly line: string;
  readonly exitCode: number;
}

const recorded = JSON.parse(readFileSync(join(GOLDEN, 'commands.json'), 'utf8')) as Record<string, Recorded>;

describe('the stock bytes of', () => {
  for (const [name, { line, exitCode }] of Object.entries(recorded)) {
    it(line, () => {
      const { stdout, status } = runBuilt(line);
      expect(stdout).to.equal(readFileSync(join(GOLDEN, `${name}.out`), 'utf8'));
      expect(status).to.equal(exitCode);
    });
  }

  it('every recorded file', () => {
    const files = readdirSync(GOLDEN).filter((file) => file.endsWith('.out'));
    expect(files.sort()).to.deep.equal(
      Object.keys(recorded)
        .map((name) => `${name}.out`)
        .sort(),
    );
  });
});
