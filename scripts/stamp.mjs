/**
 * What dist/ was built from: a build leaves the fingerprint of its sources there, so that tests and tools can
 * tell an old build from a present one in a few hundredths of a second.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = ['src', 'scripts', 'bin', 'package.json', 'package-lock.json'];

const stampOf = (root) => join(root, 'dist/.stamp');

const filesIn = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
    : [path];

/** Changes with every change to what is built: path, size and time of each file. */
export function fingerprint(root, sources = SOURCES) {
  const hash = createHash('sha256');
  for (const path of sources.flatMap((source) => filesIn(join(root, source))).sort()) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** Whether the programs in dist/ are those of the present sources. */
export const isBuilt = (root) =>
  existsSync(stampOf(root)) && readFileSync(stampOf(root), 'utf8') === fingerprint(root);

/** To be called ahead of a build: one that breaks off counts as none. */
export const dropStamp = (root) => rmSync(stampOf(root), { force: true });

/** @param print taken before the build, so that a change during it makes it an old one */
export const setStamp = (root, print) => writeFileSync(stampOf(root), print);
