/**
 * Builds dist/: one CommonJS file for each program and worker (it starts quicker than ES modules, and much
 * quicker than many files), the dispatcher that the launchers in bin/ load first, and the library with its
 * type declarations.
 *
 *   node scripts/build.mjs             everything
 *   node scripts/build.mjs --programs  programs and workers only, and only where a source has changed
 *
 * A program reads one file of ours. Parts behind a dynamic import stand in that file but are not run before
 * they are asked for; those of hail and hbal are in a second file (rest.mjs), a few are files of their own in
 * dist/apart (apart.mjs), and so are large libraries in dist/vendor (vendor.mjs). Code in a program's file
 * finds the built workers in the folder EVENKEEL_WORKER_FOLDER, a constant of the bundle.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { APART, APART_FOLDER, apartName, keepApart } from './apart.mjs';
import { keepCompiledForms } from './keep-compiled.mjs';
import { namesOnly, programText, readTables, withoutManuals, withoutOthers } from './own-tables.mjs';
import {
  asRest,
  fromProgram,
  fromRest,
  isSplit,
  lending,
  parted,
  restEntry,
  restFile,
  withRest,
} from './rest.mjs';
import { dropStamp, fingerprint, isBuilt, setStamp } from './stamp.mjs';
import { buildVendor, fromVendor, mergedRecord } from './vendor.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LIBRARY_CONFIG = 'scripts/tsconfig.lib.json';

/** Names of the files of a folder that end so, without the ending. */
const namesIn = (folder, ending) =>
  existsSync(join(ROOT, folder))
    ? readdirSync(join(ROOT, folder))
        .filter((file) => file.endsWith(ending))
        .map((file) => file.slice(0, file.length - ending.length))
    : [];

/** As src/kit/cli/code-cache.ts has it. */
const MARK_LENGTH = 16;
const WRAPPER = '(function (exports, require, module, __filename, __dirname) {';

const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // import() does not work in code that is run as src/kit/cli/code-cache.ts does; require takes modules of
  // both kinds.
  supported: { 'dynamic-import': false },
  legalComments: 'none',
  // A smaller file starts about 1 ms sooner; names stay, so that the traces of faults can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  metafile: true,
  logLevel: 'warning',
  // Modules ask for import.meta only where no EVENKEEL_WORKER_FOLDER is defined: outside of bundles.
  logOverride: { 'empty-import-meta': 'silent' },
};

/**
 * Parts that are run when they are asked for have their whole path as the name of a function; the file's name
 * says enough.
 */
