/**
 * Puts the libraries that programs load when they need them into dist/vendor, each bundled into one file, so
 * that the package has nothing to fetch and little to unpack. What has binaries (SQLite) or WebAssembly
 * (HiGHS) lies beside its file. Our code asks for `#vendor/NAME` (see "imports" in package.json). What went
 * into each file is recorded in dist/vendor/metafile.json.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * What is bundled, and as which file, beside which others that it looks for. A module that is its default
 * export becomes the export as a whole, as `require` has it.
 */
const LIBRARIES = [
  { name: 'yargs', hasDefault: true },
  { name: 'fastest-levenshtein' },
  { name: 'chalk' },
  { name: 'piscina', beside: ['worker.js'] },
  { name: 'cli-table3' },
  { name: 'pg', hasDefault: true },
  { name: 'mysql2/promise', file: 'mysql2' },
  { name: 'fastify' },
  { name: 'ajv' },
  { name: '@photostructure/sqlite', file: 'sqlite/index', beside: ['prebuilds'] },
  { name: 'highs', beside: ['highs.wasm'] },
];

/** Systems that programs run on; binaries for others would be half of the package. */
const SYSTEMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

const fileOf = ({ name, file = name }) => file;

/** Files and folders of the build that a library's file needs beside it; none for all other files. */
export const besidesOf = (path) =>
  (LIBRARIES.find((library) => path === `dist/vendor/${fileOf(library)}.cjs`)?.beside ?? []).map(
    (name) => `dist/vendor/${name}`,
  );

/** Has every import of a library go to dist/vendor. */
export const fromVendor = {
  name: 'vendor',
  setup({ onResolve }) {
    const files = new Map(LIBRARIES.map((library) => [library.name, fileOf(library)]));
    onResolve({ filter: /^[a-z@]/ }, ({ path }) =>
      files.has(path) ? { path: `#vendor/${files.get(path)}`, external: true } : undefined,
    );
  },
};

const COMMON = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // Never installed: native drivers that the libraries would use if they were there.
  external: ['pg-native', 'pg-cloudflare', '@napi-rs/nice'],
  // Modules that ask where they are get the place of their bundle.
  define: { 'import.meta.url': '__here' },
  banner: { js: "var __here = require('node:url').pathToFileURL(__filename).href;" },
  legalComments: 'none',
  minify: true,
  keepNames: true,
  metafile: true,
  logLevel: 'error',
};

/** What dist/vendor was made from. */
const stampOf = (root) =>
  [join(root, 'package-lock.json'), join(root, 'scripts/vendor.mjs')]
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');

/** HiGHS is copied, not bundled: recorded as if it had been. */
function recordCopied(root, path, file) {
  const bytes = statSync(join(root, path)).size;
  return {
    inputs: { [path]: { bytes, imports: [] } },
    outputs: { [file]: { bytes, imports: [], exports: [], inputs: { [path]: { bytesInOutput: bytes } } } },
  };
}

/** One record of many bundles. */
export const mergedRecord = (records) => ({
  inputs: Object.assign({}, ...records.map(({ inputs }) => inputs)),
  outputs: Object.assign({}, ...records.map(({ outputs }) => outputs)),
});

export async function buildVendor(root) {
  const folder = join(root, 'dist/vendor');
  const stamp = join(folder, '.stamp');
  const wanted = stampOf(root);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const bundle = (entry, outfile, hasDefault = false) =>
    build({
      ...COMMON,
      absWorkingDir: root,
      entryPoints: [entry],
      outfile: join(folder, outfile),
      footer: { js: hasDefault ? 'module.exports = module.exports.default;' : '' },
    });
  const bundles = await Promise.all([
    ...LIBRARIES.filter(({ name }) => name !== 'highs').map((library) =>
      bundle(library.name, `${fileOf(library)}.cjs`, library.hasDefault),
    ),
    // Piscina looks for this one beside itself.
    bundle('node_modules/piscina/dist/worker.js', 'worker.js'),
  ]);
  for (const file of ['highs.js', 'highs.wasm'])
    cpSync(join(root, 'node_modules/highs/build', file), join(folder, file.replace('.js', '.cjs')));
  // SQLite looks for its binaries in the folder above the one that its file lies in.
  for (const system of SYSTEMS)
    cpSync(
      join(root, 'node_modules/@photostructure/sqlite/prebuilds', system),
      join(folder, 'prebuilds', system),
      { recursive: true },
    );
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  const records = [
    ...bundles.map(({ metafile }) => metafile),
    recordCopied(root, 'node_modules/highs/build/highs.js', 'dist/vendor/highs.cjs'),
  ];
  writeFileSync(join(folder, 'metafile.json'), JSON.stringify(mergedRecord(records)));
  writeFileSync(stamp, wanted);
}
