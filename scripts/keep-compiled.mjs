/**
 * Keeps V8's compiled form of each built program beside it (dist/PROGRAM.cjs.cache), with which it starts
 * sooner; see src/kit/cli/code-cache.ts. It fits one version of Node only, so the package does not carry it:
 * `npm run keep-compiled` makes it where the package is installed. Programs never write it by themselves.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * What each program does while its compiled form is made: the usual work, since functions that never ran are
 * left out.
 */
const TRAINING = {
  hail: ['testdata/small-allocate.json'],
  hbal: ['-t', 'testdata/small.data', '-C'],
  hcheck: ['-t', 'testdata/small.data'],
  hcompress: ['-t', 'testdata/super.data'],
  hdisk: ['-s', 'testdata/disks/storage-node.yaml', '-H', 'testdata/disks/rack/node1.yaml'],
  hinfo: ['-t', 'testdata/small.data', '-v'],
  hredist: ['-t', 'testdata/super.data'],
  hspace: ['-t', 'testdata/small.data'],
  hroller: ['-t', 'testdata/small.data', '-f'],
  hspread: ['-t', 'testdata/super.data'],
  hsqueeze: ['-t', 'testdata/small.data'],
};

const keepCompiledForm = (file, words) => {
  // V8 takes a form only under the flags under which it was made, and a program changes one when it begins.
  const withoutFlags = 'process.binding = () => ({ setFlagsFromString() {} });';
  const script = `${withoutFlags} require('./dist/dispatch.cjs').runAndKeepBundle('${file}')`;
  // Without the form the program works all the same: whatever goes wrong here is for the tests to find.
  spawnSync(process.execPath, ['-e', script, '--', file, ...words], { cwd: ROOT, stdio: 'ignore' });
};

/** Keeps the form of all programs that are built. */
export function keepCompiledForms() {
  for (const [name, words] of Object.entries(TRAINING)) {
    const file = `dist/${name}.cjs`;
    if (existsSync(join(ROOT, file))) keepCompiledForm(file, words);
  }
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) keepCompiledForms();