const withShortNames = (text) => text.replace(/"src\/(?:[\w-]+\/)*([\w-]+)\.ts"\(\)\{/g, '"$1"(){');

/**
 * Parts of Node that take milliseconds to load and that an ordinary run does without are read when something
 * of them is used; not in a service, which uses them at each request.
 */
const LATER = /=require\("(node:(?:child_process|crypto|http|module|net|os|tls))"\)/g;
const LATER_HELPER =
  'var later=(id)=>{let it;return new Proxy({},{get:(_,name)=>(it??=require(id))[name]})};';
const withNodeLater = (text, name) =>
  name === 'hplaced' ? text : LATER_HELPER + text.replace(LATER, '=later("$1")');

const WORKERS_HERE = 'var EVENKEEL_WORKER_FOLDER = __dirname + "/workers";';

/** What a program brings besides its tables. */
const partsOf = (options) =>
  ['parts.main', 'config' in options && 'parts.configure', 'exec' in options && 'parts.notBegun']
    .map((part) => part || 'undefined')
    .join();

const buildProgram = async (name, tables) => {
  const file = `dist/${name}.cjs`;
  const entry = `import { runProgram } from './src/kit/cli/run.ts';
    import * as parts from './src/${tables.productOf(name)}/programs/${name}/main.ts';
    runProgram(${programText(tables, name)}, ${partsOf(tables.PROGRAMS[name].options)});`;
  const bundle = (outfile, contents, banner, ...plugins) =>
    build({
      ...COMMON,
      stdin: { contents, resolveDir: ROOT, loader: 'ts' },
      banner: { js: banner },
      plugins: [...plugins, withoutOthers(tables, name), keepApart(ROOT), fromVendor],
      outfile,
      write: false,
    });
  const textOf = ({ outputFiles }) => withNodeLater(withShortNames(outputFiles[0].text), name);
  const put = (contents) => {
    const mark = createHash('sha256').update(contents).digest('hex').slice(0, MARK_LENGTH);
    writeFileSync(join(ROOT, file), `//${mark}\n${WRAPPER}${contents}\n})`);
  };
  const whole = await bundle(file, entry, WORKERS_HERE);
  if (!isSplit(name)) {
    put(textOf(whole));
    return whole;
  }
  const { own, asked } = parted(name, whole.metafile);
  const rest = await bundle(restFile(name), restEntry(asked), WORKERS_HERE, fromProgram(ROOT, name, own));
  const restText = textOf(rest);
  writeFileSync(join(ROOT, restFile(name)), asRest(name, restText));
  const program = await bundle(
    file,
    lending(name, restText) + entry,
    withRest(name) + WORKERS_HERE,
    fromRest(ROOT, name, own),
  );
  put(textOf(program));
  return { metafile: mergedRecord([program.metafile, rest.metafile]) };
};

const buildWorker = (product) => (name) =>
  build({
    ...COMMON,
    entryPoints: [`src/${product}/workers/${name}.ts`],
    plugins: [fromVendor],
    outfile: `dist/workers/${name}.cjs`,
  });

const buildApart = (path) =>
  build({
    ...COMMON,
    entryPoints: [path],
    plugins: [withoutManuals, fromVendor],
    outfile: `dist/${APART_FOLDER}/${apartName(path)}.cjs`,
  });

const buildDispatcher = (tables) =>
  build({
    ...COMMON,
    entryPoints: ['src/suite/dispatch.ts'],
    plugins: [namesOnly(ROOT, tables)],
    outfile: 'dist/dispatch.cjs',
  });

/** The library, bundled so that it needs no package either; parts that it shares are files of their own. */
const bundleLibrary = () =>
  build({
    ...COMMON,
    entryPoints: namesIn('src/api', '.ts').map((name) => `src/api/${name}.ts`),
    outbase: 'src',
    outdir: 'dist/lib',
    format: 'esm',
    splitting: true,
    supported: {},
    plugins: [fromVendor],
  });

/** What went into the files of a folder, for packages to say (scripts/packages). */
const keepRecord = (folder, results) =>
  writeFileSync(
    join(ROOT, folder, 'metafile.json'),
    JSON.stringify(mergedRecord(results.map(({ metafile }) => metafile))),
  );

async function buildLibrary() {
  keepRecord('dist/lib', [await bundleLibrary()]);
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', LIBRARY_CONFIG], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

const onlyPrograms = process.argv.includes('--programs');
if (onlyPrograms && isBuilt(ROOT)) process.exit(0);
const print = fingerprint(ROOT);
if (onlyPrograms) dropStamp(ROOT);
else rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
mkdirSync(join(ROOT, 'dist'), { recursive: true });
const tables = await readTables(ROOT);
const bundles = [
  buildDispatcher(tables),
  ...['htools', 'ledger'].flatMap((product) =>
    namesIn(`src/${product}/workers`, '.ts').map(buildWorker(product)),
  ),
  ...APART.map(buildApart),
  ...tables.PROGRAM_NAMES.map((name) => buildProgram(name, tables)),
];
const results = await Promise.allSettled([buildVendor(ROOT), ...bundles]);
const failures = results.filter(({ status }) => status === 'rejected').map(({ reason }) => reason);
// esbuild has said what is wrong, of its own faults.
for (const { errors, message } of failures) if (!errors) console.error(message);
if (failures.length > 0) process.exit(1);
keepRecord('dist', await Promise.all(bundles));
keepCompiledForms();
if (!onlyPrograms) await buildLibrary();
setStamp(ROOT, print);
