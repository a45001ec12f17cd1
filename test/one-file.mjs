/**
 * All tests, with all that they import, in one file: it is loaded several times sooner than a thousand
 * modules that are translated one by one, and each of Mocha's workers loads it.
 */
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';
import { fingerprint } from '../scripts/stamp.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = ['src', 'test', 'bench', 'package-lock.json'];
export const TESTS = join(ROOT, 'test');
export const ONE_FILE = join(ROOT, 'dist/tests.cjs');

/** Packages that are ES modules only; all others are loaded when a test needs them. */
const WITHIN = ['chai', 'yargs', 'zod'];

const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const isWithin = (name) => WITHIN.includes(name);

/** Each module keeps the address of its own source. */
const ownAddress = {
  name: 'own-address',
  setup({ onLoad }) {
    onLoad({ filter: /\.(ts|m?js)$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const address = JSON.stringify(pathToFileURL(path).href);
      return {
        contents: text.replaceAll('import.meta.url', address),
        loader: path.endsWith('.ts') ? 'ts' : 'js',
      };
    });
  },
};

/** What loads the tests of a file is found by its path under test/. */
const entry = () => {
  const files = readdirSync(TESTS, { recursive: true }).filter((path) => /\.(test|package)\.ts$/.test(path));
  const parts = files.map((path) => `${JSON.stringify(path)}: () => require('./${path}'),`);
  return `import { config } from 'chai';
    import { optimiseLater } from '../src/kit/cli/optimise-later.ts';
    // As the programs do.
    optimiseLater();
    // A misspelt assertion does not compile; watching for it at each word of each assertion costs more than
    // all else that Chai does.
    config.useProxy = false;
    module.exports = { ${parts.join('\n')} };`;
};

/** Builds it where a source has changed. */
export async function buildTests() {
  const mark = `//${fingerprint(ROOT, SOURCES)}\n`;
  if (existsSync(ONE_FILE) && readFileSync(ONE_FILE, 'utf8').startsWith(mark)) return;
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    stdin: { contents: entry(), resolveDir: TESTS },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['#*', ...Object.keys(devDependencies).filter((name) => !isWithin(name))],
    sourcemap: 'linked',
    sourcesContent: false,
    banner: { js: mark.trimEnd() },
    plugins: [ownAddress],
    outfile: ONE_FILE,
    logLevel: 'warning',
    write: false,
  });
  await stop();
  // Others may be running tests of this folder.
  for (const { path, contents } of outputFiles) {
    writeFileSync(`${path}.${process.pid}`, contents);
    renameSync(`${path}.${process.pid}`, path);
  }
}
