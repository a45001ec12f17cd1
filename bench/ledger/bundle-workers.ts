/**
 * Processes of the benches: each a bundled file of its own, so that starting one costs no compiling of
 * TypeScript.
 */
import { symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/**
 * Bundles each module into `folder`, which nobody has bundled into yet.
 * @returns the files, in the order of the modules.
 */
export async function bundleWorkers(folder: string, modules: readonly URL[]): Promise<readonly string[]> {
  // The folder's modules are CommonJS, whatever the project's are, and find the project's drivers.
  writeFileSync(join(folder, 'package.json'), '{}');
  symlinkSync(MODULES, join(folder, 'node_modules'));
  const files: string[] = [];
  for (const module of modules) {
    const source = fileURLToPath(module);
    const outfile = join(folder, basename(source).replace(/\.ts$/, '.cjs'));
    await build({
      entryPoints: [source],
      bundle: true,
      platform: 'node',
      format: 'cjs',
      external: ['@photostructure/sqlite', 'pg'],
      outfile,
      logLevel: 'error',
    });
    files.push(outfile);
  }
  return files;
}
