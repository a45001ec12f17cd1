import fs, {
  chmodSync,
  fstatSync,
  lchownSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { ExecutionError } from '../../../src/kit/faults.ts';
import { replaceFile, replaceFileForGood } from '../../../src/kit/files/replace-file.ts';
import { newFolder } from '../../builders/folder.ts';

const faultOf = (work: () => void): ExecutionError => {
  try {
    work();
  } catch (error) {
    if (error instanceof ExecutionError) return error;
  }
  throw new Error('no fault');
};

describe('writing a file in one go', () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
  });

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

  it('writes through no link that somebody has put where a draft may come', () => {
    const [path, target] = [join(folder, 'state'), join(folder, 'target')];
    writeFileSync(target, 'precious');
    for (const ending of ['new', `${process.pid}.new`, `${process.pid}`])
      symlinkSync(target, `${path}.${ending}`);
    replaceFile(path, 'new');
    replaceFileForGood(path, 'newer');
    expect(readFileSync(path, 'utf8')).to.equal('newer');
    expect(readFileSync(target, 'utf8')).to.equal('precious');
    expect(readdirSync(folder)).to.have.length(5);
  });

  it('writes through no link of somebody else in a folder where everybody may write', function () {
    if (process.geteuid?.() !== 0) this.skip();
    const [link, target] = [join(folder, 'state'), join(folder, 'target')];
    writeFileSync(target, 'precious');
    symlinkSync(target, link);
    const somebody = 65_534;
    lchownSync(link, somebody, somebody);
    chmodSync(folder, 0o1777);
    expect(() => replaceFile(link, 'new')).to.throw(ExecutionError, 'somebody else');
    expect(readFileSync(target, 'utf8')).to.equal('precious');
    // In a folder of one's own the owner of a link does not matter.
    chmodSync(folder, 0o755);
    replaceFile(link, 'new');
    expect(readFileSync(target, 'utf8')).to.equal('new');
  });

  it('has the disk hold what is to stay before its name means it, and then the name', () => {
    const path = join(folder, 'journal');
    writeFileSync(path, 'old');
    const calls: string[] = [];
    const { fsyncSync, renameSync } = fs;
    fs.fsyncSync = (descriptor) => {
      calls.push(fstatSync(descriptor).isDirectory() ? 'sync the folder' : 'sync the file');
      fsyncSync(descriptor);
    };
    fs.renameSync = (from, to) => {
      calls.push('rename');
      renameSync(from, to);
    };
    syncBuiltinESMExports();
    try {
      replaceFileForGood(path, 'new');
    } finally {
      Object.assign(fs, { fsyncSync, renameSync });
      syncBuiltinESMExports();
    }
    expect(calls).to.deep.equal(['sync the file', 'rename', 'sync the folder']);
  });

  it('says of a full disk that it is full', () => {
    const link = join(folder, 'full');
    symlinkSync('/dev/full', link);
    const fault = faultOf(() => replaceFile(link, 'new'));
    expect(fault.message).to.equal(`cannot write ${link}: the disk is full (ENOSPC)`);
    expect(fault.remedy).to.include('free some room');
  });

  it('says of a folder that is missing, or none, what is wrong with it', () => {
    const missing = join(folder, 'none', 'x');
    expect(faultOf(() => replaceFile(missing, 'new'))).to.include({
      message: `cannot write ${missing}: there is no such folder (ENOENT)`,
      remedy: 'make it, or check its name',
    });
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const inFile = join(file, 'x');
    expect(faultOf(() => replaceFile(inFile, 'new')).message).to.include('what should be a folder is a file');
  });

  it('does not write over a folder', () => {
    expect(() => replaceFile(folder, 'new')).to.throw(ExecutionError, 'EISDIR');
    expect(readdirSync(folder)).to.deep.equal([]);
  });
});
