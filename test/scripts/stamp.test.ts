import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { dropStamp, fingerprint, isBuilt, setStamp } from '../../scripts/stamp.mjs';
import { newFolder } from '../builders/folder.ts';

describe('the stamp of a build', () => {
  let root: string;
  const write = (path: string, text: string): void => writeFileSync(join(root, path), text);

  beforeEach(() => {
    root = newFolder();
    for (const folder of ['src/deep', 'scripts', 'bin', 'dist'])
      mkdirSync(join(root, folder), { recursive: true });
    for (const path of ['src/deep/a.ts', 'package.json', 'package-lock.json']) write(path, 'old');
  });

  it('is missing in a fresh clone, and after a build that broke off', () => {
    expect(isBuilt(root)).to.equal(false);
    setStamp(root, fingerprint(root));
    expect(isBuilt(root)).to.equal(true);
    dropStamp(root);
    expect(isBuilt(root)).to.equal(false);
  });

  const changes: Readonly<Record<string, () => void>> = {
    'a source is longer': () => write('src/deep/a.ts', 'newer'),
    'a source is as long as before': () => utimesSync(join(root, 'src/deep/a.ts'), 1, 1),
    'a source is new': () => write('src/b.ts', ''),
    'a source is gone': () => rmSync(join(root, 'src/deep/a.ts')),
    'there are other packages': () => write('package-lock.json', 'others'),
  };
  for (const [what, change] of Object.entries(changes))
    it(`is an old one when ${what}`, () => {
      setStamp(root, fingerprint(root));
      change();
      expect(isBuilt(root)).to.equal(false);
    });

  it('is an old one when a source was changed during the build', () => {
    const print = fingerprint(root);
    write('src/deep/a.ts', 'changed meanwhile');
    setStamp(root, print);
    expect(isBuilt(root)).to.equal(false);
  });
});
