import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import v8 from 'node:v8';
import { expect } from 'chai';
import { readInput } from '../../../src/kit/files/read-input.ts';

describe('a file that is read', () => {
  const { setFlagsFromString } = v8;
  let folder: string;
  let flags: string[];

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'evenkeel-'));
  });
  beforeEach(() => {
    flags = [];
    v8.setFlagsFromString = (flag) => void flags.push(flag);
  });
  afterEach(() => {
    v8.setFlagsFromString = setFlagsFromString;
  });
  after(() => rmSync(folder, { recursive: true }));

  const readOf = (length: number): number => {
    const file = join(folder, `${length}`);
    writeFileSync(file, 'a'.repeat(length));
    return readInput(file).length;
  };

  it('has functions optimised later once it is large, and a small one leaves V8 alone', () => {
    expect(readOf(10_000)).to.equal(10_000);
    expect(flags).to.deep.equal([]);
    expect(readOf(20_000)).to.equal(20_000);
    expect(flags).to.deep.equal(['--interrupt-budget=400000']);
  });
});
