/**
 * Runs a built program with V8's compiled form of it, where the build has kept one by running it once
 * (scripts/build.mjs): hbal on four nodes then takes 58 ms of cpu instead of 94, of which 24 are Node's. The
 * form is for one version of Node and one text; where it does not fit, the program is compiled.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Script } from 'node:vm';

/**
 * A bundle, a function of what CommonJS hands to a file, starts with `//` and so many hexadecimal digits of
 * its text; the kept form with the digits. V8 compares lengths only.
 */
const MARK_LENGTH = 16;
const MARK_START = '//'.length;
/**
 * The Node that made a form stands behind the mark. V8 compares its own version without the part that Node
 * counts up, and a form of 20.20.2 crashes 20.19.6. Padded, so that V8 finds its data aligned.
 */
const MAKER = `${process.version}-${process.arch}`.padEnd(16);

const cachePathOf = (bundlePath: string): string => `${bundlePath}.cache`;

const markOf = (source: string): string => source.slice(MARK_START, MARK_START + MARK_LENGTH);

/** What a form of this text that fits this Node starts with. */
const headOf = (mark: string): string => `${mark}${MAKER}`;

/** The kept form for this text and this Node, if there is one. */
function keptForm(bundlePath: string, mark: string): Buffer | undefined {
  try {
    const kept = readFileSync(cachePathOf(bundlePath));
    const head = headOf(mark);
    return kept.toString('latin1', 0, head.length) === head ? kept.subarray(head.length) : undefined;
  } catch {
    // Not kept, or not readable: the program runs without.
    return undefined;
  }
}

/** A bundle's `require`, mostly for Node's own; what makes one for files takes half a millisecond to load. */
function requireFrom(filename: string): (id: string) => unknown {
  const builtin = process.getBuiltinModule;
  let files: NodeJS.Require | undefined;
  return (id) => {
    const found = builtin(id);
    if (found) return found;
    files ??= builtin('node:module').createRequire(filename);
    return files(id);
  };
}

function compileBundle(path: string) {
  const filename = resolve(path);
  // Bundles are ASCII; as Latin-1 they need no decoding.
  const source = readFileSync(filename, 'latin1');
  const mark = markOf(source);
  const cachedData = keptForm(filename, mark);
  const script = new Script(source, { filename, ...(cachedData ? { cachedData } : {}) });
  const module = { exports: {} };
  const run = (): void =>
    script.runInThisContext()(module.exports, requireFrom(filename), module, filename, dirname(filename));
  return { mark, script, run };
}

export const runBundle = (path: string): void => compileBundle(path).run();

/** Runs the bundle and, when the process ends, keeps the compiled form of all that was used until then. */
export function runAndKeepBundle(path: string): void {
  const { mark, script, run } = compileBundle(path);
  process.on('exit', () =>
    writeFileSync(
      cachePathOf(path),
      Buffer.concat([Buffer.from(headOf(mark), 'latin1'), script.createCachedData()]),
    ),
  );
  run();
}
