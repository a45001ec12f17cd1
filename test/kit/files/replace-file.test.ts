import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ExecutionError } from '../../../src/kit/faults.ts';
import { replaceFile } from '../../../src/kit/files/replace-file.ts';

describe('writing a file in one go', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'evenkeel-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('takes the place of the old one, with its mode, and leaves nothing else', () => {
    const path = join(folder, 'script.sh');
    writeFileSync(path, 'old, and longer than the new one');
    chmodSync(path, 0o700);
    replaceFile(path, 'new');
    expect(readFileSync(path, 'utf8')).to.equal('new');
    expect(statSync(path).mode & 0o777).to.equal(0o700);
    expect(readdirSync(folder)).to.deep.equal(['script.sh']);
  });

  it('writes through a symbolic link and keeps it', () => {
    const [link, target] = [join(folder, 'link'), join(folder, 'target')];
    symlinkSync(target, link);
    replaceFile(link, 'new');
    expect(lstatSync(link).isSymbolicLink()).to.equal(true);
    expect(readFileSync(target, 'utf8')).to.equal('new');
  });

  it('leaves a device in its place', () => {
    const link = join(folder, 'null');
    symlinkSync('/dev/null', link);
    replaceFile(link, 'gone');
    expect(statSync(link).isCharacterDevice()).to.equal(true);
    expect(readFileSync(link, 'utf8')).to.equal('');
  });

  it('does not write over a folder', () => {
    expect(() => replaceFile(folder, 'new')).to.throw(ExecutionError, 'EISDIR');
    expect(readdirSync(folder)).to.deep.equal([]);
  });
});
