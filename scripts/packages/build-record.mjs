/**
 * What the build has recorded: each file with what it loads, and with the modules that went into it, as
 * esbuild's metafiles have it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { besidesOf, mergedRecord } from '../vendor.mjs';
import { ROOT } from './products.mjs';

const FOLDERS = ['dist', 'dist/vendor', 'dist/lib'];

/** All of the record. @throws when something is not built */
export function buildRecord() {
  const parts = FOLDERS.map((folder) => {
    const file = join(ROOT, folder, 'metafile.json');
    if (!existsSync(file)) throw new Error(`${folder} is not built\nMaybe run: npm run build`);
    return JSON.parse(readFileSync(file, 'utf8'));
  });
  return mergedRecord(parts);
}

/** The file of the build that another one loads under a name; undefined = not of the build. */
function loadedFile(outputs, file, { path }) {
  if (path in outputs) return path;
  const vendor = /^#vendor\/(.*)$/.exec(path)?.[1];
  if (vendor !== undefined) return `dist/vendor/${vendor}.cjs`;
  const beside = relative(ROOT, resolve(ROOT, dirname(file), path.split('?')[0]));
  return beside in outputs ? beside : undefined;
}

/** Files of the build that these load, and they themselves. */
export function withLoaded({ outputs }, files) {
  const all = new Set(files);
  for (const file of all)
    for (const loaded of outputs[file]?.imports ?? []) {
      const path = loadedFile(outputs, file, loaded);
      if (path !== undefined) all.add(path);
    }
  return [...all, ...[...all].flatMap(besidesOf)];
}
